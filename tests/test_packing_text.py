"""How packing cuts text, lists, code and containers, and what each piece opens and closes again.

Tokens are words here, unless a test says otherwise, so that every limit can be counted in the text.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from by_eye import faults, letters, packed, roles, some, texts
from by_eye import sentences as said
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from treepack import Chunks, PackConfig, Source, audit, pack

# -------------------------------------------------------------------- law 9 in long text

CAP = 128
PROSE = "The valve shall be checked before each shift by its operator. "
WRAPPED = "The operator of the valve shall check\nthe pressure before each shift. "
MARKED_UP = (
    'The <b>valve</b> shall be <a href="http://a.b/c?d=e. F&g" title="Do it. Then go">checked</a> '
    "before each <i>shift</i>. "
)
NO_SENTENCES = "the valve &nbsp;&amp; <a href=\"x y z\" title='a b c'>pump</a> and "
IN_A_CELL = "<table><tr><th>k</th><th>v</th></tr><tr><td>a</td><td>{}</td></tr></table>"
NAMES = [f"Barbara Liskov {number}" for number in range(120)]
UNEVEN = "".join(f"<p>{PROSE * (number % 4 + 1)}</p>" for number in range(30))

SENTENCE = r"(?:shift|operator)\.|shift</i>\."
NAME = r"Liskov \d+"
CELL = rf"{SENTENCE} ?(?:</p>|)</td></tr>\n</table>"

LONG_TEXTS: dict[str, tuple[str, str]] = {  # the text, and how each chunk but the last ends
    "prose": (PROSE * 40, SENTENCE),
    "wrapped prose": (WRAPPED * 40, SENTENCE),
    "wrapped prose in a quote": ("> " + (WRAPPED * 40).replace("\n", "\n> "), SENTENCE),
    "hard breaks": ("  \n".join(NAMES), NAME),
    "hard breaks by backslash": ("\\\n".join(NAMES), NAME + r"\\"),
    "hard breaks by tags": ("<br>".join(NAMES), NAME + "<br>"),
    "lines": ("\n".join(NAMES), NAME),
    "lines in a quote": (">   " + "\n>   ".join(NAMES), NAME),
    "lines in an item": ("- " + "\n     ".join(NAMES), NAME),
    "lines of a log": ("\n".join(f"12:00:01 ERROR {name} lost" for name in NAMES), NAME + " lost"),
    "lines without blanks between words": ("\n".join(["系统应当保护传输中的数据终"] * 90), "终"),
    "HTML in one line": (f"<p>{PROSE * 40}</p>", SENTENCE),
    "HTML in one line in an item": (f"- <p>{PROSE * 40}</p>", SENTENCE),
    "wrapped HTML": (f"<p>\n{WRAPPED * 40}\n</p>", SENTENCE),
    "wrapped HTML in a quote": (f"> <p>\n{WRAPPED * 40}\n</p>".replace("\n", "\n> "), SENTENCE),
    "HTML with inline tags": (f"<p>{MARKED_UP * 40}</p>", SENTENCE),
    "HTML without line ends": (f"<div><h2>Title</h2>{UNEVEN}</div>", rf"{SENTENCE} </p>"),
    "HTML list": (f"<ul>{''.join(f'<li>{name}</li>' for name in NAMES)}</ul>", f"{NAME}</li>"),
    "HTML breaks": (f"<p>{'<br />'.join(NAMES)}</p>", f"{NAME}<br />"),
    "HTML lines": ("<div>\n" + "\n".join(NAMES) + "\n</div>", NAME),
    "HTML words": (f"<p>{NO_SENTENCES * 60}</p>", r"(?:the|valve|and|&amp;|pump</a>)"),
    "a long cell": (f"| k | v |\n|---|---|\n| a | {PROSE * 40} |", rf"{SENTENCE} \|"),
    "a long cell of HTML": (IN_A_CELL.format(PROSE * 40), CELL),
    "paragraphs in a cell of HTML": (IN_A_CELL.format(f"<p>{PROSE}</p>" * 40), CELL),
}  # fmt: skip


@pytest.mark.parametrize("name", LONG_TEXTS)
def test_a_long_text_is_cut_at_the_highest_possible_level(name: str) -> None:
    text, end = LONG_TEXTS[name]
    chunks = pack(Source(f"# T\n\n{text}\n", "d.md"), max_tokens=CAP, target_tokens=CAP)
    assert len(chunks) > 3, "too few chunks to test the cuts"
    assert [c.text[-40:] for c in chunks[:-1] if not re.search(f"{end}\\Z", c.text)] == []
    assert faults(chunks) == []


@pytest.mark.parametrize(
    ("name", "cut", "unit"),
    [
        ("lines", "Barbara", "a line of"),
        ("prose", "before", "a sentence of"),
        ("HTML in one line", "before", "a sentence of"),
        ("HTML lines", "Barbara", "a line of"),
        ("HTML words", "&nbsp;&amp; <a", "a tag of"),
    ],
)
def test_the_audit_finds_a_cut_below_that_level(name: str, cut: str, unit: str) -> None:
    """These are slices as another splitter makes them, cut inside a unit that fits."""
    text = LONG_TEXTS[name][0]
    places = [text.index(cut, at) + len(cut) for at in range(300, len(text) - 300, 300)]
    slices = [text[a:b] for a, b in pairwise([0, *places, len(text)])]
    found = audit(text, slices, PackConfig(max_tokens=CAP)).findings
    assert [str(finding) for finding in found if finding.law == 9 and unit in str(finding)]


def test_a_line_that_fits_is_never_cut_even_if_its_sentence_is_too_long() -> None:
    """This also holds between target and cap, and beside lines that fit no chunk."""
    lines = [
        " ".join(f"{word}{n}" for word in ("Ada", "Bob", "Cyd") * (n % 9 + 1)) for n in range(60)
    ]
    chunks = pack("\n".join(lines), max_tokens=100, target_tokens=24, min_tokens=0)
    assert {line for chunk in chunks for line in chunk.text.split("\n")} == set(lines)


WIDE = "".join(chr(ord(c) + 0xFEE0) if c != " " else c for c in "Optimization of extraction by it")
FAMILY = "👨\u200d👩\u200d👧\u200d👦"


def test_a_word_is_cut_only_if_it_fits_no_chunk() -> None:
    assert " ".join(texts(packed(some(50), 16))) == some(50)
    for cap in range(24, 40):
        cut = pack(f"{WIDE} {WIDE}", max_tokens=cap, target_tokens=cap, min_tokens=1)
        assert " ".join(texts(cut)).split() == [*WIDE.split(), *WIDE.split()]


@pytest.mark.parametrize(
    ("cluster", "cap", "counter"),
    [(FAMILY, 30, letters), (" \u0670", 16, "cl100k_base"), (" \u0670", 32, "cl100k_base")],
)
def test_a_word_above_the_cap_is_cut_between_grapheme_clusters(
    cluster: str, cap: int, counter: object
) -> None:
    """A space may be one with the mark after it."""
    chunks = packed(cluster * 200, cap, encoding=counter)
    assert "".join(texts(chunks)) == cluster * 200
    assert len(chunks) > 5
    assert all(len(chunk.text) % len(cluster) == 0 for chunk in chunks)
    assert faults(chunks) == []


@pytest.mark.parametrize("cap", [16, 20, 24])
def test_chunks_stay_within_the_cap_even_if_cuts_split_tokens(cap: int) -> None:
    """A cut can split a token into several, for example one of Thai letters."""

    def parts(text: str) -> int:
        return len(text) // 4 + 3 * (len(text) % 4 > 0)

    for first in range(20):
        line = " ".join("x" * ((first + 7 * at * at) % 12 + 1) for at in range(40))
        chunks = packed(f"- {line}\n", cap, encoding=parts)
        assert max(parts(chunk.embed_text) for chunk in chunks) <= cap, line


HTML_PIECES = st.sampled_from(
    ("<p>", "</p>", "<li>", "</li>", "<br>", "<div class='a b'>", "</div>", "<b>", "</b>", "a. B",
     " word ", "Done. ", "&amp;", "<img src='x. Y' alt=\"a > b\">", "<pre>", "</pre>", "<", "&",
     "<!-- c. D -->", "\n", "<https://a.b>", "<A/>", "<Tab>", "</Tab>", ">", "é\u0301", "漢字。")
)  # fmt: skip
TAG = re.compile(r"</?[A-Za-z][^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*>")


@settings(max_examples=150)
@given(html=st.lists(HTML_PIECES, max_size=60).map("".join), cap=st.sampled_from((24, 48, 96)))
@example(html="<img src='a b c d e f g h'>" * 30, cap=24)
def test_html_is_never_cut_inside_a_tag_that_fits(html: str, cap: int) -> None:
    text = f"<div>{html}"
    chunks = pack(Source(text), max_tokens=cap, target_tokens=cap // 2, min_tokens=0)
    bodies = [s.span for c in chunks for s in c.segments if s.role == "body" and s.span]
    cuts = [(left[1], right[0]) for left, right in pairwise(bodies)]
    for tag in TAG.finditer(text):
        if len(tag[0]) <= cap // 2 and "<" not in tag[0][1:]:
            assert not [cut for cut in cuts if tag.start() < cut[0] and cut[1] < tag.end()]


# -------------------------------------------------------------------- exact pieces

CODE = [f"line{number} a b" for number in range(9)]
QUOTED = [f">   line{number} a b c" for number in range(7)]
ITEMS = [f"- item{number} a b c" for number in range(8)]
ROWS = [f"| r{number} | v{number} |" for number in range(8)]
PARTS = [f"part{number} a\nmore of{number}" for number in range(6)]


def of_lines(lines: list[str], first: int, after: int, above: str = "", below: str = "") -> str:
    return "\n".join(
        [*([above] if above else []), *lines[first:after], *([below] if below else [])]
    )


DUTIES = [f"item{n} {some(5)}" for n in range(12)]
SHALL = "The device shall:"
ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii")
INTROS: dict[str, tuple[str, str]] = {  # the text, and how each piece but the first begins
    "a list": ("\n".join([SHALL, "", *(f"- {item}" for item in DUTIES)]), f"{SHALL}\n\n- item"),
    "a Chinese list": ("设备应：\n\n" + "\n".join(f"- {x}" for x in DUTIES), "设备应：\n\n- item"),
    "a list in an item": ("\n".join([f"- {SHALL}", "", *(f"  - {item}" for item in DUTIES)]),
        f"- {SHALL}\n\n  - item"),
    "a list in a quote": ("\n".join([f"> {SHALL}", ">", *(f"> - {item}" for item in DUTIES)]),
        f"> {SHALL}\n>\n> - item"),
    "points": ("# Article 12\n\n(1) It is public if:\n\n" + "\n\n".join(
        f"({letter}) {item};" for letter, item in zip("abcdefgh", DUTIES, strict=False)),
        "(1) It is public if:\n\n("),
    "nested points": ("# Article 12\n\nIt is public if:\n\n(a) so that:\n\n" + "\n\n".join(
        f"({roman}) {item};" for roman, item in zip(ROMANS, DUTIES, strict=False))
        + "\n\n(b) it is new.", "It is public if:\n\n(a) so that:\n\n("),
}  # fmt: skip


@pytest.mark.parametrize("name", INTROS)
def test_a_short_text_with_a_colon_is_repeated_before_each_piece_of_what_it_introduces(
    name: str,
) -> None:
    text, begin = INTROS[name]
    chunks = packed(f"{text}\n", 48, target_tokens=16)
    assert len(chunks) > 2
    for chunk in chunks[1:]:
        assert chunk.text.startswith(begin)
        assert SHALL not in chunk.lexical_text
        assert roles(chunk)[-1] == "body"
        assert "heading" in roles(chunk)
    assert faults(chunks) == []


@pytest.mark.parametrize("intro", ["The device is described here.", f"It shall {some(20)}:"])
def test_a_long_text_and_one_without_a_colon_are_not_repeated(intro: str) -> None:
    chunks = packed("\n".join([intro, "", *(f"- {item}" for item in DUTIES)]), 40)
    assert [intro in chunk.text for chunk in chunks] == [True, *[False] * len(chunks[1:])]


PIECES: dict[str, tuple[int, dict[str, Any], str, list[str]]] = {
    "paragraphs are cut between sentences": (16, {},
        "It holds (see Fig. 3). The valve opens at 3.5 bar! Does it? Yes, e.g. at night. End it.",
        ["It holds (see Fig. 3). The valve opens at 3.5 bar! Does it?",
        "Yes, e.g. at night. End it."]),
    "Chinese paragraphs are cut between sentences": (18, {"encoding": letters},
        "这是第一个句子。第二个比较长一些！真的吗？最后一个句子。",
        ["这是第一个句子。第二个比较长一些！", "真的吗？最后一个句子。"]),
    "lists are cut between items": (18, {}, of_lines(ITEMS, 0, 6), [of_lines(ITEMS, 0, 3),
        of_lines(ITEMS, 3, 6)]),
    "code repeats its marker, length and info string": (18, {},
        of_lines(CODE, 0, 9, "~~~~python title=x", "~~~~"),
        [of_lines(CODE, first, min(first + 5, 9), "~~~~python title=x", "~~~~")
        for first in (0, 5)]),
    "code is cut at blank lines first": (16, {}, "```\n" + "\n\n".join(PARTS) + "\n```",
        ["```\n" + "\n\n".join(PARTS[at : at + 3]) + "\n```" for at in (0, 3)]),
    "an unclosed fence is closed in each piece but the last": (14, {},
        of_lines(CODE, 0, 9, "```sh"), [of_lines(CODE, 0, 4, "```sh", "```"),
        of_lines(CODE, 4, 8, "```sh", "```"), of_lines(CODE, 8, 9, "```sh")]),
    "a line of code above the cap is cut between words": (20, {},
        f"```\nshort\n{some(22)}\nend\n```", ["```\nshort\n```", f"```\n{some(18)}\n```",
        "```\nw18 w19 w20 w21\nend\n```"]),
    "a fence that takes half the cap is not repeated": (20, {},
        of_lines(CODE, 0, 9, f"```{some(12)}"), [of_lines(CODE, 0, 2, f"```{some(12)}"),
        of_lines(CODE, 2, 8), of_lines(CODE, 8, 9)]),
    "indented code stays indented": (17, {}, "    " + "\n    ".join(CODE),
        ["    " + "\n    ".join(CODE[:5]), "    " + "\n    ".join(CODE[5:])]),
    "code in an item in a quote keeps all markers": (24, {},
        of_lines(QUOTED, 0, 7, "> - ```py", ">   ```"),
        [of_lines(QUOTED, first, first + 3, "> - ```py", ">   ```") for first in (0, 3, 6)]),
    "math is closed in each piece, and keeps its label": (17, {},
        of_lines(CODE, 0, 9, "$$", "$$ (1)"), [of_lines(CODE, 0, 5, "$$", "$$"),
        of_lines(CODE, 5, 9, "$$", "$$ (1)")]),
    "math in one line is cut between words": (16, {}, f"$$ {some(20)} $$", [f"$$ {some(14)}\n$$",
        "$$\nw14 w15 w16 w17 w18 w19 $$"]),
    "a closing fence that is indented comes after some code": (22, {"encoding": letters},
        "```\naaaaaaaa bbbb \n   ```", ["```\naaaaaaaa\n```", "```\nbbbb \n   ```"]),
    "an item keeps its markers, its number and its quote": (16, {},
        f"12.  one\n\n     * > {said(3)}", [f"12.  one\n\n     * > {said(2)}",
        "12.  * > Sentence2 w0 w1 w2 w3."]),
    "a long marker is not repeated": (16, {}, f"{'- ' * 9}{said(2)}",
        [f"{'- ' * 9}Sentence0 w0 w1 w2 w3.", "- - - - - - - - Sentence1 w0 w1 w2 w3."]),
    "a footnote repeats its label": (16, {}, f"[^1]: {said(6)}\n\nSee[^1].", [f"[^1]: {said(3)}",
        "[^1]: Sentence3 w0 w1 w2 w3. Sentence4 w0 w1 w2 w3. Sentence5 w0 w1 w2 w3.", "See[^1]."]),
    "a container repeats its opening and closing": (17, {},
        f"::: note\n{said(3)}\n\n{said(1)}\n:::", [f"::: note\n{said(2)}\n:::",
        f"::: note\nSentence2 w0 w1 w2 w3.\n\n{said(1)}\n:::"]),
    "a container's opening of half the cap is not repeated": (16, {},
        f"::: {some(12)}\n{said(3)}\n:::", [f"::: {some(12)}\nSentence0 w0 w1",
        "w2 w3. Sentence1 w0 w1 w2 w3. Sentence2 w0 w1 w2 w3.\n:::"]),
    "a table without outer pipes gets a line below its marker": (16, {},
        "1. > a | b\n   > --|--\n" + "\n".join(["   > c | d"] * 4),
        ["1. > a | b\n   > --|--\n   > c | d\n   > c | d",
        "1. >\n   > a | b\n   > --|--\n   > c | d\n   > c | d"]),
    "indentation after a repeated marker does not widen it": (24, {},
        f"+    {some(20)}\n\n        0.006 and more\n            o o\n\n              x",
        [f"+    {some(20)}", "+    0.006 and more\n            o o\n\n              x"]),
    "code above the cap is kept whole if asked for": (16, {"oversize_code": "keep"},
        of_lines(CODE, 0, 9, "Intro.\n\n```", "```\n\nOutro."), ["Intro.",
        of_lines(CODE, 0, 9, "```", "```"), "Outro."]),
    "an intro stays with the first item and is not repeated": (20, {},
        f"{some(8)}\n\nThe device shall:\n\n- {some(6)}\n- {some(6)}\n- {some(6)}",
        [f"{some(8)}\n\nThe device shall:\n\n- {some(6)}", f"- {some(6)}\n- {some(6)}"]),
    "an intro stays with the beginning of an item that is cut": (20, {},
        f"{some(8)}\n\n设备应：\n\n- {some(30)}", [some(8), f"设备应：\n\n- {some(18)}",
        f"设备应：\n\n- {some(30)[len(some(18)) + 1 :]}"]),
    "an overlap is whole sentences": (16, {"overlap_tokens": 6}, f"# H\n\n{said(3)}",
        [f"# H\n\n{said(2)}", "Sentence1 w0 w1 w2 w3. Sentence2 w0 w1 w2 w3."]),
    "a sentence longer than the overlap is not repeated": (20, {"overlap_tokens": 5}, said(3, 9),
        [said(2, 9), "Sentence2 w0 w1 w2 w3 w4 w5 w6 w7."]),
    "a sentence that fits is not cut to leave room for an overlap": (16, {"overlap_tokens": 6},
        f"{said(1, 14)} {said(1, 15)} {said(1, 14)}", [said(1, 14), said(1, 15), said(1, 14)]),
    "an overlap is whole items": (20, {"overlap_tokens": 5}, of_lines(ITEMS, 0, 6),
        [of_lines(ITEMS, 0, 4), of_lines(ITEMS, 3, 6)]),
    "an overlap may end above a separator": (20, {"overlap_tokens": 5, "overlap_separator": "---"},
        of_lines(ITEMS, 0, 6), [of_lines(ITEMS, 0, 4),
        f"{ITEMS[3]}\n\n---\n\n{of_lines(ITEMS, 4, 6)}"]),
    "an overlap in a table is whole rows below its header": (24,
        {"overlap_tokens": 5, "overlap_separator": "---"},
        of_lines(ROWS, 0, 5, "| key | val |\n|---|---|"),
        [of_lines(ROWS, first, first + 3, "| key | val |\n|---|---|") for first in (0, 2)]),
    "an overlap in code is whole lines inside the fence": (17, {"overlap_tokens": 4},
        of_lines(CODE, 0, 8, "```py", "```"), [of_lines(CODE, 0, 5, "```py", "```"),
        of_lines(CODE, 4, 8, "```py", "```")]),
    "an overlap does not cut code": (20, {"overlap_tokens": 5},
        f"{said(2)}\n\n```\nline a b\nline c d e\nline f g\n```\n\n{said(3)}", [said(2),
        "Sentence1 w0 w1 w2 w3.\n\n```\nline a b\nline c d e\nline f g\n```", said(3)]),
    "an overlap does not cross a heading": (16, {"overlap_tokens": 4},
        f"# A\n\n{some(12, 'a')}.\n\n## B\n\nb.\n\n## C\n\n{some(12, 'c')}.",
        [f"# A\n\n{some(12, 'a')}.", "## B\n\nb.", f"## C\n\n{some(12, 'c')}."]),
    "an overlap in a quote may be whole lines": (18, {"overlap_tokens": 4},
        "> " + "\n> ".join(CODE[:6]),
        ["> " + "\n> ".join(CODE[:4]), "> " + "\n> ".join(CODE[3:6])]),
    "an overlap in a container comes after its opening": (26,
        {"overlap_tokens": 5, "markup": "markdown"}, f"!!! note\n    {said(5)}",
        [f"!!! note\n    {said(4)}",
        "!!! note\n    Sentence3 w0 w1 w2 w3. Sentence4 w0 w1 w2 w3."]),
    "an overlap above a separator comes before the opening": (26,
        {"overlap_tokens": 5, "overlap_separator": "---"}, f"::: note\n{said(5)}\n:::",
        [f"::: note\n{said(4)}\n:::",
        "Sentence3 w0 w1 w2 w3.\n\n---\n\n::: note\nSentence4 w0 w1 w2 w3.\n:::"]),
}  # fmt: skip


@pytest.mark.parametrize("rule", PIECES)
def test_a_block_is_cut_into_these_pieces(rule: str) -> None:
    cap, limits, text, expected = PIECES[rule]
    chunks = packed(f"{text}\n", cap, **limits)
    assert texts(chunks) == expected
    assert faults(chunks) == []
    assert [chunk.index for chunk in chunks if chunk.oversize] == [1] * ("keep" in limits.values())


class Clauses:
    """A sentence splitter by semicolons."""

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where each clause begins and ends."""
        return [match.span() for match in re.finditer(r"[^;]+(?:;\s*|\Z)", text)]


@pytest.mark.parametrize("mark", ["+", "-", "#", "12.", "3)", ">x", "```", "~~~", "$$x", "<p>"])
@pytest.mark.parametrize("before", ["", "- "])
def test_an_overlap_does_not_begin_with_a_word_that_becomes_markup(mark: str, before: str) -> None:
    def second(word: str) -> str:
        text = f"{before}a b c; a b c; {word} b c; d e f g h i j;\n"
        return packed(text, 14, overlap_tokens=4, sentence_splitter=Clauses())[1].text

    assert second("x") == f"{before}x b c; d e f g h i j;"
    assert second(mark) == f"{before}d e f g h i j;"


@pytest.mark.parametrize("mark", ["```", "~~~~"])
@pytest.mark.parametrize("before", ["", "Some text.\n\n", "# A heading of words\n\n"])
def test_an_opening_fence_is_never_alone_before_a_long_word(mark: str, before: str) -> None:
    word = "-".join(f"p{n}" for n in range(12))
    chunks = packed(f"{before}{mark}\n{word}\n{mark}\n", 20, encoding="cl100k_base")
    assert len(chunks) > 1
    assert all(mark not in text or "p" in text.split(mark)[1] for text in texts(chunks))


def test_an_intro_stays_with_the_first_item_whatever_comes_before() -> None:
    """At a chunk's end, it would introduce nothing."""
    items = "\n".join(f"- item{n} {some(5)}" for n in range(12))
    for size in range(1, 40):
        whole = "\n\n".join(texts(packed(f"{some(size)}\n\nIt shall:\n\n{items}\n", 40)))
        assert whole.count("It shall:") == whole.count("It shall:\n\n- item")
        assert whole.count("It shall:\n\n- item0 ") == 1


# -------------------------------------------------------------------- nesting


def items_of(count: int, marker: str = "- ", size: int = 6) -> str:
    return "\n".join(f"{marker.format(n=n)}item{n} {some(size - 1)}" for n in range(1, count + 1))


SHORT, LONG = f"{some(5)}", f"{some(12)}"
LISTS: dict[str, str] = {
    "bullets": items_of(12),
    "numbers": items_of(12, "{n}. "),
    "numbers-from-nine": "\n".join(f"{n}) item{n} {SHORT}" for n in range(9, 21)),
    "loose": items_of(12, "{n}. ").replace("\n", "\n\n"),
    "tasks": items_of(6, "- [] ") + "\n" + items_of(6, "- [x] ").replace("item", "item1"),
    "nested": "\n".join(f"{'  ' * (n % 3)}- item{n} {SHORT}" for n in range(18)),
    "numbers-in-bullets":
        "\n".join(f"- item{n}0 a\n\n  {n}. item{n}1 {SHORT}\n  {n + 1}. item{n}2 {SHORT}"
        for n in range(1, 6)),
    "paragraphs-in-items":
        "\n\n".join(f"{n}. item{n}1 {SHORT}\n\n   item{n}2 {LONG}\n\n   item{n}3 {LONG}"
        for n in range(1, 4)),
    "code-in-items":
        "\n\n".join(f"- item{n}1\n\n  ```sh\n  item{n}2 {SHORT}\n  item{n}3 {SHORT}\n  ```"
        for n in range(1, 6)),
    "a-quote-in-items": "\n\n".join(f"- item{n}1\n\n  > item{n}2 {LONG}\n  >\n  > item{n}3 {LONG}"
        for n in range(1, 4)),
    "in-a-quote": "\n".join(f"> {line}" for line in items_of(12, "{n}. ").split("\n")),
    "quotes": "\n".join(f">{' ' * (n % 4 + 1)}item{n} {SHORT}." for n in range(9)),
    "a-quoted-item": f"> - item0\n>\n>   item1 {LONG}\n>   item2 {LONG}",
    "bullets-in-numbers": f"12. item0\n\n    * item1 {LONG}\n      item2 {LONG}",
    "a-quote-in-an-item": f"- > item0 {LONG}\n  > item1 {LONG}",
    "deep": "\n".join(f"{'   ' * n}1. item{n} {SHORT}" for n in range(6)),
    "tabs": "\n".join(f"-\titem{n}1 {SHORT}\n\n\titem{n}2 {SHORT}\n" for n in range(1, 6)),
    "wide": "\n".join(f"-    item{n}1 {SHORT}\n\n     item{n}2 {SHORT}\n" for n in range(1, 6)),
    "code-by-tabs": "item0\n\n" + "".join(f"\titem{n} {SHORT}\n" for n in range(1, 24)),
    "code-with-gaps": "item0\n\n" + "\n\n".join(f"      item{n} {SHORT}" for n in range(1, 24)),
    "a-table": "3. item0\n\n   | a | b |\n   |---|---|" + "\n   | item1 | v |" * 12,
}  # fmt: skip


def nesting_of_words(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each word like ``item7`` with the constructs around it, as markdown-it sees them."""
    path: list[str] = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.nesting > 0 and token.type in ("list_item_open", "blockquote_open"):
            path.append(f"{token.type} {token.info}{token.markup}")
        elif token.nesting < 0 and token.type in ("list_item_close", "blockquote_close"):
            path.pop()
        elif token.type in ("inline", "fence", "code_block"):
            for word in re.findall(r"item\d+", token.content):
                yield word, (*path, token.type)


@pytest.mark.parametrize("cap", [16, 24, 40])
@pytest.mark.parametrize("kind", LISTS)
def test_each_piece_parses_with_the_nesting_of_the_whole(kind: str, cap: int) -> None:
    whole = dict(nesting_of_words(LISTS[kind]))
    chunks: Chunks = packed(f"{LISTS[kind]}\n", cap)
    assert len(chunks) > 1 or cap == 40
    found = [pair for chunk in chunks for pair in nesting_of_words(chunk.text)]
    assert dict(found) == whole
    assert [pair for pair in found if whole[pair[0]] != pair[1]] == []
    if ">\n" not in LISTS[kind]:  # a quote's marker stays with the text of its line
        assert not [chunk.text for chunk in chunks if chunk.text.endswith(">")]
    assert faults(chunks) == []


RARE: dict[str, tuple[int, dict[str, Any], str]] = {
    "an intro and a long item below a crumb": (18, {"min_tokens": 8},
        f"Crumb.\n\n# A\n\nThe device shall:\n\n- {some(30)}\n- x\n"),
    "an intro and a long item above the cap below a crumb": (16, {"min_tokens": 8},
        f"Crumb.\n\n# A\n\n{some(3)}:\n\n- {some(12)}\n- {some(12)}\n"),
    "headings alone before a section that is cut": (16, {}, f"# A\n\n# B\n\n# C\n\n{some(40)}\n"),
    "headings alone before one that fits no chunk with them": (16, {},
        f"# A {some(6)}\n\n## B\n\n# {some(9)}\n\n## C\n\n{some(40)}\n"),
    "a crumb before a section without text of its own": (16, {"min_tokens": 8},
        f"Crumb.\n\n# A\n\n## B\n\n{some(40)}\n"),
    "items without text": (16, {}, "- \n" * 40),
    "lines laid out in columns": (16, {"markup": "plain"},
        "Ada     12    on\nBob     7     off\n" * 9),
    "a row of HTML without cells": (16, {},
        f"<table>\n<tr><td>a</td></tr>\n<tr>{some(30)}</tr>\n</table>\n"),
    "text after a table in HTML": (16, {"overlap_tokens": 4},
        f"<table><tr><td>a</td></tr></table> and\nmore {some(20)}\n\n{said(4)}\n"),
    "a tag over two lines": (16, {}, "<div>\n" + f"<a\nhref='x'>{some(5)}</a>\n" * 9 + "</div>\n"),
    "no-break spaces": (16, {}, said(9).replace(" ", "\u00a0") + f"\n\n{said(9)}\n"),
    "a table below a quoted item": (16, {}, f"> - a | b\n>   --|--\n>   {some(9)} | {some(9)}\n"),
}  # fmt: skip


@pytest.mark.parametrize("kind", RARE)
def test_a_rare_document_keeps_the_laws(kind: str) -> None:
    cap, limits, text = RARE[kind]
    chunks = packed(text, cap, **limits)
    assert len(chunks) > 1
    assert faults(chunks) == []

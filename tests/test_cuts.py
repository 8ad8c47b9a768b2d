"""Law 9 for long text: where a text without headings and blank lines is cut, at each level.

Each class of text is compared with expected lines and checked by the audit. If the packer is broken
on purpose, the audit must report it.
"""

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import pytest
from by_eye import some
from by_eye import words as count
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from treepack import Chunk, PackConfig, Source, audit, pack
from treepack.packing.pieces import Piece
from treepack.packing.split import words
from treepack.packing.split.html_text import before_markup, element_starts, mask_markup
from treepack.packing.split.text import TextCutter

CAP = 128
CONFIG = PackConfig(max_tokens=CAP, target_tokens=CAP)
PROSE = "The valve shall be checked before each shift by its operator. "
WRAPPED = "The operator of the valve shall check\nthe pressure before each shift. "
HTML_PROSE = (
    'The <b>valve</b> shall be <a href="http://a.b/c?d=e. F&g" title="Do it. Then go">checked</a> '
    "before each <i>shift</i>. "
)
NO_SENTENCES = "the valve &nbsp;&amp; <a href=\"x y z\" title='a b c'>pump</a> and "

HTML_TABLE = "<table><tr><th>k</th><th>v</th></tr><tr><td>a</td><td>{}</td></tr></table>"

NAMES = [f"Barbara Liskov {number}" for number in range(120)]
SENTENCE = r"(?:shift|operator)\.|shift</i>\."
NAME = r"Liskov \d+"
CELL = rf"{SENTENCE} ?(?:</p>|)</td></tr>\n</table>"

TEXT_CLASSES: dict[str, tuple[str, str]] = {
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
    "HTML with inline tags": (f"<p>{HTML_PROSE * 40}</p>", SENTENCE),
    "HTML without line ends": (
        "<div><h2>Title</h2>"
        + "".join(f"<p>{PROSE * (n % 4 + 1)}</p>" for n in range(30))
        + "</div>",
        rf"{SENTENCE} </p>",
    ),
    "HTML list": (f"<ul>{''.join(f'<li>{name}</li>' for name in NAMES)}</ul>", f"{NAME}</li>"),
    "HTML breaks": (f"<p>{'<br />'.join(NAMES)}</p>", f"{NAME}<br />"),
    "HTML lines": ("<div>\n" + "\n".join(NAMES) + "\n</div>", NAME),
    "HTML code": (
        "<pre>\n" + "\n".join(f"  Log. {name}. The end" for name in NAMES) + "\n</pre>",
        rf"{NAME}\. The end",
    ),
    "HTML without sentences": (
        f"<p>{NO_SENTENCES * 60}</p>",
        r"(?:the|valve|and|&amp;|pump</a>)",
    ),
    "a long cell": (f"| k | v |\n|---|---|\n| a | {PROSE * 40} |", rf"{SENTENCE} \|"),
    "a long cell of HTML": (
        HTML_TABLE.format(PROSE * 40),
        CELL,
    ),
    "paragraphs in a cell of HTML": (
        HTML_TABLE.format(f"<p>{PROSE}</p>" * 40),
        CELL,
    ),
}


def chunks_of(text: str) -> list[Chunk]:
    """The chunks of a text under a heading."""
    return list(pack(Source(f"# T\n\n{text}\n", "d.md"), CONFIG))


def findings_of(text: str) -> list[str]:
    """The audit's findings for the chunks of a text under a heading."""
    report = audit(f"# T\n\n{text}\n", chunks_of(text), name="d.md", max_tokens=CAP)
    return [str(finding) for finding in report.findings]


@pytest.mark.parametrize("name", TEXT_CLASSES)
def test_a_long_text_is_cut_at_the_highest_possible_level(name: str) -> None:
    text, end = TEXT_CLASSES[name]
    chunks = chunks_of(text)
    assert len(chunks) > 3, "too few chunks to test the cuts"
    assert [c.text[-40:] for c in chunks[:-1] if not re.search(f"{end}\\Z", c.text)] == []
    assert findings_of(text) == []


def test_a_line_that_fits_is_never_cut_even_if_its_sentence_is_too_long() -> None:
    """This also holds between target and cap, and beside lines that fit no chunk."""
    lines = [
        " ".join(f"{word}{n}" for word in ("Ada", "Bob", "Cyd") * (n % 9 + 1)) for n in range(60)
    ]
    text = "\n".join(lines)
    config = PackConfig(max_tokens=100, target_tokens=24, min_tokens=0)
    for chunk in pack(Source(text, ""), config):
        assert set(chunk.text.split("\n")) <= set(lines)


def test_an_overlap_begins_with_a_line_if_there_are_no_sentences() -> None:
    config = PackConfig(max_tokens=CAP, target_tokens=100, overlap_tokens=20)
    for chunk in pack(Source("  \n".join(NAMES), ""), config):
        assert chunk.text.startswith("Barbara")


# -------------------------------------------------------------------- the audit requires the same

MUTANTS: dict[str, tuple[str, str, str]] = {
    # What is broken: the method of the cutter, the class of text, what the audit must report.
    "lines": ("_text_lines", "lines", "a line of"),
    "sentences": ("sentences", "prose", "a sentence of"),
    "elements": ("html", "HTML list", "element of"),
    "sentences of HTML": ("_html_sentences", "HTML in one line", "a sentence of"),
    "lines of HTML": ("_html_lines", "HTML lines", "a line of"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_the_audit_finds_a_packer_that_cuts_at_words(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    method, text, reason = MUTANTS[name]

    def by_words(cutter: TextCutter, piece: Piece) -> list[Piece]:
        return cutter.words(piece)

    monkeypatch.setattr(TextCutter, method, by_words)
    found = findings_of(TEXT_CLASSES[text][0])
    assert any(re.search(reason, finding) and "law 9" in finding for finding in found), found[:3]


def test_the_audit_finds_a_cut_inside_a_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    def unmoved(_text: str, _begin: int, offset: int) -> int:
        return offset

    monkeypatch.setattr(words, "before_markup", unmoved)
    monkeypatch.setattr(words, "mask_markup", str)
    found = findings_of(f"<p>{NO_SENTENCES * 60}</p>")
    assert any("a tag of" in finding for finding in found), found[:3]


@pytest.mark.parametrize("closing", ["", "-->"])
def test_tags_in_a_comment_are_not_elements(closing: str) -> None:
    """A comment is cut as text, so a cut may fall inside what would be an element elsewhere."""
    text = "<!--\n" + "\n".join(f"<li class='a b c'>\n{{{{ name {n} }}}}\n</li>" for n in range(60))
    assert len(chunks_of(f"{text}{closing}")) > 3
    assert findings_of(f"{text}{closing}") == []


# -------------------------------------------------------------------- HTML, its parts

HTML_PIECES = st.sampled_from(
    ("<p>", "</p>", "<li>", "</li>", "<br>", "<div class='a b'>", "</div>", "<b>", "</b>", "a. B",
     " word ", "Done. ", "&amp;", "<img src='x. Y' alt=\"a > b\">", "<pre>", "</pre>", "<", "&",
     "<!-- c. D -->", "\n", "<https://a.b>", "<A/>", "<Tab>", "</Tab>", ">", "é\u0301", "漢字。")
)  # fmt: skip
HTML_TEXTS = st.lists(HTML_PIECES, max_size=60).map("".join)
html_settings = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
TAG = re.compile(r"</?[A-Za-z][^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*>")


@html_settings
@given(text=HTML_TEXTS)
def test_html_elements_never_start_inside_a_tag(text: str) -> None:
    starts = element_starts(text)
    assert starts == sorted(set(starts))
    inside = {offset for tag in TAG.finditer(text) for offset in range(tag.start() + 1, tag.end())}
    for start in starts:
        assert text[:start].strip()
        assert not text[start].isspace()
        assert start not in inside


@html_settings
@given(text=HTML_TEXTS)
def test_mask_markup_keeps_the_length_and_hides_punctuation_in_tags(text: str) -> None:
    hidden = mask_markup(text)
    assert len(hidden) == len(text)
    for tag in TAG.finditer(text):
        within = hidden[tag.start() + 1 : tag.end() - 1]
        assert not re.search(r"[\s.!?\"']", within)


@html_settings
@given(text=HTML_TEXTS, offsets=st.tuples(st.integers(0, 300), st.integers(0, 300)))
def test_before_markup_moves_an_offset_out_of_its_tag(text: str, offsets: tuple[int, int]) -> None:
    begin, offset = sorted(min(each, len(text)) for each in offsets)
    found = before_markup(text, begin, offset)
    assert found == offset or begin < found < offset
    for tag in TAG.finditer(text, begin + 1):
        assert not tag.start() < found < tag.end() or "<" in tag[0][1:]


@html_settings
@given(text=HTML_TEXTS.map(lambda text: f"<div>{text}"), cap=st.sampled_from((24, 48, 96)))
@example(text="<div>" + "<img src='a b c d e f g h'>" * 30, cap=24)
def test_html_is_never_cut_inside_a_tag_that_fits(text: str, cap: int) -> None:
    config = PackConfig(max_tokens=cap, target_tokens=cap // 2, min_tokens=0)
    spans = [
        segment.span
        for chunk in pack(Source(text, ""), config)
        for segment in chunk.segments
        if segment.role == "body" and segment.span
    ]
    cuts = [(left[1], right[0]) for left, right in pairwise(spans)]
    for tag in TAG.finditer(text):
        if len(tag[0]) <= cap // 2 and "<" not in tag[0][1:]:
            assert not [cut for cut in cuts if tag.start() < cut[0] and cut[1] < tag.end()]


def test_a_quote_marker_on_its_own_line_below_html_passes_the_audit() -> None:
    row = '<tr><td>:emoji: measurement.</td><td>822</td><td rowspan="2">383</td></tr>'
    text = f"> > {row}\r\n> \r\n"
    for cap in range(16, 30):
        chunks = pack(
            Source(text, "d.md"), PackConfig(max_tokens=cap, target_tokens=cap, min_tokens=0)
        )
        assert audit(text, chunks, name="d.md", max_tokens=cap).ok


@pytest.mark.parametrize("cap", [16, 32])
def test_a_space_is_not_separated_from_its_combining_mark(cap: int) -> None:
    text = " \u0670" * 200
    chunks = pack(text, PackConfig(max_tokens=cap))
    assert len(chunks) > 5
    assert {chunk.text[:2] for chunk in chunks} == {" \u0670"}
    assert not audit(text, chunks, max_tokens=cap).findings


@pytest.mark.parametrize("marker", ["- ", "+  ", "1. ", "> - "])
def test_only_the_first_word_of_an_item_below_a_heading_may_be_cut(marker: str) -> None:
    """A heading shares its chunk with the first text below it, even if that is a part of a word."""
    item = f"{marker}`PUMP_PRESSURE_LIMIT_SIZE` {some(40)}\n"
    text = f'### Limits<a name="{"x7" * 9}"></a>\n{item}'
    chunks = pack(Source(text, "d.md"), PackConfig(max_tokens=32, target_tokens=16, min_tokens=8))
    assert re.search(r"`PUMP\w*\Z", chunks[0].text)
    assert chunks.audit().findings == ()
    short = f"### Limits\n{item}"
    cut = short.index("URE_LIMIT")
    report = audit(short, [short[:cut], short[cut:]], max_tokens=24)
    assert any("a word of" in finding.reason for finding in report.findings)


def laws_broken(
    source: Source,
    cap: int,
    audited: int,
    *,
    target: int | None = None,
    encoding: str | Callable[[str], int] = "cl100k_base",
) -> set[int]:
    """The laws that chunks of at most ``cap`` tokens break if they are audited with another cap."""
    chunks = pack(
        source, max_tokens=cap, target_tokens=target or cap, min_tokens=0, encoding=encoding
    )
    report = audit(source, chunks, max_tokens=audited, encoding=encoding)
    return {finding.law for finding in report.findings}


def test_a_container_title_and_the_blank_line_below_stay_with_the_first_paragraph() -> None:
    """They take room, so a paragraph that fits only without them may be cut."""
    markers = "> > > > "
    lines = ["6) What it needs;", '   ??? tip "T"', "", *(f"       {PROSE}" for _ in range(6))]
    quote = "".join(f"{markers}{line}\n" for line in lines)
    source = Source(f"## Valves and pumps\n{quote}", "a.md")

    laws = partial(laws_broken, source, target=32)
    assert not any(laws(cap, cap) for cap in range(120, 150))
    assert laws(120, 160) == {9}


def test_a_heading_is_separated_from_a_quoted_container_before_a_tag_is_cut() -> None:
    """The same holds outside a quote; in a quote, the audit once required the heading to stay."""
    title = f"# {some(8)}"
    text = f"{title}\n> > !!! warning\n> >     <!-- {some(24)} -->\n"
    limits = PackConfig(max_tokens=40, target_tokens=40, min_tokens=0, encoding=count)
    chunks = pack(Source(text), limits)
    assert [chunk.text for chunk in chunks] == [title, text[len(title) + 1 : -1]]
    assert chunks.audit().findings == ()
    found = audit(text, chunks, max_tokens=60, encoding=count).findings
    assert {finding.law for finding in found} == {8, 9}


@pytest.mark.parametrize(
    "rows",
    [
        ["<tr><td rowspan=2>a</td><td>{0}</td></tr>", "<tr><td>{0}</td></tr>"],
        ["<tr><td>{0}</td></tr>", "<tr><td>{0} {0}</td></tr>"],
    ],
)
def test_the_closing_tags_of_a_table_stay_with_its_last_rows(rows: list[str]) -> None:
    """The closing in the source may take more room than the closing of the earlier pieces."""
    above = ["<table>", "<thead>", "<tr><th>key</th></tr>", "</thead>", "<tbody>"]
    below = ["</tbody>", "<!-- here ends the table with all of its rows -->", "</table>", "", ""]
    lines = [*above, *(row.format(some(20)) for row in rows), *below]
    source = Source("".join(f"> {line}\n" for line in lines))

    laws = partial(laws_broken, source, encoding=count)
    assert not any(laws(cap, cap) for cap in range(60, 90))
    assert laws(60, 120) == {9}


@pytest.mark.parametrize("space", ["\u2028", "\x85", "\x0b", "\u3000"])
def test_a_quoted_line_of_unusual_whitespace_is_never_a_chunk(space: str) -> None:
    """The quote marker of the next line was once taken for its text."""
    text = f"::: note\n> - {some(9)}\\\n>   {space}\n>   {some(9, 'v')}\n"
    chunks = pack(Source(text), max_tokens=32, target_tokens=12, min_tokens=0)
    assert len(chunks) > 1
    assert all(chunk.lexical_text.strip(" >-") for chunk in chunks)
    assert chunks.audit().findings == ()


def test_the_first_word_of_a_nested_heading_stays_with_its_markers_and_parent_heading() -> None:
    """If these leave too little room, the word is cut, and the audit must accept the cut."""
    above = f'## <a name="{some(16)}"></a> Title'
    source = Source(f"{above}\n- # {'x' * 12}\n")

    laws = partial(laws_broken, source, encoding=len)
    needed = len(source.text)
    assert not any(laws(cap, cap) for cap in range(needed - 12, needed))
    assert laws(needed - 5, needed + 40) == {9}


@pytest.mark.parametrize("markers", ["", "> "])
def test_the_first_word_of_code_stays_with_its_fence_and_heading(markers: str) -> None:
    """If these leave too little room, a first word that is unusually long is cut."""
    lines = ["```py", f"call({'x' * 60})", "y", "```"]
    code = "".join(f"{markers}{line}\n" for line in lines)
    source = Source(f'## <a name="{some(8)}"></a> Title\n\n{code}')

    laws = partial(laws_broken, source, encoding=len)
    assert not any(laws(cap, cap) for cap in range(90, 125))
    assert laws(96, 156) == {9}


def test_the_label_after_a_closing_math_marker_stays_with_the_last_line() -> None:
    math = f"$$\n{some(20)}\n{some(20, 'v')}\n$$ ({some(12)})\n"
    source = Source(f"# Title\n\n{math}")

    laws = partial(laws_broken, source, encoding=count)
    assert not any(laws(cap, cap) for cap in range(24, 56))
    assert laws(24, 60) == {9}


def test_spaces_between_quote_markers_count_towards_the_cap() -> None:
    """Spaces between quote markers take room, and a chunk's first line keeps them."""
    markers = "    >  >  >    "
    quote = "".join(f"{markers}{line}\n" for line in [*["The pump runs"] * 6, "", "and so on"])
    source = Source(f'??? "T"\n    >{PROSE * 2}\n{quote}')

    laws = partial(laws_broken, source, target=24)
    assert not any(laws(cap, cap) for cap in range(40, 110))
    assert laws(50, 100) == {9}

"""Law 9 for long text: where a text without headings and blank lines is cut, at each level.

Each class of text is compared with expected lines and checked by the audit. If the packer is broken
on purpose, the audit must report it.
"""

import re
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from treepack import Chunk, PackConfig, Source, audit, pack
from treepack.packing.pieces import Piece
from treepack.packing.split import words
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
    report = audit(f"# T\n\n{text}\n", chunks_of(text), PackConfig(max_tokens=CAP), name="d.md")
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
    "lines": ("_sentence_lines", "lines", "a line of"),
    "sentences": ("sentences", "prose", "a sentence of"),
    "sentences of HTML": ("sentences", "HTML in one line", "a sentence of"),
    "lines of HTML": ("_sentence_lines", "HTML lines", "a line of"),
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
    def nowhere(_text: str, _begin: int, _offset: int) -> None:
        return None

    monkeypatch.setattr(words, "markup_around", nowhere)
    found = findings_of(f"<p>{NO_SENTENCES * 60}</p>")
    assert any("a tag of" in finding for finding in found), found[:3]


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


@pytest.mark.parametrize("cap", [16, 32])
def test_a_space_is_not_separated_from_its_combining_mark(cap: int) -> None:
    text = " \u0670" * 200
    chunks = pack(text, PackConfig(max_tokens=cap))
    assert len(chunks) > 5
    assert {chunk.text[:2] for chunk in chunks} == {" \u0670"}
    assert not audit(text, chunks, PackConfig(max_tokens=cap)).findings

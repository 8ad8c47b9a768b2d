"""How packing cuts text, lists, code and containers, and what each piece opens and closes again.

Tokens are words here, unless a test says otherwise, so that every limit can be counted in the text.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from by_eye import faults, letters, packed, roles, some, texts
from case_files import case_file, joined
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from treepack import PackConfig, Source, audit, pack

# -------------------------------------------------------------------- law 9 in long text

CAP = 128
LONG_TEXTS: dict[str, tuple[str, str]] = {  # the text, and how each chunk but the last ends
    name: (joined(text), end) for name, (text, end) in case_file("packing/long_texts.json").items()
}


@pytest.mark.parametrize("name", LONG_TEXTS)
def test_a_long_text_is_cut_at_the_highest_possible_level(name: str) -> None:
    text, end = LONG_TEXTS[name]
    chunks = pack(Source(f"# T\n\n{text}\n", "d.md"), max_tokens=CAP, target_tokens=CAP)
    assert len(chunks) > 3, "too few chunks to test the cuts"
    assert [c.text[-40:] for c in chunks[:-1] if not re.search(f"{end}\\Z", c.text)] == []
    assert faults(chunks) == []


@pytest.mark.parametrize(("name", "cut", "unit"), case_file("packing/wrong_cuts.json"))
def test_the_audit_finds_a_cut_below_that_level(name: str, cut: str, unit: str) -> None:
    """These are slices as another splitter makes them, cut inside a unit that fits."""
    text = LONG_TEXTS[name][0]
    places = [text.index(cut, at) + len(cut) for at in range(300, len(text) - 300, 300)]
    slices = [text[a:b] for a, b in pairwise([0, *places, len(text)])]
    found = audit(text, slices, PackConfig(max_tokens=CAP)).findings
    assert any(each.law == 9 and f"a {unit} of" in str(each) for each in found)


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


HTML_PIECES = st.sampled_from(case_file("packing/html_pieces.json"))
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


# -------------------------------------------------------------------- pieces

DUTIES = [f"item{n} {some(5)}" for n in range(12)]
SHALL = "The device shall:"
INTROS: dict[str, tuple[str, str]] = {  # the text, and how each piece but the first begins
    name: (joined(text), begin) for name, (text, begin) in case_file("packing/intros.json").items()
}


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
    items = "\n".join(f"- {item}" for item in DUTIES)
    for size in range(1, 40):
        whole = "\n\n".join(texts(packed(f"{some(size)}\n\nIt shall:\n\n{items}\n", 40)))
        assert whole.count("It shall:") == whole.count("It shall:\n\n- item")
        assert whole.count("It shall:\n\n- item0 ") == 1


# -------------------------------------------------------------------- nesting


LISTS = {name: joined(text) for name, text in case_file("packing/lists.json").items()}


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
    chunks = packed(f"{LISTS[kind]}\n", cap)
    assert len(chunks) > 1 or cap == 40
    found = [pair for chunk in chunks for pair in nesting_of_words(chunk.text)]
    assert dict(found) == whole
    assert [pair for pair in found if whole[pair[0]] != pair[1]] == []
    if ">\n" not in LISTS[kind]:  # a quote's marker stays with the text of its line
        assert not [chunk.text for chunk in chunks if chunk.text.endswith(">")]
    assert faults(chunks) == []

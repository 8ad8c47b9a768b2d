"""The report page of one packing: what it shows, and why each cut was made."""

import re
import subprocess
import sys
from html import unescape

import pytest
from pages import Page
from report_pages import MANUAL, TIGHT, html_of, page_of, visible_text

import treepack
from treepack import Chunks, MissingExtraError, PackConfig, Source, SourceError
from treepack.clauses.clause import NO_CLAUSES
from treepack.laws.reading import Reading
from treepack.report_page import render
from treepack.report_page.cuts import beginning, cuts
from treepack.report_page.packing import packed


def drawn_tables(html: str) -> list[list[list[str]]]:
    """Return the cells of the tables that are drawn in chunks, by table and row."""
    drawn = re.findall(r'<div class="wide drawn[^"]*"><table>(.*?)</table>', html, re.DOTALL)
    rows = [re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL) for table in drawn]
    cell = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.DOTALL)
    return [[[unescape(each) for each in cell.findall(row)] for row in table] for table in rows]


# -------------------------------------------------------------------- what it shows


def test_the_page_shows_every_chunk_and_all_of_the_source() -> None:
    """The page claims to show where the source was cut, so no part of it may be missing."""
    page = page_of(MANUAL, TIGHT)
    chunks = treepack.pack(MANUAL, TIGHT, name="manual.md")
    assert [f"a{chunk.index}" for chunk in chunks] == page.sections
    assert [chunk.lexical_text for chunk in chunks] == list(page.own.values())
    shown = visible_text("".join(page.own.values()))
    assert visible_text(MANUAL[MANUAL.index("# Pump") :]) == shown


def test_text_outside_all_chunks_is_shown_with_its_reason() -> None:
    page = page_of(MANUAL)
    assert "In no chunk: front matter" in page.text
    assert "product: P100" in page.text


def test_each_chunk_shows_its_location_and_what_it_contains() -> None:
    marked = Source(MANUAL, "manual.md", page_marks=((0, 1), (MANUAL.index("## 2"), 2)))
    page = Page(render(packed(marked, TIGHT)))
    for words in (
        "Pump manual › 2 Limits › 2.1 Pressure",
        "page 2",
        "lines 4–",
        " of 6, piece 1 of ",
        "Table 1: Limits of the pump",
        "clauses",
        "1 reference",
        "code",
    ):
        assert words in page.text, words


def test_path_and_overlap_are_counted_beside_the_text() -> None:
    config = TIGHT.model_copy(update={"overlap_tokens": 10})
    page = page_of(MANUAL, config)
    for chunk in treepack.pack(MANUAL, config, name="manual.md"):
        path = chunk.embed_token_count - chunk.token_count
        assert f"{chunk.embed_token_count} tokens" in page.text
        assert not path or f"path of {path} token" in page.text
        assert not chunk.overlap_tokens or f"overlap of {chunk.overlap_tokens} token" in page.text
    assert "path of " in page.text
    assert "overlap of " in page.text


def test_the_outline_shows_token_counts_and_links_to_chunks() -> None:
    page = page_of(MANUAL, TIGHT)
    document = treepack.parse(MANUAL)
    for section in document.root.walk():
        if section.heading:
            assert f"{section.heading.text} {section.tokens:,}" in page.text
    targets = {a["href"] for a in page.attributes("a")}
    assert {None} | {each.get("id") for _, each in page.tags} >= {
        (target or "").removeprefix("#") for target in targets
    }


def test_outline_changes_are_listed_with_their_reasons() -> None:
    flat = "".join(f"## {number} Title\n\nText.\n\n" for number in ("1", "1.1", "1.2", "2", "2.1"))
    page = page_of(flat, PackConfig(outline="auto"))
    changes = treepack.parse(flat, outline="auto").outline_changes
    assert changes
    assert "Outline changes" in page.text
    assert changes[0].reason in page.text
    assert "Outline changes" not in page_of(flat, PackConfig(outline="trust")).text


def test_findings_link_to_their_chunk() -> None:
    config = PackConfig(max_tokens=64, target_tokens=64)
    chunks = list(treepack.pack(MANUAL, config, name="manual.md"))
    chunks[1] = chunks[1].model_copy(update={"token_count": 7})
    page = Page(treepack.report(treepack.Chunks(chunks), MANUAL, config))
    assert "law 4: " in page.text
    assert "No finding" not in page.text
    assert {"href": "#a1"} in page.attributes("a")
    assert "No finding" in page_of(MANUAL, config).text


def test_parents_are_named_and_the_text_is_shown_once() -> None:
    config = PackConfig(levels=(128, 48), target_tokens=40, min_tokens=0)
    page = page_of(MANUAL, config)
    assert visible_text(MANUAL[MANUAL.index("# Pump") :]) == visible_text(
        "".join(page.own.values())
    )
    assert "in parent 0 of" in page.text


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff", "---\na: 1\n---\n"])
def test_a_document_without_text_has_a_page(text: str) -> None:
    page = page_of(text)
    assert [] == page.sections
    assert "so there are no chunks" in page.text


# -------------------------------------------------------------------- why a cut was made


def cut_reasons(text: str, config: PackConfig) -> list[str]:
    return [
        "" if cut is None else f"{cut.level}: {cut.next_unit}: {cut.reason}"
        for cut in cuts(packed(Source(text, ""), config))
    ]


def test_a_cut_is_described_by_its_structural_level() -> None:
    """Every level occurs, each at an offset where no better level applies."""
    document = treepack.parse(
        "# One\n\nText.\n\nMore.\n\n- a\n- b\n\n| c |\n|---|\n| d |\n| e |\n\n"
        "```\nf = 1\ng = 2\n```\n\nHere. There is a word.\n\n> - quoted\n\n"
        "Name one\nName two\n\n<ul><li>x</li><li>y</li></ul>\n"
    )
    text, reading = document.source.text, Reading(document, NO_CLAUSES)
    for words, level in (
        ("# One", "section"),
        ("More", "block"),
        ("- b", "item"),
        ("| e", "row"),
        ("g =", "line"),
        ("There", "sentence"),
        ("word", "word"),
        ("- quoted", "block"),
        ("Name two", "line"),
    ):
        assert level == beginning(reading, text.index(words))[0], words


def test_a_cut_is_explained_by_the_limit_that_would_be_exceeded() -> None:
    first, *others = cut_reasons(MANUAL, TIGHT)
    assert "" == first
    assert any("above the cap of 48" in other for other in others)
    token_counts = re.compile(r": (Both together|A new parent)[^:]* \d+ tokens")
    assert all(token_counts.search(other) for other in others)
    deep = "# A rather long heading of the first level\n\n## Another long heading below it\n\n"
    reasons = cut_reasons(
        deep + "One two three four five six seven.\n\n" * 14,
        PackConfig(max_tokens=46, target_tokens=46),
    )
    assert any("40 tokens, which with the breadcrumb is above the cap of 46" in r for r in reasons)
    prose = "# T\n\n" + "One two three four five six seven.\n\n" * 12
    assert (
        "above the target of 20"
        in cut_reasons(prose, PackConfig(max_tokens=64, target_tokens=20))[1]
    )


def test_a_cut_that_no_limit_requires_is_explained_by_another_reason() -> None:
    text = "# A\n\nText.\n\n# B\n\nText.\n"
    assert "settings keep sections apart" in cut_reasons(text, PackConfig(sections="separate"))[1]
    kept = PackConfig(max_tokens=24, target_tokens=24, oversize_table="keep")
    assert any("kept whole" in each for each in cut_reasons(MANUAL, kept))
    split_text = "# A\n\nText.\n\n## B\n\n" + "One two three four five six seven.\n\n" * 12
    tight = PackConfig(max_tokens=48, target_tokens=30, min_tokens=0, sections="pack")
    first, *_, last = cut_reasons(f"{split_text}\n## C\n\nText.\n", tight)[1:]
    assert "Both together would fit, with " in first
    assert all("of which one had to be split" in reason for reason in (first, last))
    levels = PackConfig(levels=(128, 48), target_tokens=40, min_tokens=0)
    assert any("A new parent chunk" in each for each in cut_reasons(MANUAL * 3, levels))


# -------------------------------------------------------------------- maps, outlines, tables


@pytest.mark.parametrize("policy", ["split", "keep"])
def test_the_map_has_a_block_for_each_chunk_in_the_colour_of_its_fill(policy: str) -> None:
    config = TIGHT.model_copy(update={"oversize_table": policy})
    page = page_of(MANUAL, config)
    chunks = treepack.pack(MANUAL, config, name="manual.md")
    blocks = [each for each in page.attributes("a") if (each.get("class") or "").startswith("f")]
    assert [f"#a{chunk.index}" for chunk in chunks] == [block["href"] for block in blocks]
    for block, chunk in zip(blocks, chunks, strict=True):
        size = chunk.embed_token_count
        quarter = next(n for n in range(1, 5) if size <= n * 12) if size <= 48 else 5
        assert f"f{quarter}" == (block["class"] or "").split()[0]
        assert f"Chunk {chunk.index}: {size} tokens" in (block["title"] or "")
    assert (policy == "keep") == ("kept above the cap" in page.text)


def test_the_outline_shows_the_chunks_of_each_section_and_how_full_they_are() -> None:
    page = page_of(MANUAL, TIGHT)
    chunks = treepack.pack(MANUAL, TIGHT, name="manual.md")
    last = len(chunks) - 1
    mean = sum(chunk.embed_token_count for chunk in chunks) / len(chunks) / TIGHT.max_tokens
    assert f"chunks 0–{last}, {mean:.0%} full" in page.text
    begun = next(chunk.index for chunk in chunks if "## 2 Limits" in chunk.lexical_text)
    span = f"chunk {last}" if begun == last else f"chunks {begun}–{last}"
    tokens = treepack.parse(MANUAL).root.sections[0].sections[1].tokens
    assert f"2 Limits {tokens}{span}" in page.text
    shares = [int(each) for each in re.findall(r"(\d+)% full", page.text)]
    assert max(shares) <= 100
    assert len(shares) < len([*treepack.parse(MANUAL).root.walk()])  # same chunks: said once


def test_sections_in_one_chunk_say_once_how_full_it_is() -> None:
    page = page_of(MANUAL, PackConfig.preset("hierarchical"))
    assert page.text.count("% full") == 1


def test_the_page_can_show_only_chunks_of_one_kind() -> None:
    page = page_of(MANUAL, TIGHT)
    made = packed(Source(MANUAL, "manual.md"), TIGHT)
    inside = [cut is not None and cut.level not in {"section", "block"} for cut in cuts(made)]
    names = [(each["class"] or "").split() for each in page.attributes("section")]
    blocks = [each["class"] or "" for each in page.attributes("a") if "aria-label" in each]
    assert inside == ["inside" in name for name in names] == ["inside" in each for each in blocks]
    assert any(inside)
    assert [bool(chunk.tables) for chunk in made.leaves] == ["tabled" in name for name in names]
    repeats = [any(s.role not in {"body", "glue"} for s in c.segments) for c in made.leaves]
    assert repeats == ["repeats" in name for name in names]
    filters = {each.get("id") for each in page.attributes("input")}
    assert filters >= {"only-inside", "only-tabled", "only-repeats"}


def test_a_part_of_a_row_is_named() -> None:
    text = "# T\n\n| a | b |\n|---|---|\n| 1 | " + "Long words stand here. " * 40 + "|\n"
    assert "row 1 of 1, part 1 of the row" in page_of(text, PackConfig(max_tokens=64)).text


def test_a_found_title_is_shown_with_its_evidence() -> None:
    plain = "".join(f"Section {n}. Title\n\nThe text of it is here.\n\n" for n in range(1, 6))
    page = page_of(plain, name="plain.txt")
    changes = treepack.parse(plain, name="plain.txt").outline_changes
    assert changes
    reasons = [each["title"] for each in page.attributes("small") if each.get("class") == "by"]
    assert [change.reason for change in changes] == reasons
    assert "found as a heading of level" in page.text
    assert "found" not in page_of(MANUAL).text


@pytest.mark.parametrize("config", [PackConfig(), TIGHT])
def test_tables_are_drawn_with_all_rows_and_a_folded_view_of_their_text(
    config: PackConfig,
) -> None:
    drawn = drawn_tables(html_of(MANUAL, config))
    rows = [row for table in drawn for row in table]
    head = ["Quantity", "Limit"]
    assert all(table[0] == head for table in drawn)
    assert [row for row in rows if row != head] == [
        ["Pressure", "16 bar"],
        ["Temperature", "110 °C"],
        ["Flow", "12 l/min"],
        ["Voltage", "230 V"],
        ["Current", "4 A"],
        ["Power", "900 W"],
    ]
    folds = page_of(MANUAL, config).attributes("details")
    assert sum(each.get("class") == "raw" for each in folds) == len(drawn)


def test_cells_are_drawn_without_their_markup() -> None:
    text = (
        "# T\n\n| `a` | **b** |\n|---|---|\n| x \\| y | <br>two<br/>lines |\n| <script> |\n\n"
        "> | q | r |\n> |---|---|\n> | 1 | 2 |\n\n"
        '<table><tr><th>h</th><th>i</th></tr><tr><td colspan="2">&lt;wide&gt;</td></tr></table>\n'
    )
    html = html_of(text)
    assert drawn_tables(html) == [
        [["a", "b"], ["x | y", "\ntwo\nlines"], ["<script>"]],
        [["q", "r"], ["1", "2"]],
        [["h", "i"], ["<wide>"]],
    ]
    assert 'colspan="2"' in html


def test_a_row_that_is_cut_is_shown_as_source_text() -> None:
    text = "# T\n\n| a | b |\n|---|---|\n| 1 | " + "Long words stand here. " * 40 + "|\n"
    html = html_of(text, PackConfig(max_tokens=64))
    assert [] == drawn_tables(html)
    assert visible_text(text) == visible_text("".join(Page(html).own.values()))


def test_repeated_text_is_folded_and_labelled() -> None:
    config = TIGHT.model_copy(update={"overlap_tokens": 10, "repeat_heading": True})
    page = page_of(MANUAL, config)
    names = [each["data-is"] or "" for each in page.attributes("summary") if "data-is" in each]
    assert any("end of the previous chunk" in name for name in names)
    assert any("heading" in name for name in names)
    assert not [each for each in page.attributes("details") if "open" in each and each.get("class")]


def test_page_numbers_and_page_furniture_are_shown_where_they_occur() -> None:
    topics = ("valves", "motors", "seals", "pipes", "gauges", "filters", "hoses", "tanks")
    pages = [
        f"The Pump Company\n\nOn {topic} much was written. Of {topic} there are {n + 2} kinds, and"
        f"\neach has its use in {topic[::-1]}.\n\n{n}"
        for n, topic in enumerate(topics, 1)
    ]
    source = Source("\f".join(pages), "p.txt")
    packing = packed(source, PackConfig())
    skipped = [each for chunk in packing.leaves for each in chunk.skipped]
    assert "page furniture" in {each.reason for each in skipped}
    page = Page(render(packing))
    marks = [each["data-is"] or "" for each in page.attributes("span") if "data-is" in each]
    assert {f"page {n}" for n in range(2, 9)} <= {*marks}
    assert any(mark.startswith("page furniture: ") for mark in marks)
    shown = sum("page furniture" in mark for mark in marks) + page.text.count("page furniture")
    assert shown == sum(each.reason == "page furniture" for each in skipped)


def test_the_page_states_how_many_laws_hold() -> None:
    assert "Audit passed: 9 of 9 laws. No findings." in page_of(MANUAL).text


# -------------------------------------------------------------------- how large, how steady


def test_the_page_of_a_large_document_is_less_than_twice_its_size() -> None:
    """A page much larger than its document would not open fast."""
    text = "".join(
        f"## {number} Title\n\n{'The pressure must not exceed the limit. ' * 40}\n\n"
        for number in range(600)
    )
    assert len(html_of(text)) < 2 * len(text)


@pytest.mark.slow
def test_the_report_is_the_same_in_every_process() -> None:
    script = (
        "import sys, treepack; text = sys.stdin.read();"
        "chunks = treepack.pack(text); sys.stdout.write(treepack.report(chunks, text))"
    )
    elsewhere = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", script],
        check=True,
        capture_output=True,
        input=MANUAL,
        encoding="utf-8",
        env={"PYTHONHASHSEED": "4242", "PYTHONPATH": ":".join(sys.path)},
    ).stdout
    assert treepack.report(treepack.pack(MANUAL), MANUAL) == elsewhere


# -------------------------------------------------------------------- from chunks


def test_chunks_report_accepts_a_text_source_or_document() -> None:
    chunks = treepack.pack(MANUAL, TIGHT, name="manual.md")
    document = treepack.parse(MANUAL, name="manual.md")
    pages = [
        treepack.report(chunks, MANUAL, TIGHT),
        treepack.report(chunks, Source(MANUAL, "manual.md"), TIGHT),
        treepack.report(chunks, document, TIGHT),
        treepack.report(Chunks(chunks, document=document, config=TIGHT)),
    ]
    assert 1 == len(set(pages))
    assert html_of(MANUAL, TIGHT) == pages[0]


def test_chunks_without_a_document_need_the_text_for_a_report() -> None:
    chunks = Chunks.from_jsonl(treepack.pack(MANUAL).to_jsonl())
    with pytest.raises(SourceError, match=r"report\(chunks, text\)"):
        treepack.report(chunks)


def test_a_missing_report_extra_is_named_in_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    monkeypatch.delitem(sys.modules, "treepack.report_page.page", raising=False)
    monkeypatch.delattr("treepack.report_page.page", raising=False)
    with pytest.raises(MissingExtraError, match=r'pip install "treepack\[report\]"'):
        treepack.report(treepack.pack(MANUAL), MANUAL)


def test_the_page_counts_with_the_configured_tokenizer() -> None:
    config = PackConfig(max_tokens=200, target_tokens=200, encoding=len)
    packing = packed(Source(MANUAL, "manual.md"), config)
    page = Page(render(packing))
    assert f"{max(c.embed_token_count for c in packing.leaves)} tokens" in page.text

"""The audit of laws 3 and 4: no chunk exceeds the cap, and all counts are correct."""

from typing import Any

import pytest
from audit_records import (
    CAPTIONED,
    FILLER,
    ONE,
    SECTIONS,
    TABLE,
    TOP,
    TWO,
    broken_laws,
    judge,
    piece,
    records,
    table_slice,
)

# ---------------------------------------------------------------- law 3: cap


def test_a_chunk_above_the_cap_breaks_law_3() -> None:
    source = "word " * 30
    report = judge(source, records(source, piece(source)), max_tokens=20)
    assert broken_laws(report) == [3]
    assert "30 tokens, but the cap is 20" in report.findings[0].reason


def test_the_breadcrumb_counts_towards_the_cap() -> None:
    chunks = records(SECTIONS, TOP, ONE, TWO)
    assert chunks[1].embed_token_count == chunks[1].token_count + 1
    assert 3 in broken_laws(judge(SECTIONS, chunks, max_tokens=chunks[1].token_count))


def test_without_a_cap_law_3_is_reported_as_not_checked() -> None:
    report = judge(SECTIONS, records(SECTIONS, TOP, ONE, TWO))
    assert report.laws[2].checked == 0
    assert report.laws[2].unchecked == {"not checked: no cap given": 1}
    assert "not checked: no cap given" in str(report)


def test_a_kept_table_may_exceed_the_cap() -> None:
    recipe = piece(TABLE, breadcrumb=("T",), oversize=True, tables=(table_slice(),))
    chunks = records(TABLE, recipe)
    assert judge(TABLE, chunks, max_tokens=20, keep_tables=True).ok
    assert broken_laws(judge(TABLE, chunks, max_tokens=20, keep_code=True)) == [3]
    assert broken_laws(judge(TABLE, chunks, max_tokens=500, keep_tables=True)) == [3]


def test_an_oversize_kept_table_with_other_text_breaks_law_3() -> None:
    source = TABLE + "\nMore.\n"
    recipe = piece(source, breadcrumb=("T",), oversize=True, tables=(table_slice(),))
    chunks = records(source, recipe)
    assert broken_laws(judge(source, chunks, max_tokens=20, keep_tables=True)) == [3]


@pytest.mark.parametrize(
    "embed_text",
    ["Top\n\n## One", "Top\n## One\n\nFirst text.\n\n", "Bottom\n\n## One\n\nFirst text.\n\n"],
)
def test_a_wrong_embedded_text_breaks_law_3(embed_text: str) -> None:
    parts, changes = ONE
    one = (parts, changes | {"embed_text": embed_text})
    assert broken_laws(judge(SECTIONS, records(SECTIONS, TOP, one, TWO))) == [3]


def test_the_breadcrumb_line_may_be_cut_only_if_it_takes_half_the_cap() -> None:
    source = "# A very long title of a document\n\nIntro.\n\n## One\n\nText.\n\n## Two\n\nText.\n"
    title = "A very long title of a document"
    recipes = (
        piece("# A very long title of a document\n\nIntro.\n\n", breadcrumb=(title,)),
        piece("## One\n\nText.\n\n", breadcrumb=(title, "One"), embed_text="## One\n\nText.\n\n"),
        piece(
            "## Two\n\nText.\n",
            breadcrumb=(title, "Two"),
            embed_text="A very…\n\n## Two\n\nText.\n",
        ),
    )
    chunks = records(source, *recipes)
    assert judge(source, chunks, max_tokens=16).ok
    assert broken_laws(judge(source, chunks, max_tokens=40))[:2] == [3, 3]


def test_the_last_code_piece_reserves_room_for_a_closing_fence() -> None:
    """The packer cannot know yet that a piece is the last one, which needs no closing."""
    mark = "`" * 30
    source = f"{mark}\none two three\nfour five six\n"
    chunks = records(
        source,
        piece(f"{mark}\none two three\n", ("fence", mark), breadcrumb=("d",)),
        piece(
            ("fence", f"{mark}\n"),
            "four five six\n",
            breadcrumb=("d",),
            embed_text=f"{mark}\nfour five six\n",
        ),
    )
    assert 3 not in broken_laws(judge(source, chunks, max_tokens=120))
    assert 3 in broken_laws(judge(source, chunks, max_tokens=180)), (
        "there is room for the breadcrumb"
    )


def test_a_kept_table_may_end_with_the_marker_of_its_quote() -> None:
    source = "".join(f"> {line}\n" for line in TABLE.splitlines()[2:]) + ">\n> " + FILLER
    head = source.removesuffix(f"> {FILLER}")
    chunks = records(
        source, piece(head, oversize=True, tables=(table_slice(),)), piece(f"> {FILLER}")
    )
    assert 3 not in broken_laws(judge(source, chunks, max_tokens=24, keep_tables=True))


@pytest.mark.parametrize(("label", "laws"), [("Table 1: ", []), ("About this. ", [3])])
def test_a_caption_in_a_list_item_may_displace_the_breadcrumb(label: str, laws: list[int]) -> None:
    title = "A very long title of a document"
    first = f"# {title}\n\n- {FILLER.strip()}\n\n"
    last = f"  {label}{'x ' * 8}\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n"
    parts = piece(last, breadcrumb=(title,), embed_text=last, tables=(table_slice(row_end=1),))
    chunks = records(first + last, piece(first, breadcrumb=(title,)), parts)
    found = broken_laws(judge(first + last, chunks, max_tokens=36))
    assert [law for law in found if law == 3] == laws


@pytest.mark.parametrize(("more", "laws"), [("", []), ("More. ", [3])])
def test_a_kept_block_may_begin_with_its_footnote_label(more: str, laws: list[int]) -> None:
    code = "".join(f"        {FILLER.strip()}\n" for _ in range(4))
    source = f"[^a]: {more}\n\n{code}"
    chunks = records(source, piece(source.rstrip(), oversize=True))
    assert broken_laws(judge(source, chunks, max_tokens=24, keep_code=True)) == laws


def test_long_headings_at_the_start_of_a_chunk_may_displace_the_breadcrumb() -> None:
    source = "# A\n\nIntro.\n\n## " + "long " * 10 + "\n\nText.\n"
    first, last = "# A\n\nIntro.\n\n", source.split("Intro.\n\n")[1]
    title = "long " * 9 + "long"
    chunks = records(
        source,
        piece(first, breadcrumb=("A",)),
        piece(last, breadcrumb=("A", title), embed_text=last),
    )
    assert judge(source, chunks, max_tokens=17).ok
    assert 3 in broken_laws(judge(source, chunks, max_tokens=60))


def test_a_caption_and_header_at_the_start_may_displace_the_breadcrumb() -> None:
    """They stay with the first row, as a heading stays with its text."""
    caption = f"Table 1: {'long ' * 6}"
    head = f"{caption}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    source = f"# A\n\nIntro.\n\n{head}| 3 | 4 |\n"
    tables = [
        (table_slice(caption=caption.strip(), row_start=n, row_end=n, part=n, parts=2),)
        for n in (1, 2)
    ]
    recipes = (
        piece("# A\n\nIntro.\n\n", breadcrumb=("A",)),
        piece(head, breadcrumb=("A",), embed_text=head, tables=tables[0]),
        piece(
            ("caption", f"{caption}\n\n| a | b |\n|---|---|\n"),
            "| 3 | 4 |\n",
            breadcrumb=("A",),
            tables=tables[1],
        ),
    )
    chunks = records(source, *recipes)
    assert 3 not in broken_laws(judge(source, chunks, max_tokens=60))
    assert 3 in broken_laws(judge(source, chunks, max_tokens=120))


def test_a_quoted_caption_and_header_may_displace_the_breadcrumb() -> None:
    caption = f"Table 1: {'long ' * 6}".strip()
    head = f"> {caption}\n>\n> | a | b |\n> |---|---|\n> | 1 | 2 |\n"
    source = f"# A\n\nIntro.\n\n{head}"
    table = table_slice(caption=caption, row_end=1, row_count=1)
    chunks = records(
        source,
        piece("# A\n\nIntro.\n\n", breadcrumb=("A",)),
        piece(head, breadcrumb=("A",), embed_text=head, tables=(table,)),
    )
    assert 3 not in broken_laws(judge(source, chunks, max_tokens=60))
    assert 3 in broken_laws(judge(source, chunks, max_tokens=120))


def test_a_row_opened_by_cells_reserves_room_for_their_closing() -> None:
    """Its cells may fit in one chunk after all, but the breadcrumb made room for their closing."""
    names = tuple(f"c{number}" for number in range(12))
    head = f"| {' | '.join(names)} |\n{'|---' * 12}|\n"
    row = f"| {' | '.join('x' * 12)} |\n"
    first = f"# A\n\nIntro.\n\n{head}{row}"
    tables = [
        (table_slice(columns=names, row_start=n, row_end=n, row_count=2, part=n, parts=2),)
        for n in (1, 2)
    ]
    chunks = records(
        first + row,
        piece(first, breadcrumb=("A",), tables=tables[0]),
        piece(
            ("table_header", head),
            row,
            breadcrumb=("A",),
            embed_text=head + row,
            tables=tables[1],
        ),
    )
    assert 3 not in broken_laws(judge(first + row, chunks, max_tokens=180))
    assert 3 in broken_laws(judge(first + row, chunks, max_tokens=212))


def test_a_heading_in_the_text_replaces_one_breadcrumb_entry_of_its_name() -> None:
    source = f"# Same\n\n{FILLER}\n\n## Same\n\nText.\n"
    first, last = source.split("## ")
    recipes = [
        piece(first, breadcrumb=("Same",)),
        piece(f"## {last}", breadcrumb=("Same", "Same"), embed_text=f"Same\n\n## {last}"),
    ]
    assert 3 not in broken_laws(judge(source, records(source, *recipes), max_tokens=60))
    recipes[1] = piece(f"## {last}", breadcrumb=("Same", "Same"), embed_text=f"## {last}")
    assert 3 in broken_laws(judge(source, records(source, *recipes), max_tokens=60))


def test_an_overlap_above_the_limit_breaks_law_3() -> None:
    source = "One two three. Four five six."
    body, overlap = piece("One two three. "), ("overlap", "One two three. ")
    changes = {"overlap_tokens": 4}
    chunks = records(source, body, piece(overlap, "Four five six.", **changes))
    assert judge(source, chunks, overlap_tokens=4).ok
    assert broken_laws(judge(source, chunks, overlap_tokens=3)) == [3]


# ---------------------------------------------------------------- law 4: honest counts


@pytest.mark.parametrize(
    "changes",
    [
        {"token_count": 99},
        {"embed_token_count": 99},
        {"content_hash": "0" * 64},
        {"overlap_tokens": 3},
        {"lines": (5, 6)},
        {"lines": (4, 7)},
    ],
)
def test_a_wrong_count_hash_overlap_or_line_breaks_law_4(changes: dict[str, Any]) -> None:
    parts, right = ONE
    chunks = records(SECTIONS, TOP, (parts, right | changes), TWO)
    assert broken_laws(judge(SECTIONS, chunks)) == [4]


def test_a_wrong_index_breaks_law_4() -> None:
    assert broken_laws(judge("One.", records("One.", piece("One.", index=1)))) == [4]


# ---------------------------------------------------------------- limits of exceptions


@pytest.mark.parametrize("after", ["> 1. 2. 3.", "> 1234", "> ***"])
def test_an_oversize_kept_table_with_more_quoted_text_breaks_law_3(after: str) -> None:
    table = "".join(f"> {line}\n" for line in TABLE.splitlines()[2:])
    source = f"{table}>\n{after}\n"
    chunks = records(source, piece(source, oversize=True, tables=(table_slice(),)))
    assert broken_laws(judge(source, chunks, max_tokens=24, keep_tables=True)) == [3]


def test_a_kept_table_may_include_its_caption() -> None:
    table = table_slice(row_end=2, row_count=2, caption="Table 3 — Sizes of things")
    chunks = records(CAPTIONED, piece(CAPTIONED, oversize=True, tables=(table,)))
    assert judge(CAPTIONED, chunks, max_tokens=24, keep_tables=True).ok


def test_a_document_without_headings_may_have_its_own_overlap_limit() -> None:
    body, overlap = piece("One two three. "), ("overlap", "One two three. ")
    changes = {"overlap_tokens": 4}
    for head, laws in (("", []), ("# A\n\n", [3])):
        source = f"{head}One two three. Four five six."
        first = piece(f"{head}One two three. ") if head else body
        last = piece(overlap, "Four five six.", breadcrumb=("A",) if head else (), **changes)
        assert (
            broken_laws(judge(source, records(source, first, last), flat_overlap_tokens=4)) == laws
        )

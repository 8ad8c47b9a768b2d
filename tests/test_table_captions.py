"""Captions of tables: which text is a caption, of which table, and how pieces repeat it.

Tokens are words here, so that every limit can be counted in the text.
"""

from collections.abc import Callable

import pytest
from by_eye import packed, roles, sentences, some, words
from table_pieces import (
    BODY,
    GFM,
    HEAD,
    all_tables,
    assert_pieces_cover_all_rows,
    gfm_table,
    segment_texts,
)

from treepack import PackConfig, audit


def captions(text: str) -> list[str]:
    return [table.caption for table in all_tables(text)]


# -------------------------------------------------------------------- lines that are captions


LABELLED = {
    "Table 3 — Limits": "Table 3 — Limits",
    "Table 3: Limits": "Table 3: Limits",
    "Table 3. Limits": "Table 3. Limits",
    "Table 3 Limits of pressure": "Table 3 Limits of pressure",
    "Table A.2 – Limits": "Table A.2 – Limits",
    "Table 3-1 Limits": "Table 3-1 Limits",
    "TABLE IV: LIMITS": "TABLE IV: LIMITS",
    "Table: Limits": "Table: Limits",
    "**Table 3:** Limits": "Table 3: Limits",
    "**Table 3. Limits**": "Table 3. Limits",
    "*Table 3* – Limits": "Table 3 – Limits",
    "Table 3": "Table 3",
    "Tabelle 3: Grenzwerte": "Tabelle 3: Grenzwerte",
    "Tab. 4 – Grenzwerte": "Tab. 4 – Grenzwerte",
    "Tabelle: Grenzwerte": "Tabelle: Grenzwerte",
    "Tableau 2 : Limites": "Tableau 2 : Limites",
    "Tableau 2 – Limites": "Tableau 2 – Limites",
    "Tabla 1. Límites": "Tabla 1. Límites",
    "Cuadro 5: Datos": "Cuadro 5: Datos",
    "表 3 限值": "表 3 限值",
    "表3-1:限值": "表3-1:限值",
    "附表 1：限值": "附表 1：限值",
    "表：限值": "表：限值",
    "Table 3: Results on PubTabNet. PP: Post-processing.": (
        "Table 3: Results on PubTabNet. PP: Post-processing."
    ),
    "**Table 3.** Limits. Values in bar! Why?": "Table 3. Limits. Values in bar! Why?",
    "**Table 3** Limits. Values in bar.": "Table 3 Limits. Values in bar.",
    "Tabelle 3 – Grenzwerte. Werte in bar. Alle gerundet.": (
        "Tabelle 3 – Grenzwerte. Werte in bar. Alle gerundet."
    ),
    "Tableau 2 – Limites. Valeurs en bar.": "Tableau 2 – Limites. Valeurs en bar.",
    "Tabla 1: Límites. Valores en bar.": "Tabla 1: Límites. Valores en bar.",
    "表 3：限值。单位为巴。": "表 3：限值。单位为巴。",
    "*Table A.1: Limits. Values in bar.*": "Table A.1: Limits. Values in bar.",
    "Table 3. Limits of\nthe pressure. All values\nin bar.": (
        "Table 3. Limits of the pressure. All values in bar."
    ),
    f"Table 3: {'Limits of it. ' * 40}".strip(): f"Table 3: {'Limits of it. ' * 40}".strip(),
}

EMPHASISED = {
    "**Limits of pressure**": "Limits of pressure",
    "*Limits*": "Limits",
    "__Limits__": "Limits",
    "_Limits of `p`_": "Limits of p",
    "***Limits***": "Limits",
    "**Limits**:": "Limits:",
}

NOT_CAPTIONS = (
    "Table 3 shows the limits.",
    "Table 3, which is long, shows the limits.",
    "Table 3 and Table 4 give limits",
    "Tables are useful:",
    "The limits stand in the table below:",
    "Table of contents",
    "Tabelle 3 zeigt die Grenzwerte.",
    "Tableau 3 présente les limites.",
    "La tabla 3 muestra los límites.",
    "表3给出了限值。",
    "表 3 是限值，单位为巴。",
    "**Note** that limits change",
    "**One** and **two**",
    "Limits",
    f"Table 3: {some(300)}",
    f"Table 3 {some(120).capitalize()}",
    "Table 3 Limits were met. We saw it.",
    "表 3 给出了限值。结果很好。",
)


@pytest.mark.parametrize("line", [*LABELLED, *EMPHASISED])
def test_the_caption_before_a_table_is_read_as_plain_text(line: str) -> None:
    assert captions(f"Text.\n\n{line}\n\n{GFM}\n\nText.\n") == [(LABELLED | EMPHASISED)[line]]


@pytest.mark.parametrize("line", LABELLED)
def test_a_labelled_line_after_a_table_is_its_caption(line: str) -> None:
    assert captions(f"Text.\n\n{GFM}\n\n{line}\n\nText.\n") == [LABELLED[line]]


@pytest.mark.parametrize("line", EMPHASISED)
def test_an_emphasised_line_after_a_table_is_not_its_caption(line: str) -> None:
    assert captions(f"Text.\n\n{GFM}\n\n{line}\n\nText.\n") == [""]


@pytest.mark.parametrize("line", NOT_CAPTIONS)
def test_prose_beside_a_table_is_not_its_caption(line: str) -> None:
    """A sentence that begins with "Table 3" is about a table; it is not the table's caption."""
    assert captions(f"{line}\n\n{GFM}\n") == [""]
    assert captions(f"{GFM}\n\n{line}\n") == [""]


def test_a_heading_or_list_before_a_table_is_not_its_caption() -> None:
    assert captions(f"## Table 3: Limits\n\n{GFM}\n") == [""]
    assert captions(f"- Table 3: Limits\n\n{GFM}\n") == [""]


@pytest.mark.parametrize(
    ("line", "caption"),
    [
        ('{: title="Limits of pressure"}', "Limits of pressure"),
        ("{: #t3 .wide title='Limits'}", "Limits"),
        ("{: .wide}", ""),
    ],
)
def test_an_attribute_line_below_a_table_may_be_its_caption_but_is_not_a_row(
    line: str, caption: str
) -> None:
    (table,) = all_tables(f"{GFM}\n{line}\n\nText.\n")
    assert (table.caption, len(table.rows)) == (caption, 2)


def test_a_row_that_begins_like_an_attribute_line_is_still_a_row() -> None:
    assert [len(table.rows) for table in all_tables(f"{GFM}\n{{: x | y\n\nText.\n")] == [3]


# -------------------------------------------------------------------- whose caption it is


def test_a_paragraph_between_two_tables_is_the_caption_of_only_one() -> None:
    """A paragraph between two tables could belong to either."""
    assert captions(f"{GFM}\n\nTable 1: Limits\n\n{GFM}\n") == ["", "Table 1: Limits"]


def test_captions_below_tables_belong_to_the_tables_above() -> None:
    text = f"{GFM}\n\nTable 1: One\n\n{GFM}\n\nTable 2: Two\n\n{GFM}\n\nTable 3: Three\n"
    assert captions(text) == ["Table 1: One", "Table 2: Two", "Table 3: Three"]


def test_captions_above_tables_belong_to_the_tables_below() -> None:
    text = f"Table 1: One\n\n{GFM}\n\nTable 2: Two\n\n{GFM}\n\nTable 3: Three\n\n{GFM}\n"
    assert captions(text) == ["Table 1: One", "Table 2: Two", "Table 3: Three"]


def test_a_table_in_a_list_or_quote_has_the_caption_inside_it() -> None:
    item = "- Table 1: One\n\n" + "".join(f"  {line}\n" for line in GFM.split("\n"))
    quote = "> Table 2: Two\n>\n" + "".join(f"> {line}\n" for line in GFM.split("\n"))
    assert captions(f"{item}\n{quote}") == ["Table 1: One", "Table 2: Two"]


# -------------------------------------------------------------------- captions in pieces


CAPTION_POSITIONS: dict[str, Callable[[str], str]] = {
    "before": lambda table: f"Table 7: Limits\n\n{table}\n",
    "after": lambda table: f"{table}\n\nTable 7: Limits\n",
    "attributes": lambda table: f'{table}\n{{: title="Table 7: Limits"}}\n',
    "bold": lambda table: f"**Table 7: Limits**\n\n{table}\n",
}


@pytest.mark.parametrize("position", CAPTION_POSITIONS)
def test_each_piece_of_a_table_has_the_caption_in_its_text_and_record(position: str) -> None:
    chunks = packed(f"# A\n\nText.\n\n{CAPTION_POSITIONS[position](gfm_table(14))}\nText.\n", 40)
    pieces = [chunk for chunk in chunks if chunk.tables]
    assert len(pieces) > 2
    for chunk in pieces:
        assert chunk.tables[0].caption == "Table 7: Limits"
        assert "Table 7: Limits" in chunk.text
        assert words(chunk.embed_text) <= 40
    assert any(segment_texts(chunk, "caption") for chunk in pieces[:-1])
    assert_pieces_cover_all_rows(chunks)


def test_a_blank_line_separates_the_caption_from_the_table_in_each_piece() -> None:
    """Directly above the header row, the caption would itself be read as the header row."""
    for chunk in packed(f"Table 7: Limits\n\n{gfm_table(14)}\n", 40)[1:]:
        assert chunk.text.startswith("Table 7: Limits\n\n| key | val |\n|---|---|\n| r")
        assert roles(chunk) == ["caption", "glue", "table_header", "glue", "body"]


def test_a_repeated_caption_counts_towards_the_cap() -> None:
    """The same rows need more pieces with a long caption, and no piece exceeds the cap."""
    long = f"Table 7: {some(9)}"
    plain, named = (packed(f"{name}\n\n{gfm_table(20)}\n", 40) for name in ("Text.", long))
    assert len(named) > len(plain)
    assert all(words(chunk.embed_text) <= 40 for chunk in named)
    assert all(some(9) in chunk.text for chunk in named)


def test_a_caption_too_long_to_repeat_is_only_in_the_records() -> None:
    long = f"Table 7: {some(30)}"
    chunks = packed(f"{long}\n\n{gfm_table(20)}\n", 40)
    pieces = [chunk for chunk in chunks if chunk.tables]
    assert all(chunk.tables[0].caption == long for chunk in pieces)
    assert not any(segment_texts(chunk, "caption") for chunk in pieces)
    assert "".join(chunk.lexical_text for chunk in chunks).count("w29") == 1


def test_the_caption_of_a_table_in_a_list_is_repeated_inside_the_item() -> None:
    lines = "".join(f"  {line}\n" for line in gfm_table(14).split("\n"))
    chunks = packed(f"- Table 7: Limits\n\n{lines}", 40)
    assert len(chunks) > 2
    for chunk in chunks:
        first, *rest = chunk.text.split("\n")
        assert first == "- Table 7: Limits"
        assert all(line.startswith("  ") or not line for line in rest)


@pytest.mark.parametrize("before", ["<div>{}</div>", "{}"])
def test_every_piece_of_a_table_above_its_caption_contains_the_caption(before: str) -> None:
    """The caption can then come above the first piece too."""
    text = f"{before.format(some(40))}\n\n{gfm_table(14)}\n\nTable 7: Limits\n"
    chunks = packed(text, 36)
    pieces = [chunk for chunk in chunks if chunk.tables]
    assert len(pieces) > 2
    assert all("Table 7: Limits" in chunk.text for chunk in pieces)


def test_a_caption_is_never_separated_from_the_table_below_it() -> None:
    chunks = packed(f"# A\n\n{some(30)}\n\nTable 7: Limits\n\n{gfm_table(14)}\n", 40)
    assert not any(chunk.text.endswith("Table 7: Limits") for chunk in chunks)


# -------------------------------------------------------------------- captions of HTML tables


def test_the_caption_element_of_an_html_table_is_read_as_plain_text() -> None:
    caption = "<caption>Table 7: <b>Limits</b> &amp;\nmore</caption>"
    (table,) = all_tables(f"<table>{caption}\n{HEAD}{BODY}</table>\n")
    assert table.caption == "Table 7: Limits & more"


def test_a_paragraph_is_the_caption_of_an_html_table_without_a_caption_element() -> None:
    own = f"<table><caption>Own</caption>{HEAD}{BODY}</table>"
    other = f"<table>{HEAD}{BODY}</table>"
    text = f"Table 1: One\n\n{other}\n\nText.\n\nTable 2: Two\n\n{own}\n"
    assert captions(text) == ["Table 1: One", "Own"]


def test_an_indented_caption_is_repeated_directly_after_the_item_marker() -> None:
    """The caption loses its indentation, which after the marker would become part of it."""
    lines = ["- Item\n\n", "   Table 1: T\n\n", "   | a |\n", "   | - |\n"]
    text = "".join([*lines, f"   | {sentences(8)} |\n"])
    chunks = packed(text, 30)
    assert len(chunks) > 2
    assert [chunk.text.split("\n")[0] for chunk in chunks[1:]] == ["- Table 1: T"] * 2
    report = audit(text, chunks, PackConfig(max_tokens=30, encoding=words))
    assert report.ok, report.table()


# -------------------------------------------------------------------- link references in captions


@pytest.mark.parametrize("table", ["| a |\n|---|\n| 1 |", "<table><tr><td>1</td></tr></table>"])
@pytest.mark.parametrize(("first", "rest"), [("", ""), ("> ", "> "), ("- ", "  ")])
def test_captions_resolve_link_references_that_are_defined_later(
    first: str, rest: str, table: str
) -> None:
    lines = "\n".join(["Table 1: *[name][one]*", "", *table.split("\n")])
    text = first + lines.replace("\n", f"\n{rest}")
    (found,) = all_tables(f"{text}\n\nWords.\n\n[one]: http://a.b\n")
    assert found.caption == "Table 1: name"

"""Hostile and huge tables: parsing and token counting take linear work."""

from collections.abc import Callable

import pytest
from by_eye import words
from function_calls import RecordingCounter, assert_linear
from table_pieces import GFM, assert_pieces_cover_all_rows, gfm_table

from treepack import PackConfig, Source, pack, parse

HOSTILE_TABLES: dict[str, Callable[[int], str]] = {
    "open-tables": lambda n: "<table>\n" * n,
    "open-tables-apart": lambda n: "<table>\n\n" * n,
    "open-rows": lambda n: "<table>\n" + "<tr>" * n,
    "open-cells": lambda n: "<table><tr>" + "<td>" * n + "</table>",
    "open-elements": lambda n: "<table><tr><td>x</td></tr>" + "<b>" * n + "</b>" * n + "</table>",
    "closing-nothing": lambda n: "<table><tr><td>x</td></tr>" + "<i></b>" * n + "</table>",
    "open-around-rows": lambda n: "<table>" + "<b><tr>" * n + "<td>x</td></table>",
    "open-comments": lambda n: "<table>" + "<!-- " * n,
    "open-tags": lambda n: "<table><tr><td>x</td></tr>" + "<a b='" * n + "</table>",
    "quotes": lambda n: "<table><tr><td " + "\"'" * n + "></table>",
    "small-tables": lambda n: "<table><tr><td>x</td></tr></table>\n\n" * (n // 4),
    "closed-at-the-end": lambda n: "<table>\n\n" * n + "</table>\n\n" * n,
    "labels": lambda n: f"Table 1: x\n\n{GFM}\n\n" * (n // 8),
    "stars": lambda n: "*" * 380 + f"x\n\n{GFM}\n\n" + "*_" * n + f"\n\n{GFM}\n",
    "pipes": lambda n: "|a|b|\n|-|-|\n" + "|" * n,
    "escapes": lambda n: "|a|b|\n|-|-|\n|" + "\\" * n + "|",
    "attributes": lambda n: "|a|\n|-|\n|x|\n{:" + " title=" * n + "}",
    "spans": lambda n: "<table>" + "<tr><td rowspan=999 colspan=999>x" * (n // 4) + "</table>",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE_TABLES)
def test_hostile_tables_are_parsed_with_linear_work(kind: str) -> None:
    assert_linear(lambda n: parse(HOSTILE_TABLES[kind](n)), 500)


@pytest.mark.slow
def test_a_table_of_fifty_thousand_rows_is_cut_with_linear_token_counting() -> None:
    """The text is counted in one pass, whatever the number of rows."""
    recorder = RecordingCounter(words)
    text = gfm_table(50_000)
    chunks = pack(Source(text), PackConfig(max_tokens=1024, encoding=recorder))
    assert recorder.characters <= 60 * len(text)
    assert_pieces_cover_all_rows(chunks)

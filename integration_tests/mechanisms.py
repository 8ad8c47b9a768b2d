"""The mechanisms that `ablate.py` switches off: what would go, and what stands in meanwhile.

A mechanism is a decision that treepack could also do without: chunks would still be made. Names
begin with the room. A stand-in has the signature of what it replaces.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from treepack.clauses.clause import Clauses
from treepack.plain.choice import Choice


@dataclass(frozen=True)
class Mechanism:
    """What can be switched off.

    Attributes:
        name: The room and what the mechanism does.
        parts: Modules, classes and functions whose lines would go: `module:Class.method`.
        instead: What is replaced, by its path, and what stands in for it.
    """

    name: str
    parts: tuple[str, ...]
    instead: Mapping[str, Any]


def returns(value: object) -> Any:  # noqa: ANN401 - it stands in for any function
    """Return a function of any arguments that gives the value."""
    return lambda *_args, **_kwargs: value


def gives(position: int) -> Any:  # noqa: ANN401 - as above
    """Return a function that gives one of its arguments back."""
    return lambda *args, **_kwargs: args[position]


MECHANISMS: Final = (
    # ------------------------------------------------------------------ pages
    Mechanism(
        "pages: marks",
        ("pages.marks",),
        {
            "pages.marks:find_page_marks": returns(((), ())),
        },
    ),
    Mechanism(
        "pages: furniture",
        ("pages.furniture",),
        {
            "pages.furniture:find_furniture": returns([]),
        },
    ),
    # ------------------------------------------------------------------ markdown, plain, sentences
    Mechanism(
        "markdown: HTML tables",
        ("markdown.html_tables",),
        {
            "markdown.html_tables:read_tables": returns([]),
        },
    ),
    Mechanism(
        "plain: choice of markup",
        ("plain.choice",),
        {
            "plain.choice:choose": returns(Choice("markdown", "switched off")),
        },
    ),
    Mechanism("plain: lists", ("plain.lines:_marker",), {"plain.lines:_marker": returns(None)}),
    Mechanism(
        "sentences: guard",
        ("sentences.guard",),
        {
            "sentences.guard:is_sentence_end": returns(True),
        },
    ),
    Mechanism(
        "sentences: abbreviations",
        ("sentences.abbreviations",),
        {
            "sentences.guard:_is_abbreviation": returns(False),
        },
    ),
    # ------------------------------------------------------------------ outline
    Mechanism(
        "outline: repair",
        ("outline.repair", "outline.levels"),
        {
            "outline.repair:repair_outline": lambda blocks, *_rest: (list(blocks), []),
        },
    ),
    Mechanism(
        "outline: false headings",
        ("outline.repair:_false_headings",),
        {
            "outline.repair:_false_headings": returns({}),
        },
    ),
    Mechanism(
        "outline: levels by numbers",
        ("outline.levels",),
        {
            "outline.levels:new_levels": lambda levels, _titles: [(level, "") for level in levels],
        },
    ),
    Mechanism(
        "titles: all",
        ("outline.titles",),
        {
            "outline.titles:find_titles": returns([]),
        },
    ),
    Mechanism(
        "titles: contents lists",
        ("outline.contents",),
        {
            "outline.contents:read_contents": returns({}),
        },
    ),
    Mechanism(
        "titles: numbers",
        ("outline.printed", "outline.numbered", "outline.chain"),
        {
            "outline.numbered:numbered_candidates": returns([]),
        },
    ),
    Mechanism(
        "titles: styles",
        ("outline.styles",),
        {
            "outline.styles:unnumbered_titles": returns({}),
        },
    ),
    Mechanism(
        "titles: underlines",
        ("outline.lines:_set_underlines",),
        {
            "outline.lines:_set_underlines": returns(None),
        },
    ),
    # ------------------------------------------------------------------ clauses and numbers
    Mechanism(
        "clauses: all",
        ("clauses.walk", "clauses.labels", "clauses.numbering"),
        {
            "clauses.walk:find_clauses": returns(Clauses()),
        },
    ),
    Mechanism(
        "clauses: contents",
        ("clauses.contents",),
        {
            "clauses.contents:without_entries": gives(2),
        },
    ),
    Mechanism(
        "clauses: tables of requirements",
        ("clauses.walk:requirement_rows", "clauses.walk:_number"),
        {
            "clauses.walk:requirement_rows": returns([]),
        },
    ),
    Mechanism(
        "clauses: run-in titles",
        ("clauses.naming:run_in_title", "clauses.naming:_is_title"),
        {
            "clauses.naming:run_in_title": returns(None),
        },
    ),
    Mechanism(
        "clauses: indented points",
        ("clauses.labels:LabelReader._indented_points",),
        {
            "clauses.labels:LabelReader._indented_points": lambda *_args: iter(()),
        },
    ),
    Mechanism(
        "numbers: written out",
        ("numbers.written_out",),
        {
            "numbers.written_out:read_written_out": returns(None),
        },
    ),
    Mechanism(
        "numbers: East Asian",
        ("numbers.grammar:_read_east_asian",),
        {
            "numbers.grammar:_read_east_asian": returns(None),
        },
    ),
    Mechanism(
        "references: all",
        ("references.finder", "references.grammar", "references.targets"),
        {
            "references.finder:ReferenceFinder.find": returns(()),
        },
    ),
    Mechanism(
        "clauses: as sections",
        (
            "clauses.sections:with_clause_sections",
            "clauses.sections:_rebuilt",
            "clauses.sections:_Part",
        ),
        {
            "clauses.sections:with_clause_sections": lambda document, _: (document, Clauses()),
        },
    ),
    Mechanism(
        "outline: running headers",
        ("outline.repair:_running_headers",),
        {
            "outline.repair:_running_headers": returns({}),
        },
    ),
    Mechanism(
        "outline: sentences as headings",
        ("outline.repair:_sentences",),
        {
            "outline.repair:_sentences": returns({}),
        },
    ),
    Mechanism(
        "outline: rules below paragraphs",
        ("outline.repair:_over_rules",),
        {
            "outline.repair:_over_rules": returns({}),
        },
    ),
    Mechanism(
        "clauses: first points on a line",
        ("clauses.labels:_first_point",),
        {
            "clauses.labels:_first_point": returns(None),
        },
    ),
    Mechanism(
        "clauses: labels inside paragraphs",
        ("clauses.labels:LabelReader._line_labels",),
        {
            "clauses.labels:LabelReader._line_labels": returns(()),
        },
    ),
    # ------------------------------------------------------------------ packing
    Mechanism(
        "packing: cut points",
        ("packing.runs",),
        {
            "packing.runs:find_cut_points": returns(set()),
        },
    ),
    Mechanism(
        "packing: even out",
        ("packing.runs:Run.even_out",),
        {
            "packing.runs:Run.even_out": returns(None),
        },
    ),
    Mechanism(
        "packing: small pieces carried on",
        ("packing.sections:SectionPacker._fits_before",),
        {
            "packing.sections:SectionPacker._fits_before": returns(False),
        },
    ),
    Mechanism(
        "packing: intro of a list",
        ("packing.split.blocks:Splitter._intro_frame",),
        {
            "packing.split.blocks:Splitter._intro_frame": returns(None),
        },
    ),
    Mechanism(
        "packing: rowspan",
        ("packing.split.table:joined_by_rowspan",),
        {
            "packing.split.table:joined_by_rowspan": gives(0),
        },
    ),
    Mechanism(
        "packing: rows by cells",
        ("packing.split.table:_cells",),
        {
            "packing.split.table:_cells": lambda cutter, table, _span, piece: cutter.sentences(
                piece._replace(is_raw=table.is_html)
            ),
        },
    ),
    Mechanism(
        "packing: citations",
        ("packing.chunks.citations",),
        {
            "packing.chunks.citations:Citations.cite": returns(""),
        },
    ),
    Mechanism(
        "graphemes",
        ("graphemes",),
        {
            "graphemes:is_boundary": returns(True),
            "graphemes:cluster_start": gives(1),
            "graphemes:last_boundary": gives(2),
            "graphemes:cluster_end": lambda _text, start, limit: min(start + 1, limit),
        },
    ),
)

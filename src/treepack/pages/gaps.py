"""Gaps: spans that belong to a page and not to the text, each with its reason."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from treepack.model.blocks import Span

PAGE_MARK: Final = "page mark"
GIVEN_PAGE_MARK: Final = "given page mark"
PAGE_FURNITURE: Final = "page furniture"
PAGE_FRONT_MATTER: Final = "front matter of a page"
"""The reasons why gaps are skipped: known marks, marks of the caller's pattern, printed page
headers and footers, and the metadata above each page of joined pages."""
REASONS: Final = frozenset({PAGE_MARK, GIVEN_PAGE_MARK, PAGE_FURNITURE, PAGE_FRONT_MATTER})

_LIST_MARKERS: Final = ("-", "*", "+", ".", ")")  # their ends

Gap: TypeAlias = tuple[int, int, str]
"""Start, end and reason."""


def without_gaps(text: str, gaps: Sequence[Span]) -> str:
    """Return the text with spaces for gaps; it has the same length, so offsets hold in both.

    The spaces come right after the preceding text, before its whitespace, so that the lines read as
    if the gaps were cut out. A gap at the very beginning, such as a form feed, becomes a blank line
    if text follows on the same line. A tag after the marker of a list item stays: markdown shows
    nothing of it, but would read so many spaces as code.
    """
    parts: list[str] = []
    pending: list[str] = []
    after = 0
    for start, end in gaps:
        lead = text[max(start - 4, 0) : start]
        is_in_item = lead[-1:].isspace() and lead.rstrip(" \t").endswith(_LIST_MARKERS)
        if is_in_item and text.startswith("<span", start):
            continue
        before = text[after:start]
        if content := before.rstrip(" \t\r\n"):
            parts += *pending, content
            pending = []
        if whitespace := before[len(content) :]:
            pending.append(whitespace)
        is_first = not pending and end < len(text) and text[end] not in "\r\n"
        parts.append(" " * (end - start - is_first) + "\n" * is_first)
        after = end
    return "".join([*parts, *pending, text[after:]])


def with_gaps(marks: Sequence[Gap], wider: Sequence[Gap]) -> tuple[Gap, ...]:
    """Return all gaps in order; a page mark inside a wider gap becomes part of it."""
    merged: list[Gap] = []
    # if two begin together, the longer comes first
    for gap in sorted([*marks, *wider], key=lambda gap: (gap[0], -gap[1])):
        if not merged or merged[-1][1] <= gap[0]:
            merged.append(gap)
        else:
            start, end, reason = merged[-1]
            reason = reason if gap[2] in {PAGE_MARK, GIVEN_PAGE_MARK} else gap[2]
            merged[-1] = (start, max(end, gap[1]), reason)
    return tuple(merged)

"""Laws in text whose lines were torn apart: labels, numbers and dots on their own lines.

PDF loaders write such text. The limits are small, so that each rule meets a cut.
"""

from typing import Literal

import pytest
from case_files import pairs_of

from treepack import Source, audit, pack, parse
from treepack.clauses.walk import find_clauses

Outline = Literal["auto", "trust"]
OUTLINES: tuple[Outline, ...] = ("auto", "trust")
LIMITS = ((24, 18), (32, 32), (48, 48), (64, 48), (96, 72), (256, 128))


@pytest.mark.parametrize("name", ["", "a.txt"])
@pytest.mark.parametrize(
    ("outline", "text", "labels"),
    [(each, *pair) for each in OUTLINES for pair in pairs_of("torn_lines.txt", each)],
)
def test_torn_lines_have_their_clauses_and_are_packed_by_the_laws(
    outline: Outline, text: str, labels: str, name: str
) -> None:
    """Entries of contents are no clauses; no label of a column and no combining mark is lost."""
    source = Source(text, name)
    clauses = find_clauses(parse(source, outline=outline))
    found = [f"{each.path[-1]}@{source.line_at(each.start) + 1}" for each in clauses]
    assert " ".join(found) == labels
    for cap, target in LIMITS:
        chunks = pack(source, max_tokens=cap, target_tokens=target, outline=outline)
        assert audit(source, chunks).findings == ()

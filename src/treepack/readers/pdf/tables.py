"""Tables: to be found between rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from treepack.readers.grids import Cell
from treepack.readers.pdf.lines import Line


@dataclass(slots=True, eq=False)
class FoundTable:
    """A table.

    Attributes:
        lines: The lines that it is made of, in the order of the page.
        rows: The cells that begin in each row.
        header_rows: How many rows name the columns.
    """

    lines: list[Line]
    rows: Sequence[Sequence[Cell]]
    header_rows: int

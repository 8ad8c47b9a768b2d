"""Builds nested lists from items that come one by one, each with its depth."""

from treepack.readers.inlines import Inline
from treepack.readers.writer import MarkdownWriter


class OpenLists:
    """The open lists, each in the last item of the previous one; depths may differ a little."""

    def __init__(self, writer: MarkdownWriter, tolerance: float = 0.0) -> None:
        self._writer = writer
        self._tolerance = tolerance
        self._open: list[tuple[float, tuple[str, bool]]] = []  # depth and kind of each list

    def open_item(
        self, depth: float, number: int | None, label: Inline = "", key: str = ""
    ) -> None:
        """Open an item, after closing deeper lists and the previous item or list beside it.

        Args:
            depth: How deep it is, in any unit: a level, or points from the left edge.
            number: Its number; None in a list without numbers.
            label: See `MarkdownWriter.open_item`.
            key: Identifies its list, if the format does that; different keys make separate lists.
        """
        kind = key, number is not None
        while self._open and self._open[-1][0] > depth + self._tolerance:
            self._close_list()
        is_at_same_depth = bool(self._open) and self._open[-1][0] >= depth - self._tolerance
        if is_at_same_depth and self._open[-1][1] == kind:
            self._writer.close()  # the previous item
        else:
            if is_at_same_depth:
                self._close_list()
            self._writer.open_list(ordered=number is not None)
            self._open.append((depth, kind))
        self._writer.open_item(number, label)

    def has_outer(self, depth: float) -> bool:
        """Return whether an item at this depth would be inside another item."""
        return any(depth > list_depth for list_depth, _ in self._open)

    def close(self) -> None:
        """Close all lists."""
        while self._open:
            self._close_list()

    def _close_list(self) -> None:
        self._open.pop()
        self._writer.close()  # the item
        self._writer.close()  # the list

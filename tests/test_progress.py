"""The progress bar, which is shown only at a terminal."""

import io
import sys

import pytest

from treepack.cli.terminal.output import progress


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        """Return that it is a terminal."""
        return True


@pytest.mark.parametrize(("terminal", "shown"), [(True, True), (True, False), (False, True)])
def test_the_progress_bar_is_drawn_only_at_a_terminal(
    monkeypatch: pytest.MonkeyPatch, *, terminal: bool, shown: bool
) -> None:
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with progress("packing", 3, is_shown=shown) as count_one:
        for _ in range(3):
            count_one()
    written = stream.getvalue()
    assert (terminal and shown) == bool(written)
    assert not written or ("packing" in written and "3/3" in written)

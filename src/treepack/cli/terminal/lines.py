"""Lines that fit a terminal: texts cut between words, bars, and the console that prints them.

Text from a document reaches rich only through `safe_line`, `safe_lines` and `fitted`: rich sees no
markup in it, and control characters are made `visible`.
"""

from typing import Final, NoReturn

from rich.cells import cell_len, set_cell_size
from rich.console import Console as RichConsole
from rich.text import Text

from treepack.display import visible, visible_line
from treepack.line_ends import with_line_feeds

_TO_PLAIN: Final = str.maketrans({"█": "#", "░": ".", "┆": ":", "–": "-", "›": ">", "…": "..."})
"""Replaces the symbols of pages if the stream cannot encode them."""

_CHARACTERS_PER_COLUMN: Final = 8
"""Characters of a text that are read for each column: escapes and extra spaces may take none."""


class Console(RichConsole):
    """Standard output for people: without markup, and with an error if a pipe is closed."""

    def __init__(self) -> None:
        super().__init__(highlight=False, emoji=False, markup=False)
        try:
            "".join(map(chr, _TO_PLAIN)).encode(self.encoding)
            self._can_draw = True
        except (UnicodeEncodeError, LookupError):
            self._can_draw = False

    def on_broken_pipe(self) -> NoReturn:
        """Let the command end as it does for any closed pipe; rich would exit with status 1."""
        raise BrokenPipeError

    def print_text(self, text: Text) -> None:
        """Print a line or a paragraph; on a terminal, it is wrapped between words."""
        self.print(text, soft_wrap=not self.is_terminal, highlight=False)

    def print_line(self, text: Text) -> None:
        """Print one line; on a terminal, only as much of it as fits."""
        if self.is_terminal and cell_len(text.plain) > self.width:
            fitted = Text(self.fitted(text.plain, self.width), text.style)
            for span in text.spans:
                fitted.stylize(span.style, span.start, span.end)
            text = fitted
        text.rstrip()
        self.print(text, soft_wrap=True, highlight=False)

    def encodable(self, text: str) -> str:
        """Return a text, with plain characters for drawn ones if the stream cannot encode them."""
        return text if self._can_draw else text.translate(_TO_PLAIN)

    def bar(self, size: int, whole: int, tick: int, width: int) -> str:
        """Return a bar for a size, with a tick in its empty part.

        Args:
            size: How much of it is filled.
            whole: The size that fills the whole bar.
            tick: Where the tick is, in the same unit; 0 for no tick.
            width: Its width in columns.
        """
        whole = max(whole, size, 1)
        filled = min(max(round(size * width / whole), 1 if size else 0), width)
        cells = ["█"] * filled + ["░"] * (width - filled)
        index = min(round(tick * width / whole), width) - 1
        if tick and index >= filled and width:
            cells[index] = "┆"
        return self.encodable("".join(cells))

    def fitted(self, text: str, width: int) -> str:
        """Return the beginning of a text as a line of exactly this width, cut between two words."""
        line = visible_line(" ".join(text[: _CHARACTERS_PER_COLUMN * width].split()))
        if cell_len(line) > width or len(text) > _CHARACTERS_PER_COLUMN * width:
            line = self._shortened(line, width)
        return line + " " * (width - cell_len(line))

    def _shortened(self, line: str, width: int) -> str:
        more = self.encodable("…")
        room = width - len(more) - 1
        if cell_len(line.partition(" ")[0]) > room:  # the first word alone is too long
            return set_cell_size(line, max(width - len(more), 0)).rstrip() + more[:width]
        fitting = ""
        for word in line.split(" "):
            longer = f"{fitting} {word}" if fitting else word
            if cell_len(longer) > room:
                break
            fitting = longer
        return f"{fitting} {more}"


def safe_line(text: str, style: str = "") -> Text:
    """Return a text of a document as one line, in which rich ignores markup."""
    return Text(visible_line(text), style)


def safe_lines(text: str, style: str = "") -> Text:
    """Return a text of a document with its lines, whatever its line ends are."""
    return Text(visible(with_line_feeds(text)), style)

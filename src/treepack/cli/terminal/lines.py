"""Lines that fit a terminal: texts cut between words, bars, and the console they go to.

Text from a document reaches rich only through `shown`, `shown_lines` and `fitted`: without markup,
and made `visible`.
"""

from typing import Final, NoReturn

from rich.cells import cell_len, set_cell_size
from rich.console import Console as RichConsole
from rich.text import Text

from treepack.display import visible, visible_line

_DRAWN: Final = "█░┆–›…"
_PLAIN: Final = dict(zip(_DRAWN, ("#", ".", ":", "-", ">", "..."), strict=True))
_READ: Final = 8
"""Characters of a text that are looked at for each column: escapes and blanks take none."""


class Console(RichConsole):
    """Standard output, for people: no markup, and no pipe that closes goes unseen."""

    def __init__(self) -> None:
        super().__init__(highlight=False, emoji=False, markup=False)
        try:
            _DRAWN.encode(self.encoding)
            self._draws = True
        except (UnicodeEncodeError, LookupError):
            self._draws = False

    def on_broken_pipe(self) -> NoReturn:
        """Let the command end as it does for any reader who stopped; rich would end with 1."""
        raise BrokenPipeError

    def put(self, text: Text) -> None:
        """Print a line or a paragraph; a terminal gets it with breaks between words."""
        self.print(text, soft_wrap=not self.is_terminal, highlight=False)

    def put_line(self, text: Text) -> None:
        """Print one line; a terminal gets as much of it as there is room for."""
        if self.is_terminal and cell_len(text.plain) > self.width:
            fitted = Text(self.fitted(text.plain, self.width), text.style)
            for span in text.spans:
                fitted.stylize(span.style, span.start, span.end)
            text = fitted
        text.rstrip()
        self.print(text, soft_wrap=True, highlight=False)

    def drawn(self, text: str) -> str:
        """Our own signs, or plain ones where the stream has none."""
        return text if self._draws else "".join(_PLAIN.get(sign, sign) for sign in text)

    def bar(self, size: int, whole: int, mark: int, width: int) -> str:
        """A bar for a size, with a tick in what it leaves empty.

        Args:
            size: How much of it is filled.
            whole: What the whole bar stands for.
            mark: Where the tick is, in the same unit; 0 for none.
            width: Its columns.
        """
        whole = max(whole, size, 1)
        filled = min(max(round(size * width / whole), 1 if size else 0), width)
        cells = ["█"] * filled + ["░"] * (width - filled)
        at = min(round(mark * width / whole), width) - 1
        if mark and at >= filled and width:
            cells[at] = "┆"
        return self.drawn("".join(cells))

    def fitted(self, text: str, width: int) -> str:
        """The beginning of a text in one line, cut between two words; always this wide."""
        line = visible_line(" ".join(text[: _READ * width].split()))
        if cell_len(line) > width or len(text) > _READ * width:
            line = self._shortened(line, width)
        return line + " " * (width - cell_len(line))

    def _shortened(self, line: str, width: int) -> str:
        more = self.drawn("…")
        room = width - len(more) - 1
        if cell_len(line.partition(" ")[0]) > room:  # there is nothing to cut it between
            return set_cell_size(line, max(width - len(more), 0)).rstrip() + more[:width]
        kept = ""
        for word in line.split(" "):
            longer = f"{kept} {word}" if kept else word
            if cell_len(longer) > room:
                break
            kept = longer
        return f"{kept} {more}"


def shown(text: str, style: str = "") -> Text:
    """A text of a document in one line; rich ignores markup in it."""
    return Text(visible_line(text), style)


def shown_lines(text: str, style: str = "") -> Text:
    """A text of a document with its lines, whichever line ends it has."""
    return Text(visible(text.replace("\r\n", "\n").replace("\r", "\n")), style)

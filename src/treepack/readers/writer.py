"""MarkdownWriter, with which the readers of all other formats make a `Source`.

Parsing its text gives back the blocks that were written: plain text never becomes structure, fences
are longer than any inside, and neighbouring lists stay separate.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import dropwhile, pairwise
from typing import Any, Final

from treepack.errors import SourceError
from treepack.model.source import Source, Typography
from treepack.readers.containers import OpenContainer, line_prefix_of, set_marker
from treepack.readers.grids import Cell, FillLimit, Grid, fill, gfm_lines, html_lines
from treepack.readers.inlines import (
    BLANK_LINES,
    SPACES,
    Inline,
    InlinePiece,
    as_parts,
    clean,
    escape_block_starts,
    flat,
    lines_of,
    longest_run,
    plain_of,
    to_markdown,
)
from treepack.readers.links_and_emphasis import is_link
from treepack.readers.typography import DEFAULT_TYPOGRAPHY, TypographyNotes

MOST_TIMES: Final = 50
MOST_BYTES: Final = 10_000_000
"""A text may be `MOST_TIMES` as long as its original, or `MOST_BYTES` long if that is more."""
LONGEST_VALUE: Final = 1000
"""The most characters of a title, author or name that a document gives: each chunk carries it."""


# The parser's limit is 20, and each list counts twice. Deeper content joins the innermost item,
# which also limits the length of the markers before each line.
_DEEPEST_CONTAINER: Final = 16
_WORD: Final = re.compile(r"\S+")
# What would be a footnote mark, or the attributes of a heading, except in code and after escapes.
_TITLE_MARK: Final = re.compile(r"(`[^`]*`|\\.)|\[(?=\^)|\{(?=[^{}]*\}\Z)")
_CLOSING_SEQUENCE: Final = re.compile(r"(?:(?<=[ ])|^)(#+)$")


class MarkdownWriter:
    """Writes blocks one after another; `source` returns the finished text.

    Text arguments are plain text, or a sequence of texts and `InlinePiece`s. Whitespace is folded;
    line ends are kept if the block can contain them. A block without text is not written.
    ``origin`` is the place in the original that a block comes from, such as ``docx:paragraph 12``.

    Args:
        name: The document's name.
        metadata: The document's metadata; texts longer than `LONGEST_VALUE` are cut.
        size: The size of the original in bytes, which limits how much may be written.

    Attributes:
        fill_limit: The limit on what the document's tables may fill in.
        current_page: The current page; None if no page was given.
    """

    def __init__(
        self, name: str = "", metadata: Mapping[str, Any] | None = None, size: int = 0
    ) -> None:
        self.name = name
        self.metadata: dict[str, Any] = {
            key: value[:LONGEST_VALUE] if isinstance(value, str) else value
            for key, value in (metadata or {}).items()
        }
        self.fill_limit = FillLimit()
        self._size = size
        self._bytes_left = max(MOST_BYTES, MOST_TIMES * size)
        self._parts: list[str] = []
        self._length = 0
        self._page_marks: list[tuple[int, int]] = []
        self._origins: list[tuple[int, str]] = []
        self._typography = TypographyNotes()
        self.current_page: int | None = None
        self._pending_page: int | None = None  # the page that begins with the next block
        self._root = OpenContainer("root")
        self._stack: list[OpenContainer] = []
        self._shown: list[OpenContainer] = [self._root]
        self._line_prefix = ""  # the prefix of further lines inside them
        self._after_item_text = False
        self._last_block = 0  # index of its first part
        self._text_start = 0  # offset of its text, after the markers of containers

    # ---------------------------------------------------------------- containers

    def open_list(self, *, ordered: bool = False, start: int = 1) -> None:
        """Open a list; `close` ends it. ``start`` is the number of its first item."""
        self._open(OpenContainer("list", ordered=ordered, next_number=start))

    def open_item(self, number: int | None = None, label: Inline = "") -> None:
        """Open an item of the open list; `close` ends it. Empty items are not written.

        Args:
            number: Its number in an ordered list; if None, one more than that of the last item.
            label: The beginning of its first paragraph, for labels that cannot be markers: ``(a)``.
        """
        parent = self._stack[-1]
        assert parent.kind == "list", "an item stands in a list"
        value = parent.next_number if number is None else number
        parent.next_number = value + 1
        # By CommonMark section 5.2, a number has at most nine digits.
        marker = str(max(0, min(value, 999_999_999))) if parent.ordered else ""
        self._open(OpenContainer("item", parent.is_shown, marker=marker, label=label))

    def open_quote(self) -> None:
        """Open a block quote; `close` ends it."""
        self._open(OpenContainer("quote"))

    def close(self) -> None:
        """Close the container that was opened last."""
        if self._stack[-1].kind == "item":
            self._write_label()
        container = self._stack.pop()
        if self._shown[-1] is container:
            self._shown.pop()
            self._line_prefix = line_prefix_of(self._shown)

    @property
    def depth(self) -> int:
        """How many containers are open."""
        return len(self._stack)

    def _open(self, container: OpenContainer) -> None:
        if container.kind != "item" and len(self._shown) > _DEEPEST_CONTAINER:
            container.is_shown = False
        self._stack.append(container)
        if container.is_shown:
            self._shown.append(container)

    # ---------------------------------------------------------------- blocks

    def heading(self, level: int, text: Inline, origin: str = "") -> None:
        """Write a heading; a level outside 1 to 6 becomes the nearest of these."""
        self._write_label()
        content = to_markdown(_one_line(text), dollars=True)
        if content:
            content = _CLOSING_SEQUENCE.sub(r"\\\1", content)
            content = _TITLE_MARK.sub(lambda mark: mark[1] or f"\\{mark[0]}", content)
            self._write([f"{'#' * max(1, min(level, 6))} {content}"], origin)

    def paragraph(
        self,
        text: Inline,
        origin: str = "",
        typography: Typography = DEFAULT_TYPOGRAPHY,
        *,
        may_be_title: bool = True,
    ) -> None:
        """Write a paragraph.

        Args:
            text: Its text.
            origin: Where it comes from.
            typography: How it is formatted, always with its size if that is known.
            may_be_title: Whether its typography may be evidence of a title.
        """
        item = self._innermost_item()
        if item is not None and item.label:
            label, item.label = item.label, ""
            text = [*as_parts(label), " ", *as_parts(text)]
        content = to_markdown(text)
        if content:
            self._write(escape_block_starts(content).split("\n"), origin, is_paragraph=True)
            self._typography.add(
                self._text_start, typography, len(content), may_be_title=may_be_title
            )

    def paragraphs(
        self, text: str, origin: str = "", typography: Typography = DEFAULT_TYPOGRAPHY
    ) -> None:
        """Write the paragraphs of a text, which blank lines separate; all are formatted alike."""
        for paragraph in BLANK_LINES.split(text):
            self.paragraph(paragraph, origin, typography)

    def code(self, text: str, language: str = "", origin: str = "") -> None:
        """Write a fenced code block; blank lines at its ends are left out."""
        self._write_label()
        text = clean(text)
        if not text.strip():
            return
        fence = "`" * max(3, longest_run(text) + 1)
        language = "".join([sign for sign in language if sign.isalnum() or sign in "_+#./-"])
        content = dropwhile(lambda line: not line.strip(), lines_of(text.rstrip()))
        self._write([fence + language, *content, fence], origin)

    def math(self, text: str, origin: str = "") -> None:
        """Write display math, given as TeX."""
        lines = [line for line in lines_of(clean(text).strip()) if line.strip()]
        if "$$" in text:
            self.code(text, "math", origin)
        elif lines:
            self._write_label()
            self._write(["$$", *lines, "$$"], origin)

    def image(self, text: Inline, target: str = "", origin: str = "") -> None:
        """Write an image as a block of its own, with its alternative text."""
        self.paragraph([InlinePiece(flat(text), "image", target)], origin)

    def rule(self, origin: str = "") -> None:
        """Write a thematic break."""
        self._write_label()
        self._write(["___"], origin)

    def table(
        self,
        rows: Sequence[Sequence[Cell | Inline]],
        header_rows: int = 0,
        caption: Inline = "",
        origin: str = "",
    ) -> None:
        """Write a table; `fill` repeats cells that span several places.

        Args:
            rows: For each row, the cells that begin in it; header rows first.
            header_rows: How many rows at the top name the columns.
            caption: The table's caption.
            origin: Where it came from.
        """
        self.grid(fill(rows, header_rows, self.fill_limit), caption, origin)

    def grid(self, grid: Grid, caption: Inline = "", origin: str = "") -> None:
        """Write a table that is already laid out.

        With one header row or none it becomes GFM, with the caption as a paragraph before it. With
        several header rows it becomes HTML.
        """
        self._write_label()
        has_text = any(flat(cell) for row in grid.rows for cell in row)
        if has_text and grid.header_rows > 1:
            self._write(html_lines(grid, caption), origin)
            return
        if flat(caption):
            self._caption(caption, origin)
        if has_text:
            self._write(gfm_lines(grid), origin)

    def raw(self, markdown: str, origin: str = "") -> None:
        """Write markdown as it is; it must consist of whole blocks."""
        self._write_label()
        lines = lines_of(markdown.strip("\r\n"))
        if any(line.strip() for line in lines):
            self._write(lines, origin)

    def _caption(self, caption: Inline, origin: str) -> None:
        """Write a caption between marks of emphasis; inside it, links are kept, but no emphasis."""
        parts = as_parts(caption)
        text = [p if is_link(p) else SPACES.sub(" ", plain_of(p)) for p in parts]
        content = to_markdown(text)
        for delimiter in "*_":
            if delimiter not in content:
                self._write([f"{delimiter}{content}{delimiter}"], origin)
                return
        self.paragraph(text, origin)

    # ---------------------------------------------------------------- places

    def page(self, number: int | None) -> None:
        """Set the page of the text from the next block on; None changes nothing."""
        if number is not None and number != self.current_page:
            self.current_page = self._pending_page = number

    def continue_on_page(self, number: int, *, words: int = 0, lines: int = 0) -> None:
        """Record that the end of the last block is on a further page.

        Args:
            number: The page.
            words: How many of its last words are on that page; pages end between words.
            lines: Or how many of its last lines; each row of a table is a line.
        """
        self.current_page = number
        written = self._parts[self._last_block :]
        if lines:
            written = written[-lines:]
        text = "".join(written)
        starts = [match.start() for match in _WORD.finditer(text)] if words else [0]
        if text and starts:
            start = starts[-min(words, len(starts))]
            self._page_marks.append((self._length - len(text) + start, number))

    def source(self) -> Source:
        """Return everything written so far."""
        return Source(
            "".join(self._parts),
            self.name,
            self.metadata,
            tuple(self._page_marks),
            tuple(self._origins),
            self._typography.result(),
        )

    # ---------------------------------------------------------------- lines

    def _innermost_item(self) -> OpenContainer | None:
        """Return the innermost container if it is an item, or None."""
        return self._stack[-1] if self._stack and self._stack[-1].kind == "item" else None

    def _write_label(self) -> None:
        """Write the item's label as a paragraph of its own, if no paragraph has taken it yet."""
        item = self._innermost_item()
        if item is not None and item.label:
            self.paragraph("")

    def _write(self, lines: Iterable[str], origin: str, *, is_paragraph: bool = False) -> None:
        """Write a block's lines after the markers of the open containers."""
        if self._parts and not (is_paragraph and self._after_item_text and self._is_tight()):
            self._append(f"{self._line_prefix.rstrip()}\n")
        self._last_block = len(self._parts)
        self._record_position(origin)
        innermost = self._shown[-1]
        self._after_item_text = (
            is_paragraph and innermost.kind == "item" and not innermost.block_count
        )
        prefix = self._begin_containers()
        self._text_start = self._length + len(prefix)
        for line in lines:
            self._append(f"{prefix}{line}\n" if line else f"{prefix.rstrip()}\n")
            prefix = self._line_prefix
        innermost.last_delimiter = ""

    def _is_tight(self) -> bool:
        """Return whether text that begins an item may follow another item's without a blank line.

        Right after an item's first paragraph, an ordered list can begin only with the number 1.
        """
        shown = self._shown
        first_empty = next(
            (at for at, container in enumerate(shown) if not container.block_count), 0
        )
        if not first_empty or any(container.kind == "quote" for container in shown):
            return False
        if shown[first_empty].kind == "item":
            return True
        is_first_inside = (
            shown[first_empty - 1].kind == "item" and shown[first_empty - 1].block_count == 1
        )
        return is_first_inside and shown[first_empty + 1].marker in ("", "1")

    def _begin_containers(self) -> str:
        """Begin the containers that are still empty, and return the prefix of the first line."""
        prefix = self._line_prefix
        if not self._shown[-1].block_count:
            parts: list[str] = []
            for outer, container in pairwise(self._shown):
                if container.block_count:
                    parts.append(container.line_prefix)
                else:
                    set_marker(outer, container)
                    parts.append(container.marker)
            prefix = "".join(parts)
            self._line_prefix = line_prefix_of(self._shown)
        for container in self._shown:
            container.block_count += 1
        return prefix

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
        self._bytes_left -= len(text) if text.isascii() else len(text.encode(errors="replace"))
        if self._bytes_left < 0:
            most = f"{MOST_TIMES} times its {self._size:,} bytes, and than {MOST_BYTES:,} bytes"
            msg = (
                f"{self.name or 'the input'}: the text made of it is longer than {most}: a document"
                " that repeats so much is damaged or hostile; repair it or leave it out"
            )
            raise SourceError(msg)

    def _record_position(self, origin: str) -> None:
        """Record the page and the origin of the block that begins here."""
        if self._pending_page is not None:
            self._page_marks.append((self._length, self._pending_page))
            self._pending_page = None
        if origin and not (self._origins and self._origins[-1][1] == origin):
            self._origins.append((self._length, origin))


def _one_line(inline: Inline) -> Inline:
    """Return inline content with line ends as spaces."""
    if isinstance(inline, str):
        return flat(inline)
    return [SPACES.sub(" ", part) if isinstance(part, str) else part for part in inline]

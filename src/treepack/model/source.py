r"""Source: a text with a name, and the one definition of a line.

A line ends at ``\r\n``, ``\n`` or ``\r`` and nowhere else, as in CommonMark section 2.1;
``str.splitlines`` would also break at form feeds, U+2028 and others.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, cast

from treepack.errors import wrong_type
from treepack.model.pages import Page, joined_pages
from treepack.model.typography import Typography

ANY_LINE_END: Final = r"(?:\r\n|\n|\r(?!\n))"
r"""The pattern of a line end, for use in other patterns.

Never write ``\r\n?``. If another line end follows in the pattern, ``\r\n?`` can give back its
``\n``, and one CR LF counts as two line ends.
"""

LINE_END: Final = re.compile(ANY_LINE_END)
BYTE_ORDER_MARK: Final = "\ufeff"
_LINE_FEED: Final = re.compile(r"\n")
_FOUR_BYTE_LIMIT: Final = 1 << 32  # characters; from there on, an offset takes more than four bytes


@dataclass(frozen=True)
class Source:
    """A document's text; all offsets in treepack are characters of it, half-open.

    Attributes:
        text: The text, never changed.
        name: File name or another key that is the same in each run; may be empty.
        metadata: Facts about the document that are not in its text.
        page_marks: (offset, page) pairs in ascending order: the text from the offset on is on that
            page.
        origins: (offset, place) pairs in ascending order: the text from the offset on came from
            that place of the original, such as ``html:1200-1310`` or ``docx:paragraph 12``. Empty
            if the text is the original.
        typography: (offset, typography) pairs in ascending order: how the original formats the
            paragraph whose text begins at the offset, after the markers of lists and quotes. Only
            for paragraphs about which a reader knows something.
        left_out: (offset, what and why) pairs in ascending order: what the original has at that
            place and the text does not, such as the running headers of a PDF's pages.
    """

    text: str
    name: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    page_marks: tuple[tuple[int, int], ...] = ()
    origins: tuple[tuple[int, str], ...] = ()
    typography: tuple[tuple[int, Typography], ...] = ()
    left_out: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        # Otherwise a wrong type would only cause an error deep in the parser.
        for what, given in {"text": cast("object", self.text), "name": self.name}.items():
            if not isinstance(given, str):
                raise wrong_type(given, "Source", f"a str as its {what}")

    @classmethod
    def from_pages(
        cls, pages: Iterable[Page], *, name: str = "", metadata: Mapping[str, Any] | None = None
    ) -> "Source":
        """Join separate pages to one text, as Mistral OCR, LlamaParse or Textract return them.

        A sentence that a page break cuts continues in the joined text, and chunks know their pages.
        Pages without a number are numbered from 1.

        Raises:
            TypeError: A page is neither a text nor such a pair.
        """
        joined = joined_pages(pages)
        return cls(joined.text, name, metadata or {}, joined.marks)

    @cached_property
    def line_starts(self) -> "array[int]":
        """The offset of each line's first character, then the length of the text.

        A byte order mark is not part of the first line.
        """
        text = self.text
        starts = array("I" if len(text) < _FOUR_BYTE_LIMIT else "Q", [0])
        line_end = LINE_END if "\r" in text else _LINE_FEED  # enough for most texts, much faster
        starts.extend(map(re.Match[str].end, line_end.finditer(text)))
        if text.startswith(BYTE_ORDER_MARK):
            starts[0] = 1
        if starts[-1] != len(text) or len(starts) == 1:
            starts.append(len(text))
        return starts

    @property
    def is_from_html(self) -> bool:
        """Whether the text came from HTML, so it may still contain page furniture."""
        return bool(self.origins) and self.origins[0][1].startswith("html")

    @property
    def line_count(self) -> int:
        """The number of lines; an empty text has one empty line."""
        return len(self.line_starts) - 1

    def line_at(self, offset: int) -> int:
        """Return the line, from 0, that contains the character at ``offset``."""
        starts = self.line_starts
        return bisect_right(starts, offset, 1, len(starts) - 1) - 1

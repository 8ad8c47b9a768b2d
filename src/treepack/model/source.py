r"""Source: a text with a name, and the one definition of a line.

A caller gives a document as text, never as a file path to open.

A line ends at ``\r\n``, ``\n`` or ``\r`` and nowhere else, as in CommonMark section 2.1;
``str.splitlines`` would also break at form feeds, U+2028 and others.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple, cast

from treepack.errors import SourceError, wrong_type
from treepack.model.pages import Page, joined_pages


@dataclass(frozen=True, slots=True)
class Typography:
    """The formatting of one paragraph, as a reader saw it.

    Attributes:
        bold: Whether all of its text is bold.
        size: The size of its font in points, if all of its text is larger than the usual text of
            the document; None otherwise, and if no size is known.
        level: The heading level, from 1, that the name of its style or class seems to mean.
    """

    bold: bool = False
    size: float | None = None
    level: int | None = None


ANY_LINE_END: Final = r"(?:\r\n|\n|\r(?!\n))"
r"""The pattern of a line end, for use in other patterns.

Never write ``\r\n?``. If another line end follows in the pattern, ``\r\n?`` can give back its
``\n``, and one CR LF counts as two line ends.
"""

LINE_END: Final = re.compile(ANY_LINE_END)
LINE_TEXT: Final = re.compile(r"[^\r\n]+")
"""What a line has before its end."""
BYTE_ORDER_MARK: Final = "\ufeff"
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
        line_end = LINE_END if "\r" in text else "\n"  # enough for most texts, much faster
        starts.extend(map(re.Match[str].end, re.finditer(line_end, text)))
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


_LINE: Final = re.compile(r"([\s\ufeff]*+)([^\r\n\f]*)")
_LINE_END: Final = re.compile(r"\r\n|[\r\n\f]")


class TextLine(NamedTuple):
    """A line that is not blank.

    Attributes:
        start: Its first character that is not whitespace.
        end: After its last one; characters, half-open.
        indent: The characters before it on its line.
        number: Its number in the text, from 0; a form feed ends a line as well.
    """

    start: int
    end: int
    indent: int
    number: int


class Lines:
    """The lines of a text, found when they are first needed."""

    def __init__(self, text: str) -> None:
        """Take the text."""
        self.text = text

    @cached_property
    def all(self) -> list[TextLine]:
        """All lines that are not blank, in order."""
        lines: list[TextLine] = []
        spaces: dict[str, tuple[int, int]] = {}  # few, and measuring them takes half of the time
        end = number = 0
        for space, body in _LINE.findall(self.text):
            ends, indent = spaces.get(space) or spaces.setdefault(space, _ends_and_indent(space))
            start, number = end + len(space), number + ends
            end = start + len(body)
            if body:
                lines.append(TextLine(start, start + len(body.rstrip()), indent, number))
        return lines


def _ends_and_indent(space: str) -> tuple[int, int]:
    """Return how many lines end in whitespace, and its length after the last line end."""
    ends = [match.end() for match in _LINE_END.finditer(space)]
    return len(ends), len(space) - (ends[-1] if ends else 0)


_LONGEST_PATH: Final = 1024  # characters; paths that people type are shorter
# File name extensions of formats that treepack reads, converts first (`readers.formats`) or writes.
# ".org" is missing because host names end with it too.
_PATH: Final = re.compile(
    r"""
    # A heading, a quote, a row, an item or a link definition is markdown. "See: a.md" and
    # "Moved to https://host/a.md" are texts.
    (?! (?:\#{1,6}|[>|*+-]) [ \t] | \[[^\[\]]{1,99}\]: | [^\r\n]*(?::[ \t] | [ \t]https?://) )
    [^\r\n]* [^\r\n/\\] \.
    (?: md|markdown|mdx|txt|html?|xhtml|do[ct][xm]|json
      | pdf|pptx?|xlsx?|epub|msg|eml|[ct]sv|doc|od[tps]|rtf|wpd|pages|tex|typ|ipynb|fb2
      | re?st|adoc|asciidoc|png|jpe?g|tiff?|bmp|webp|gif
      | jsonl|parquet )
    """,
    re.VERBOSE | re.IGNORECASE,
)


def text_source(text: object, name: str, *, call: str, takes: str, opener: str) -> Source:
    """Return the caller's text as a source; no file is ever opened.

    Messages name the ``call``, what it ``takes``, and the ``opener`` that reads a path for it.

    Raises:
        TypeError: ``text`` is neither a string nor a `Source`.
        SourceError: ``text`` is one line that looks like a file path, given by mistake.
    """
    if isinstance(text, Source):
        return text
    if not isinstance(text, str):
        raise wrong_type(text, call, takes)
    if looks_like_a_path(text):
        path = text.strip()
        msg = (
            f"{path!r} looks like the path of a file, but {call} takes a string as text and never "
            f"opens it: to read the file, give {opener}({path!r}); if this is the text, give "
            f"Source({path!r})"
        )
        raise SourceError(msg)
    return Source(text, name)


def looks_like_a_path(text: str) -> bool:
    """Whether a text is a single line that ends like a file name of a document.

    It does not ask the file system, because then a text could be used to find out which files
    exist.

    >>> [looks_like_a_path(text) for text in ("docs/my notes.md", "Read notes.md.", "# notes.md")]
    [True, False, False]
    """
    return len(text) <= _LONGEST_PATH and _PATH.fullmatch(text.strip()) is not None

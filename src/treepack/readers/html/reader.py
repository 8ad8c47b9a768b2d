"""HTML to a `Source`: headings, lists, tables, code and quotes as markdown."""

import codecs
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import Final, Literal

from treepack.errors import SourceError
from treepack.model.source import Source
from treepack.readers.decoding import decode
from treepack.readers.html.tree import HtmlElement, parse_page, selectors_for
from treepack.readers.html.walk import PageWalker, breaks_of
from treepack.readers.links_and_emphasis import TEXT_ONLY, KeepOptions
from treepack.readers.writer import MarkdownWriter

Converter = Callable[[str], str]

_EXAMINED: Final = 4096  # bytes; the HTML standard looks at 1024 for the encoding
_ENCODING_DECLARATION: Final = re.compile(
    rb"""<meta[^>]+?charset\s*=\s*["']?\s*([\w.:-]+) | <\?xml[^>]+?encoding\s*=\s*["']([\w.:-]+)""",
    re.IGNORECASE | re.VERBOSE,
)
# What browsers decode these labels as, by the Encoding Standard.
_AS_BROWSERS: Final = {
    "iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030",
    "shift_jis": "cp932", "euc_kr": "cp949", "iso8859-9": "cp1254", "iso8859-11": "cp874",
    "utf-16": "utf-8", "utf-16-le": "utf-8", "utf-16-be": "utf-8", "utf-32": "utf-8",
}  # fmt: skip
_BYTE_ORDER_MARKS: Final = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

# Of pages that are plain text: bills, federal rules, RFCs, old filings.
_SHORTEST_PLAIN: Final = 1000  # characters; a shorter text may be a code listing
_CODE_CLASS: Final = re.compile(r"(?i:\b(?:lang|highlight|source|brush|code|listing|syntax))")
_LONGEST_PAGE: Final = 8000  # characters; a dense page in small type holds 6,000


def read_html(  # noqa: PLR0913 - the options are keyword-only
    html: str | bytes,
    name: str = "",
    *,
    heading_selectors: Mapping[str, int] | None = None,
    converter: Converter | None = None,
    encoding_errors: Literal["replace", "strict"] = "replace",
    keep: KeepOptions = TEXT_ONLY,
) -> Source:
    """Read an HTML page as a `Source` of markdown.

    Scripts, hidden parts, navigation, page headers and footers are left out. If the page marks its
    main part, only that part is read. A page of plain text in ``<pre>`` becomes that text.

    Args:
        html: The page. Bytes are decoded by byte order mark, ``<meta>`` or XML declaration.
        name: The document's name.
        heading_selectors: CSS selectors of elements that are headings, with their levels 1 to 6;
            0 continues the previous heading. Those of EUR-Lex, Word, Sphinx and others are built
            in (`treepack.readers.html.tree.HEADING_SELECTORS`).
        converter: Converts HTML to markdown instead of this reader.
        encoding_errors: As for `treepack.read`.
        keep: Whether links and emphasis are kept.

    Raises:
        SourceError: The input is binary, its bytes do not fit its encoding, or a selector is not
            valid CSS.
        MissingExtraError: The package that parses HTML is not installed.
    """
    text = html if isinstance(html, str) else decode_html(html, name, encoding_errors)
    root, content, metadata = parse_page(text, selectors_for(heading_selectors or {}))
    if converter is not None:
        return Source(converter(text), name, metadata)
    if (plain := _plain_text(content)) is not None:
        return Source(plain, name, metadata)
    writer = MarkdownWriter(name, metadata, len(html))
    walker = PageWalker(writer, keep)
    if (title := _title_outside_text(root, content)) is not None:
        walker.walk(title)
    is_paged = any(breaks_of(element.attributes) for element in content.walk())
    walker.walk(content, is_paged=is_paged)
    source = writer.source()
    pages = source.page_marks if _are_pages(source.page_marks, len(source.text)) else ()
    return replace(source, page_marks=pages)


def decode_html(
    data: bytes, name: str, encoding_errors: Literal["replace", "strict"] = "replace"
) -> str:
    """Decode a page's bytes by byte order mark or declaration, else as UTF-8; see `read_html`."""
    label = name or "the input"
    if data.startswith(b"%PDF-"):
        msg = f"{label}: it is not HTML but a PDF; rename it to end in .pdf"
        raise SourceError(msg)
    encoding = "utf-8" if data.startswith(_BYTE_ORDER_MARKS) else _declared_encoding(data)
    if encoding == "utf-8":
        return decode(data, label, encoding_errors)
    try:
        return data.decode(encoding, encoding_errors)
    except UnicodeDecodeError as error:
        msg = (
            f"{label}: byte {error.start} is not valid {encoding}, which the page declares; correct"
            " the declaration, or allow replacement (encoding_errors='replace')"
        )
        raise SourceError(msg) from error


def _declared_encoding(data: bytes) -> str:
    """Return Python's name of the encoding that a page declares; UTF-8 if unknown or missing."""
    match = _ENCODING_DECLARATION.search(data, 0, _EXAMINED)
    if match is None:
        return "utf-8"
    label = (match[1] or match[2]).decode("ascii", "replace")
    try:
        encoding = codecs.lookup(label).name
        b" ".decode(encoding, "replace")  # fails for codecs that encode no text, such as hex
    except LookupError:
        return "utf-8"
    return _AS_BROWSERS.get(encoding, encoding)


def _title_outside_text(root: HtmlElement, content: HtmlElement) -> HtmlElement | None:
    """Return the page's first ``<h1>``, in a ``<div>``, if the text has no heading of level 1.

    Many pages have their title in ``<header>``, where no chunk would contain it.
    """
    if any(element.level == 1 for element in content.walk(in_text=True)):
        return None
    titles = (h1 for h1 in root.walk() if h1.name == "h1" and h1.level == 1)
    return next((HtmlElement("div", children=[title]) for title in titles), None)


def _plain_text(content: HtmlElement) -> str | None:
    """Return the text of a page that consists of ``<pre>`` elements; None for other pages.

    A browser shows it as it was typed, so it is read like a plain text file. Several elements
    become pages, separated by form feeds. Code, known by its markup, is no plain text.
    """
    texts: list[str] = []
    around = spans = 0
    stack: list[HtmlElement | str] = [content]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            around += len(node.strip())
        elif node.level is not None or _CODE_CLASS.search(" ".join(node.classes)):
            return None
        elif node.name == "pre":
            inside = [*node.walk()]
            if any(inner.name == "code" or inner.level is not None for inner in inside):
                return None
            spans += sum(inner.name == "span" for inner in inside)
            texts.append(node.text())
        elif not node.is_furniture:
            stack += node.children[::-1]
    size = sum(len(text.strip()) for text in texts)
    # Little may be around it, such as links to other formats.
    if size < _SHORTEST_PLAIN or 20 * around > size:
        return None
    lines = sum(bool(line.strip()) for text in texts for line in text.split("\n"))
    is_coloured = 2 * spans > lines
    return None if is_coloured else "\f".join(texts)


def _are_pages(marks: tuple[tuple[int, int], ...], length: int) -> bool:
    """Return whether breaks at (offset, page) marks separate pages, and not longer chapters."""
    offsets = [offset for offset, _ in marks]
    sizes = [after - start for start, after in pairwise([*offsets, length])]
    return len(sizes) > 1 and median(sizes) <= _LONGEST_PAGE

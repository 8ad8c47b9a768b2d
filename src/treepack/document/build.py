"""Source to Document: the whole way of the first phase on one page."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias, get_args

from treepack.document.arguments import text_source
from treepack.document.blocks import Block, CodeBlock, FrontMatter, ListItem, Span, children
from treepack.document.collector import collector_paused
from treepack.document.front_matter import find_front_matter
from treepack.document.markdown import parse_blocks
from treepack.document.outline import repair_outline
from treepack.document.page_marks import PageMarks, find_page_marks, without_gaps
from treepack.document.source import BYTE_ORDER_MARK, Source
from treepack.document.tree import Document, Skipped, build_tree
from treepack.errors import check_choice
from treepack.tokens import Engine, TokenCounter, token_counter, token_index

Parser: TypeAlias = Literal["scanner", "markdown-it"]
"""What finds blocks: ``scanner`` settles plain ones and leaves all others to markdown-it;
``markdown-it`` reads all, and takes longer. Both find the same."""


def parse(  # noqa: PLR0913 - each is a choice of the caller
    text: str | Source,
    *,
    name: str = "",
    encoding: str | TokenCounter = "cl100k_base",
    front_matter: Literal["metadata", "text"] = "metadata",
    outline: Literal["auto", "trust"] = "auto",
    page_pattern: str | re.Pattern[str] | None = None,
    parser: Parser = "scanner",
    engine: Engine = "default",
) -> Document:
    """Parse markdown into a tree of sections that hold blocks.

    Args:
        text: The markdown, or a `Source` that holds it. No file is opened: for one, give
            ``read(path)``.
        name: The document's name, when ``text`` is a plain string.
        encoding: What tokens are counted with; see `treepack.token_counter`.
        front_matter: Whether YAML or TOML at the top becomes metadata or stays as text.
        outline: With ``auto``, headings whose levels contradict their numbers are nested by the
            numbers, and page heads, table-of-contents entries and empty headings become text; each
            change is in ``outline_changes``. With ``trust``, levels stay as they are.
        page_pattern: A mark between pages beside those that are known, where the source has no page
            marks of its own; see `document.page_marks`.
        parser: What finds blocks, see `Parser`; the document is the same.
        engine: What counts: ``fast`` is splintr, the extra ``fast``; the document is the same.

    Raises:
        SourceError: The text is one line that looks like the path of a file; ``Source(text)`` says
            that it is the text itself.
        TypeError: It is no text.
        ValueError: A setting has a value that it does not take.
        TokenizerError: The encoding is unknown, or none that ``engine`` counts.
        MissingExtraError: What ``engine`` or the encoding needs is not installed.
        PagePatternError: The page pattern is no regular expression.
    """
    check_choice("front_matter", front_matter, ("metadata", "text"))
    check_choice("outline", outline, ("auto", "trust"))
    check_choice("parser", parser, get_args(Parser))
    source = text_source(text, name, call="parse", takes="text or a Source", opener="read")
    start, skipped, values, front = _top(source.text, front_matter)
    metadata = {**values, **source.metadata}
    scan = parser == "scanner"
    marks = _page_marks(source, start, page_pattern, scan=scan)
    if marks.pages and not source.page_marks:
        source = replace(source, page_marks=marks.pages)
    gaps = [(begin, end) for begin, end, _ in marks.gaps]
    index = token_index(source.text, token_counter(encoding, engine=engine), gaps)
    view = replace(source, text=without_gaps(source.text, gaps)) if gaps else source
    blocks: list[Block] = [FrontMatter(*front, index.count)] if front else []
    with collector_paused():
        blocks.extend(parse_blocks(view, index.count, start, scan=scan))
    blocks, changes = repair_outline(blocks, view) if outline == "auto" else (blocks, ())
    root = build_tree(blocks, view.name, index.count)
    document = Document(source, root, encoding, (*skipped, *marks.gaps), metadata, changes, engine)
    # The index is a cache that any document can make again; the one at hand is put in its place.
    document.__dict__["tokens"] = index
    return document


def _top(
    text: str, front_matter: Literal["metadata", "text"]
) -> tuple[int, list[Skipped], Mapping[str, Any], Span | None]:
    """Where markdown begins, what is skipped before it, metadata, and front matter that is text."""
    start = 1 if text.startswith(BYTE_ORDER_MARK) else 0
    skipped: list[Skipped] = [(0, 1, "byte order mark")] if start else []
    found = find_front_matter(text)
    if found is None:
        return start, skipped, {}, None
    end, values = found
    if front_matter == "text" or values is None:
        return end, skipped, {}, (start, end)
    return end, [*skipped, (start, end, "front matter")], values, None


def _page_marks(
    source: Source, start: int, pattern: str | re.Pattern[str] | None, *, scan: bool
) -> PageMarks:
    """The page marks behind ``start``; a reader's text has none.

    What is code, and so no mark, is judged by the text as it is written: it is parsed for that
    where a mark could stand in code, and the text without the marks is parsed in any case, as a
    block may go on across a page.
    """
    if source.origins:
        return PageMarks()

    def code() -> list[Span]:
        with collector_paused():
            return _code_spans(parse_blocks(source, _no_count, start, scan=scan))

    return find_page_marks(source.text, code, start=start, pattern=pattern)


def _no_count(_start: int, _end: int) -> int:
    msg = "nobody asks where only the places of code are wanted"
    raise AssertionError(msg)


def _code_spans(blocks: Sequence[Block]) -> list[Span]:
    """Where code stands, in lists and quotes as well."""
    spans: list[Span] = []
    waiting: list[Block | ListItem] = list(reversed(blocks))
    while waiting:
        block = waiting.pop()
        if isinstance(block, CodeBlock):
            spans.append((block.start, block.end))
        waiting.extend(reversed(children(block)))
    return spans

"""From `Source` to `Document`: the whole first phase on one page."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

from treepack.document.document import Document, Skipped
from treepack.errors import check_choice
from treepack.gc_pause import gc_paused
from treepack.heading_patterns import compile_heading_patterns
from treepack.markdown.front_matter import find_front_matter
from treepack.markdown.markdown_it import parse_blocks
from treepack.markdown.page_marks import PageMarks, find_page_marks, without_gaps
from treepack.model.arguments import text_source
from treepack.model.blocks import Block, CodeBlock, Count, FrontMatter, ListItem, Span, children
from treepack.model.section import build_tree
from treepack.model.source import BYTE_ORDER_MARK, Source
from treepack.outline.furniture import find_furniture, merged_gaps
from treepack.outline.outlined import outlined
from treepack.outline.placed import with_blanks, with_marks
from treepack.plain.blocks import parse_plain
from treepack.plain.choice import Choice, choose
from treepack.tokens import Engine, TokenCounter, token_counter, token_index

Parser: TypeAlias = Literal["scanner", "markdown-it"]
"""How blocks are found: ``scanner`` reads plain blocks itself and leaves the others to markdown-it;
``markdown-it`` reads all blocks and takes longer. The blocks are the same."""


BlockFinder: TypeAlias = Callable[[Source, Count, int, Sequence[Span]], list[Block]]
"""Reads the blocks of a text from an offset on, around the lines of titles that are known."""


def parse(  # noqa: PLR0913 - each argument is a choice of the caller
    text: str | Source,
    *,
    name: str = "",
    file: str = "",
    encoding: str | TokenCounter = "cl100k_base",
    front_matter: Literal["metadata", "text"] = "metadata",
    markup: Literal["auto", "markdown", "plain"] = "auto",
    outline: Literal["auto", "trust"] = "auto",
    page_pattern: str | re.Pattern[str] | None = None,
    heading_patterns: Mapping[int, str] | None = None,
    parser: Parser = "scanner",
    engine: Engine = "default",
) -> Document:
    """Parse markdown or plain text into a tree of sections that hold blocks.

    Args:
        text: The text, or a `Source` with it. No file is opened; to read one, give
            ``read(path)``.
        name: The document's name, if ``text`` is a plain string.
        file: The name of the text's file, if that is not the document's name. Its ending counts
            where ``markup`` is ``auto``; the file is not opened.
        encoding: How tokens are counted; see `treepack.token_counter`.
        front_matter: Whether YAML or TOML at the top becomes metadata or stays as text.
        markup: How the text is read. Plain text has paragraphs and lists, and no marks: a line
            that begins with ``#`` is no heading, and an indented line is no code. With ``auto``,
            the document's name and its lines decide; the document says how and why.
        outline: With ``auto``, headings whose levels contradict their numbers are nested by their
            numbers, and page headers, table-of-contents entries and empty headings become text.
            Where hardly any heading is marked, titles are found that no mark shows, and page
            furniture is skipped. ``outline_changes`` lists each change. With ``trust``, only marks
            count, as they are.
        page_pattern: A pattern for page marks in addition to the known ones, used if the source
            has no page marks of its own; see `treepack.markdown.page_marks`.
        heading_patterns: Which lines are titles: levels from 1, each with a regular expression
            that is searched for in a line without the blanks around it. If any line matches, no
            other titles are looked for. See `treepack.heading_patterns`.
        parser: How blocks are found, see `Parser`; the document is the same.
        engine: What counts tokens: ``fast`` is splintr, the extra ``fast``; the document is the
            same.

    Raises:
        SourceError: The text is one line that looks like a file path; use ``Source(text)`` if it
            really is the text.
        TypeError: ``text`` is neither a string nor a `Source`.
        ValueError: A setting has a value that is not allowed.
        TokenizerError: The encoding is unknown, or ``engine`` does not support it.
        MissingExtraError: A package that ``engine`` or the encoding needs is not installed.
        PagePatternError: The page pattern is not a regular expression.
        HeadingPatternError: A heading pattern is not one either, or may take long.
    """
    check_choice("front_matter", front_matter, ("metadata", "text"))
    check_choice("markup", markup, ("auto", "markdown", "plain"))
    check_choice("outline", outline, ("auto", "trust"))
    check_choice("parser", parser, get_args(Parser))
    patterns = compile_heading_patterns(heading_patterns)
    source = text_source(text, name, call="parse", takes="text or a Source", opener="read")
    taken = choose(source, file) if markup == "auto" else Choice(markup, "the settings say so")
    is_plain = taken.markup == "plain"
    start, skipped, values, front = _top(source.text, front_matter, is_plain=is_plain)
    metadata = {**values, **source.metadata}
    find_blocks = _plain_blocks if is_plain else partial(_markdown_blocks, parser=parser)
    marks = _page_marks(source, start, page_pattern, None if is_plain else find_blocks)
    if marks.pages and not source.page_marks:
        source = replace(source, page_marks=marks.pages)
    skips = marks.gaps
    if outline == "auto" and not source.origins:
        skips = merged_gaps(skips, find_furniture(source, skips))
    gaps = [(begin, end) for begin, end, _ in skips]
    index = token_index(source.text, token_counter(encoding, engine=engine), gaps)
    view = replace(source, text=without_gaps(source.text, gaps)) if gaps else source

    def read(text: Source, titles: Sequence[Span] = ()) -> list[Block]:
        found: list[Block] = [FrontMatter(*front, index.count)] if front else []
        with gc_paused():
            return [*found, *find_blocks(text, index.count, start, titles)]

    is_auto = outline == "auto"
    blocks, changes = outlined(
        source, view, gaps, read, count=index.count, patterns=patterns, is_auto=is_auto
    )
    root = build_tree(blocks, view.name, index.count)
    left_out = (*skipped, *skips)
    document = Document(source, root, encoding, left_out, metadata, changes, *taken, engine)
    # The token index is a cached property; store the one that is already built.
    document.__dict__["tokens"] = index
    return document


def _markdown_blocks(
    text: Source, count: Count, start: int, titles: Sequence[Span], *, parser: Parser
) -> list[Block]:
    return parse_blocks(with_marks(text, titles), count, start, scan=parser == "scanner")


def _plain_blocks(text: Source, count: Count, start: int, titles: Sequence[Span]) -> list[Block]:
    breaks = [begin for begin, _ in titles]
    return parse_plain(with_blanks(text, titles), count, start, breaks)


def _top(
    text: str, front_matter: Literal["metadata", "text"], *, is_plain: bool
) -> tuple[int, list[Skipped], Mapping[str, Any], Span | None]:
    """Return where the text begins, what is skipped before it, metadata, front matter as text.

    Plain text has no front matter: a rule at its top is a rule.
    """
    start = 1 if text.startswith(BYTE_ORDER_MARK) else 0
    skipped: list[Skipped] = [(0, 1, "byte order mark")] if start else []
    found = None if is_plain else find_front_matter(text)
    if found is None:
        return start, skipped, {}, None
    end, values = found
    if front_matter == "text" or values is None:
        return end, skipped, {}, (start, end)
    return end, [*skipped, (start, end, "front matter")], values, None


def _page_marks(
    source: Source,
    start: int,
    pattern: str | re.Pattern[str] | None,
    find_blocks: BlockFinder | None,
) -> PageMarks:
    """Return the page marks after ``start``; a reader's text has none.

    Nothing inside code is a mark. So if a mark could be inside code, the text is parsed once as
    it is, to find the code. The text without marks is parsed in any case, because a block may
    continue on the next page. In plain text, for which ``find_blocks`` is None, nothing is code.
    """
    if source.origins:
        return PageMarks()

    def code() -> list[Span]:
        assert find_blocks is not None, "asked only of markdown"
        with gc_paused():
            return _code_spans(find_blocks(source, _no_count, start, ()))

    judge = code if find_blocks else None
    return find_page_marks(source.text, judge, start=start, pattern=pattern)


def _no_count(_start: int, _end: int) -> int:
    msg = "the blocks parsed to find code cannot count tokens"
    raise AssertionError(msg)


def _code_spans(blocks: Sequence[Block]) -> list[Span]:
    """Return the spans of code, in lists and quotes too."""
    spans: list[Span] = []
    waiting: list[Block | ListItem] = list(reversed(blocks))
    while waiting:
        block = waiting.pop()
        if isinstance(block, CodeBlock):
            spans.append((block.start, block.end))
        waiting.extend(reversed(children(block)))
    return spans

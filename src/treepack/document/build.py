"""From `Source` to `Document`: the whole first phase on one page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from treepack.config import FrontMatterUse, Markups, Outline
from treepack.document.document import Document, Skipped
from treepack.errors import check_choice
from treepack.markdown.block_tokens import plain_text
from treepack.markdown.front_matter import find_front_matter, find_inner_front_matter
from treepack.markdown.markdown_it import parse_blocks
from treepack.model.blocks import Block, FrontMatter, Span, code_spans, is_inside
from treepack.model.section import build_tree
from treepack.model.source import BYTE_ORDER_MARK, Lines, Source, text_source
from treepack.outline.outlined import outlined, with_lines_as_headings
from treepack.pages.furniture import find_pages
from treepack.pages.gaps import PAGE_FRONT_MATTER, Gap, with_gaps, without_gaps
from treepack.pages.marks import has_fence
from treepack.plain.blocks import parse_plain
from treepack.plain.choice import Choice, choose
from treepack.tokens import TokenCounter, token_counter, token_index
from treepack.user_patterns import compile_heading_patterns


def parse(  # noqa: PLR0913 - each argument is a choice of the caller
    text: str | Source,
    *,
    name: str = "",
    file: str = "",
    encoding: str | TokenCounter = "cl100k_base",
    front_matter: FrontMatterUse = "metadata",
    markup: Markups = "auto",
    outline: Outline = "auto",
    page_pattern: str | None = None,
    heading_patterns: Mapping[int, str] | None = None,
) -> Document:
    """Parse markdown or plain text into a tree of sections that hold blocks.

    `PackConfig` has the same settings.

    Args:
        text: The text, or a `Source` with it. No file is opened: use ``read(path)`` for that.
        name: The document's name, if ``text`` is a plain string.
        file: The file's name, if it differs from the document's. Its extension may show the text's
            format, and citations use it for a document without title and name.
        encoding: How tokens are counted; see `treepack.tokens.token_counter`.
        front_matter: Whether YAML or TOML at the top becomes metadata or stays as text.
        markup: How the text is read; ``auto`` decides by its name and marks, see `Document.markup`.
        outline: ``auto`` corrects levels and finds titles; ``trust`` keeps headings as written.
        page_pattern: A pattern for page marks in addition to the known ones.
        heading_patterns: Which lines are titles: a regular expression for each level, from 1.

    Raises:
        SourceError: The text is one line that looks like a file path; give ``Source(text)`` then.
        TypeError: ``text`` is neither a string nor a `Source`.
        ValueError: A setting has a value that is not allowed; see `treepack.errors` for kinds.
    """
    check_choice("outline", outline, ("auto", "trust"))
    patterns = compile_heading_patterns(heading_patterns)
    source = text_source(text, name, call="parse", takes="text or a Source", opener="read")
    check_choice("markup", markup, ("auto", "markdown", "plain"))
    choice = choose(source, file) if markup == "auto" else Choice(markup, "the settings say so")
    is_plain, is_auto = choice.markup == "plain", outline == "auto"
    top = _top(source.text, front_matter, is_plain=is_plain)
    rows = Lines(source.text)

    def code() -> list[Span]:  # nobody counts the tokens of these blocks
        return code_spans(parse_blocks(source, lambda _start, _end: 0, top.end))

    def read(text: Source, titles: Sequence[Span] = ()) -> list[Block]:
        if is_plain:
            lines = rows if text.text is rows.text else Lines(text.text)
            return parse_plain(lines, index.count, top.end, titles)
        found = parse_blocks(with_lines_as_headings(text, titles), index.count, top.end)
        return [FrontMatter(*top.front_matter, index.count), *found] if top.front_matter else found

    source, gap_skips = find_pages(
        source,
        rows,
        None if is_plain else code,
        start=top.end,
        pattern=page_pattern,
        with_furniture=is_auto,
    )
    if not is_plain and front_matter == "metadata":
        gap_skips = _with_inner_front_matter(gap_skips, source.text, top.end, code)
    gaps = [(start, end) for start, end, _ in gap_skips]
    view = replace(source, text=without_gaps(source.text, gaps)) if gaps else source
    index = token_index(source.text, token_counter(encoding), gaps)
    blocks, changes = outlined(
        source,
        rows,
        view,
        gaps,
        read,
        count=index.count,
        plain_text=str if is_plain else partial(plain_text, references={}),
        patterns=patterns,
        is_auto=is_auto,
        is_plain=is_plain,
    )
    root = build_tree(blocks, source.name, index.count)
    left_out = [(offset, offset, reason) for offset, reason in source.left_out]
    skipped = tuple(sorted([*top.skipped, *gap_skips, *left_out], key=itemgetter(0)))
    metadata = {**top.metadata, **source.metadata}
    return Document(source, root, index, encoding, skipped, metadata, changes, *choice, file)


def _with_inner_front_matter(
    gaps: tuple[Gap, ...], text: str, start: int, code: Callable[[], Sequence[Span]]
) -> tuple[Gap, ...]:
    """Add the front matter of further pages to the gaps, except the examples of it in code."""
    found = find_inner_front_matter(text, start)
    if not (found or gaps):
        return ()  # the common case
    inside = code() if found and has_fence(text) else ()
    added = [(*span, PAGE_FRONT_MATTER) for span in found if not is_inside(span[0], inside)]
    return with_gaps(gaps, added)


class _Top(NamedTuple):
    """The offset from which blocks are read, what is skipped before it, and the front matter.

    Front matter is either skipped, with its values as ``metadata``, or a span that stays as text.
    """

    end: int
    skipped: tuple[Skipped, ...] = ()
    metadata: Mapping[str, Any] = {}
    front_matter: Span | None = None


def _top(text: str, front_matter: FrontMatterUse, *, is_plain: bool) -> _Top:
    """Return what is at the top of a text: byte order mark and, in markdown, front matter."""
    check_choice("front_matter", front_matter, ("metadata", "text"))
    start = 1 if text.startswith(BYTE_ORDER_MARK) else 0
    skipped: tuple[Skipped, ...] = ((0, 1, "byte order mark"),) if start else ()
    found = None if is_plain else find_front_matter(text)
    if found is None:
        return _Top(start, skipped)
    end, values = found
    if front_matter == "text" or values is None:
        return _Top(end, skipped, front_matter=(start, end))
    return _Top(end, (*skipped, (start, end, "front matter")), values)

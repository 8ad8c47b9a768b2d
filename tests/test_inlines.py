"""Text with formatted pieces becomes markdown that means the same, or HTML."""

from typing import Any

import pytest
from case_files import case_table
from markdown_it import MarkdownIt

from treepack.readers.inlines import Inline, InlinePiece, code_span, to_html, to_markdown


def made(piece: Any) -> Any:  # noqa: ANN401 - a text, or the arguments of a piece
    return piece if isinstance(piece, str) else InlinePiece(*piece)


@pytest.mark.parametrize(("piece", "markdown", "html"), case_table("inlines", "pieces"))
def test_a_piece_is_written_as_markdown_and_html(
    piece: list[str], markdown: str, html: str
) -> None:
    assert markdown == to_markdown([made(piece)])
    assert html == to_html([made(piece)])


@pytest.mark.parametrize("text", case_table("inlines", "escaped"))
def test_escaped_text_is_read_as_the_original(text: str) -> None:
    """A CommonMark parser reads the escaped text as the original text."""
    ways: tuple[Inline, ...] = (text, ["x ", InlinePiece("m", "code"), f" {text}"])
    for inline in ways:
        [block] = [token for token in MarkdownIt().parse(to_markdown(inline)) if token.children]
        shown = "".join(child.content for child in block.children or ())
        assert shown.endswith(text)


@pytest.mark.parametrize(("inline", "dollars", "markdown"), case_table("inlines", "dollars"))
def test_dollars_around_math_and_a_mark_before_a_link_are_escaped(
    inline: str | list[Any], *, dollars: bool, markdown: str
) -> None:
    pieces = inline if isinstance(inline, str) else [*map(made, inline)]
    assert markdown == to_markdown(pieces, dollars=dollars)


def test_a_code_span_of_whitespace_is_empty() -> None:
    assert "" == code_span(" \n")

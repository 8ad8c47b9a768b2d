"""Text with formatted pieces becomes markdown that means the same, or HTML."""

import pytest
from markdown_it import MarkdownIt

from treepack.readers.inlines import Inline, InlinePiece, code_span, to_html, to_markdown


@pytest.mark.parametrize(
    ("piece", "markdown", "html"),
    [
        (InlinePiece("x", "code"), "`x`", "<code>x</code>"),
        (InlinePiece(" ", "code"), "", ""),
        (InlinePiece("a`b", "code"), "``a`b``", "<code>a`b</code>"),
        (InlinePiece("`", "code"), "`` ` ``", "<code>`</code>"),
        (InlinePiece("x", "strong"), "**x**", "<strong>x</strong>"),
        (InlinePiece("2", "sup"), "<sup>2</sup>", "<sup>2</sup>"),
        (InlinePiece("2", "sub"), "<sub>2</sub>", "<sub>2</sub>"),
        (InlinePiece("x^2", "math"), "$x^2$", "x^2"),
        (InlinePiece("a$", "math"), "`a$`", "a$"),
        (InlinePiece("a", "link", "b c"), "[a](b%20c)", '<a href="b%20c">a</a>'),
        (InlinePiece("", "link", "b"), "", ""),
        (InlinePiece("a [b]", "image", "p"), "![a (b)](p)", '<img src="p" alt="a [b]">'),
    ],
)
def test_a_piece_is_written_as_markdown_and_html(
    piece: InlinePiece, markdown: str, html: str
) -> None:
    assert markdown == to_markdown([piece])
    assert html == to_html([piece])


@pytest.mark.parametrize(
    "text",
    [
        "a \\* b", "&amp; and R&D;", "<b> and > x", "[a](b) ![c](d)", "`a` b`c`", "*a* 2 * 3 *b*",
        "_a_ snake_case_name _b_", "a * b",
    ],
)  # fmt: skip
def test_escaped_text_is_read_as_the_original(text: str) -> None:
    """A CommonMark parser reads the escaped text as the original text."""
    ways: tuple[Inline, ...] = (text, ["x ", InlinePiece("m", "code"), f" {text}"])
    for inline in ways:
        [block] = [token for token in MarkdownIt().parse(to_markdown(inline)) if token.children]
        shown = "".join(child.content for child in block.children or ())
        assert shown.endswith(text)


@pytest.mark.parametrize(
    ("inline", "dollars", "markdown"),
    [
        ("$5 and $6", True, "\\$5 and \\$6"),
        ("$5 and $6", False, "$5 and $6"),
        (["$5 ", InlinePiece("x", "code")], True, "\\$5 `x`"),
        (["wow!", InlinePiece("a", "link", "b")], False, "wow\\![a](b)"),  # no image
    ],
)
def test_dollars_around_math_and_a_mark_before_a_link_are_escaped(
    inline: Inline, *, dollars: bool, markdown: str
) -> None:
    assert markdown == to_markdown(inline, dollars=dollars)


def test_a_code_span_of_whitespace_is_empty() -> None:
    assert "" == code_span(" \n")

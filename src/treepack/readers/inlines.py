r"""Writes inline content of blocks as markdown or HTML, so that plain text stays plain text.

Only what could be read as markup is escaped: a backslash in a clause number or a name hurts search.
No standard reads dollar signs as math. This package's parser does so for the plain text of headings
and header cells, so they are escaped only there.
"""

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal, TypeAlias
from urllib.parse import quote

from treepack.model.source import ANY_LINE_END, LINE_END

PieceKind: TypeAlias = Literal["code", "strong", "em", "sup", "sub", "math", "image", "link"]


@dataclass(frozen=True, slots=True)
class InlinePiece:
    """A run of inline content that is more than text.

    Attributes:
        text: The plain text; for an image its alternative text, for math its TeX.
        target: The target of an image or a link.
        inside: The content of a link, if it is more than plain text.
    """

    text: str
    kind: PieceKind
    target: str = ""
    inside: tuple["str | InlinePiece", ...] = ()


Inline: TypeAlias = str | Sequence[str | InlinePiece]


SPACES: Final = re.compile(r"\s+")
"""Any whitespace."""
BLANK_LINES: Final = re.compile(rf"{ANY_LINE_END}[ \t]*{ANY_LINE_END}\s*")
"""What separates paragraphs."""
_WHITESPACE: Final = re.compile("[ \t\f\v\x1c-\x1f\x85\u2028\u2029]+")
_LINE_ENDS: Final = re.compile(rf"[ ]?{ANY_LINE_END}\s*")  # in text whose spaces are folded
_BACKSLASH: Final = re.compile(r"\\(?=[!-/:-@\[-`{-~\n]|\Z)")
_ENTITY: Final = re.compile(r"&(?=(#?[0-9A-Za-z]{1,40};))")
_TAG: Final = re.compile(r"<(?=[A-Za-z/!?]|\Z)")
# At the ends of a text, another piece may follow.
_STAR: Final = re.compile(r"(?<!\s)\*|\*(?!\s)")
_UNDERSCORES: Final = re.compile(r"(?<![^\W_])_+(?!\s)|(?<!\s)_+(?![^\W_])")
_BACKTICKS: Final = re.compile(r"`+")
_NO_BRACKETS: Final = str.maketrans("[]", "()")  # the parser finds no image with brackets inside
_BRACKET: Final = re.compile(r"([\[\]])")
_LINK_START: Final = re.compile(r"\[(?:[^\[\]\\]|\\.)*\]\(")
_UNSAFE_TARGET: Final = re.compile(r"[\s<>()\\\x00-\x20]")

# The start of a line that would begin another block, up to the character to escape.
_BLOCK_START: Final = re.compile(
    r"""
      (?P<number>[0-9]{1,9})(?=[.)](?:\s|\Z))    # ordered list
    | (?= \#{1,6}(?:\s|\Z) | [-+*](?:\s|\Z)      # heading, bullet list
        | ([-_*])(?:[ ]*\1){2,}[ ]*\Z            # rule
        | =+[ ]*\Z | -+[ ]*\Z | \+\+\+[ ]*\Z     # Setext underline, TOML front matter
        | [|:-][|:\-\ ]*\Z                       # delimiter row of a table
        | > | ```|~~~ | <[A-Za-z/!?] | \$\$ | ::: | !!! | \?\?\?
        | ---[ ] | \{[0-9]+\}-                   # page separators of converters
      )
    """,
    re.VERBOSE,
)


def fold(text: str) -> str:
    r"""Fold whitespace, keep line ends as ``\n``, drop blank lines and whitespace at both ends.

    No-break spaces inside the text are kept.
    """
    if text.isprintable():  # the space is the only printable whitespace
        return " ".join(text.split())
    return _LINE_ENDS.sub("\n", _WHITESPACE.sub(" ", clean(text))).strip()


def clean(text: str) -> str:
    """Remove byte order marks, and replace NUL, which markdown must not contain, by U+FFFD."""
    return text.replace("\0", "\ufffd").replace("\ufeff", "")


def flat(inline: Inline) -> str:
    """Return the plain text of inline content, with all whitespace folded into single spaces."""
    text = inline if isinstance(inline, str) else "".join(map(plain_of, inline))
    return " ".join(clean(text).split())


def to_markdown(inline: Inline, *, dollars: bool = False) -> str:
    r"""Return the content as inline markdown; line ends are kept, as ``\n``.

    Dollar signs are escaped only if asked for, and if two of them could enclose math.
    """
    if isinstance(inline, str) or all(map(_is_text, inline)):
        text = inline if isinstance(inline, str) else "".join(map(plain_of, inline))
        return _escape(fold(text), is_alone=True, dollars=dollars)
    parts = inline if len(inline) == 1 else joined_texts(inline)
    return fold("".join([_part_markdown(part, dollars=dollars) for part in parts]))


def to_html(inline: Inline) -> str:
    """Return the content as HTML on one line, with line ends as ``<br>``."""
    return fold("".join(map(_part_html, as_parts(inline)))).replace("\n", "<br>")


def escape_block_starts(lines: str) -> str:
    """Escape the lines of a paragraph's markdown that would begin another kind of block."""
    may_define = "]:" in lines
    if "\n" not in lines:
        return _escape_block_start(lines, may_define=may_define)
    return "\n".join(_escape_block_start(line, may_define=may_define) for line in lines.split("\n"))


def code_span(text: str) -> str:
    """Return text as a code span, between more backticks than any run inside has."""
    text = flat(text)
    if not text:
        return ""
    backticks = "`" * (longest_run(text) + 1 if "`" in text else 1)
    space = " " if "`" in (text[0], text[-1]) else ""
    return f"{backticks}{space}{text}{space}{backticks}"


def longest_run(text: str) -> int:
    """Return the length of the longest run of backticks in a text."""
    return max(map(len, _BACKTICKS.findall(text)), default=0)


def _escape_block_start(line: str, *, may_define: bool) -> str:
    if may_define and line.startswith("[") and not _LINK_START.match(line):
        return "\\" + line
    if match := _BLOCK_START.match(line):
        return f"{line[: match.end()]}\\{line[match.end() :]}"
    return line


def _escape(text: str, *, is_alone: bool, dollars: bool = False) -> str:
    """Escape text where it could be read as inline markup.

    If it is alone in its block, a delimiter that occurs only once has no partner and stays as it
    is. Beside other pieces, any may find one.
    """
    fewest = 2 if is_alone else 1
    if "\\" in text:
        text = _BACKSLASH.sub(r"\\\\", text)
    if "&" in text:
        text = _ENTITY.sub(_escaped_entity, text)
    # No link definition is ever written, so only a target in parentheses makes a link.
    text = text.replace("](", "\\](")
    if "<" in text and not (is_alone and ">" not in text):
        text = _TAG.sub(r"\\<", text)
    if text.count("`") >= fewest:
        text = text.replace("`", "\\`")
    if text.count("*") >= fewest:
        text = _STAR.sub(r"\\*", text)
    if text.count("_") >= fewest:
        text = _UNDERSCORES.sub(lambda match: "\\_" * len(match[0]), text)
    if dollars and text.count("$") >= fewest:
        text = text.replace("$", "\\$")
    if not is_alone and text.endswith("!"):  # before a link it would make an image
        text = text[:-1] + "\\!"
    return text


def _escaped_entity(match: re.Match[str]) -> str:
    """Escape the ampersand of an entity such as ``&amp;``, but not that of ``R&D;``."""
    reference = f"&{match[1]}"
    return "\\&" if html.unescape(reference) != reference else "&"


def joined_texts(parts: Iterable[str | InlinePiece]) -> Iterator[str | InlinePiece]:
    """Yield the parts, with neighbouring texts joined."""
    for is_text, group in groupby(parts, key=_is_text):
        if is_text:
            yield "".join([plain_of(part) for part in group])
        else:
            yield from group


def joined_lines(
    lines: Iterable[Sequence[str | InlinePiece]], separator: str
) -> list[str | InlinePiece]:
    """Join lines of inline content, with a text between two lines."""
    joined: list[str | InlinePiece] = []
    for line in lines:
        joined += [separator, *line] if joined else line
    return joined


def as_parts(inline: Inline) -> Sequence[str | InlinePiece]:
    """Return inline content as a sequence of parts."""
    return [inline] if isinstance(inline, str) else inline


def _is_text(part: str | InlinePiece) -> bool:
    return isinstance(part, str)


def plain_of(part: str | InlinePiece) -> str:
    """Return the plain text of a part."""
    return part if isinstance(part, str) else part.text


def _part_markdown(piece: str | InlinePiece, *, dollars: bool = False) -> str:
    if isinstance(piece, str):
        return _escape(clean(piece), is_alone=False, dollars=dollars)
    text = flat(piece.text)
    if piece.kind == "image":
        text = _part_markdown(text.translate(_NO_BRACKETS))
        return f"![{text}]({_encoded_target(piece.target)})"
    if not text:
        return " " if piece.text else ""
    before = " " if piece.text[0].isspace() else ""
    after = " " if piece.text[-1].isspace() else ""
    return f"{before}{_with_delimiters(piece, text)}{after}"


def _with_delimiters(piece: InlinePiece, text: str) -> str:
    if piece.kind == "code":
        return code_span(text)
    if piece.kind == "math":
        return code_span(text) if "$" in text or text.endswith("\\") else f"${text}$"
    if piece.kind in ("sup", "sub"):
        return f"<{piece.kind}>{_part_markdown(text)}</{piece.kind}>"
    if piece.kind == "link":
        return f"[{_link_markdown(piece)}]({_encoded_target(piece.target)})"
    delimiter = "**" if piece.kind == "strong" else "*"
    return f"{delimiter}{_part_markdown(text)}{delimiter}"


def _link_markdown(link: InlinePiece) -> str:
    """Return the content of a link; brackets, which would end it, are escaped."""
    parts: list[str] = []
    for part in link.inside or (link.text,):
        pieces = _BRACKET.split(part) if isinstance(part, str) else [part]
        parts += [
            f"\\{piece}" if piece in ("[", "]") else _part_markdown(piece) for piece in pieces
        ]
    return " ".join("".join(parts).split())


def _part_html(part: str | InlinePiece) -> str:
    text = html.escape(plain_of(part), quote=False)
    if isinstance(part, str):
        return text
    match part.kind:
        case "code" | "strong" | "em" | "sup" | "sub":
            return f"<{part.kind}>{text}</{part.kind}>" if text.strip() else text
        case "image":
            target = html.escape(_encoded_target(part.target))
            return f'<img src="{target}" alt="{html.escape(flat(part.text))}">'
        case "link":
            inside = "".join(map(_part_html, part.inside or (part.text,)))
            target = html.escape(_encoded_target(part.target))
            return f'<a href="{target}">{inside}</a>' if text.strip() else text
        case "math":
            return text


def _encoded_target(target: str) -> str:
    """Percent-encode the characters of a target that would end the link or the line."""
    return _UNSAFE_TARGET.sub(lambda match: quote(match[0], safe=""), clean(target))


def has_words(part: str | InlinePiece) -> bool:
    """Return whether a part has letters or digits; the look of punctuation means nothing."""
    return any(map(str.isalnum, plain_of(part)))


def lines_of(text: str) -> list[str]:
    r"""Return the lines of a text, without their line ends ``\r\n``, ``\n`` or ``\r``."""
    return LINE_END.split(text)

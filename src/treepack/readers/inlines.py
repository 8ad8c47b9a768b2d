r"""Inline content of blocks, written as markdown or HTML so that plain text stays plain text.

Only what could be read as markup is escaped: a backslash in a clause number or a name hurts search.
No standard reads dollar signs as math; only the parser does, for the plain text of headings and
header cells. So they are escaped only there.
"""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal, TypeAlias

from treepack.model.source import ANY_LINE_END, LINE_END

PieceKind: TypeAlias = Literal["code", "strong", "sup", "sub", "math", "image", "link"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of inline content that is more than text.

    Attributes:
        text: Plain text; of an image its alternative text, of math its TeX.
        target: Where an image or a link leads.
    """

    text: str
    kind: PieceKind
    target: str = ""


Inline: TypeAlias = str | Sequence[str | Piece]

_BLANKS: Final = re.compile("[ \t\f\v\x1c-\x1f\x85\u2028\u2029]+")
_LINE_ENDS: Final = re.compile(rf"[ ]?{ANY_LINE_END}\s*")  # where blanks are folded
_BLANK_LINE: Final = re.compile(rf"{ANY_LINE_END}[ \t]*{ANY_LINE_END}\s*")
_SPACES: Final = re.compile(r"\s+")
_BACKSLASH: Final = re.compile(r"\\(?=[!-/:-@\[-`{-~\n]|\Z)")
_ENTITY: Final = re.compile(r"&(?=#?[0-9A-Za-z]{1,40};)")
_LONGEST_ENTITY: Final = 42  # characters
_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])")
_LAST_TAG: Final = re.compile(r"<(?=[A-Za-z/!?]|\Z)")
_STAR: Final = re.compile(r"(?<=\S)\*|\*(?=\S)")
_UNDERSCORES: Final = re.compile(r"(?<![^\W_])_+(?=\S)|(?<=\S)_+(?![^\W_])")
_OUTER_UNDERSCORES: Final = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")
# No link definition is ever written, so that only a target in parentheses makes a link.
_LINK: Final = re.compile(r"\](?=\()")
_BACKTICKS: Final = re.compile(r"`+")
_NO_BRACKETS: Final = str.maketrans("[]", "()")  # an image is known by having none inside
_UNSAFE_TARGET: Final = re.compile(r"[\s<>()\\\x00-\x20]")

# The start of a line that would be a block of its own, up to the character to escape.
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
_LONGEST_START: Final = 200  # characters; a longer line of marks is escaped by its first ones


def fold(text: str) -> str:
    r"""Fold white space, keep line ends as ``\n``, drop blank lines and blanks at both ends.

    No-break spaces stay inside.
    """
    return _LINE_ENDS.sub("\n", _BLANKS.sub(" ", clean(text))).strip()


def clean(text: str) -> str:
    """A text without byte order marks; NUL, which no markdown may hold, becomes U+FFFD."""
    return text.replace("\0", "\ufffd").replace("\ufeff", "")


def flat(inline: Inline) -> str:
    """The plain text of inline content, all white space folded."""
    text = inline if isinstance(inline, str) else "".join(_plain(part) for part in inline)
    return _SPACES.sub(" ", clean(text)).strip()


def to_markdown(inline: Inline, *, dollars: bool = False) -> str:
    r"""Inline content as inline markdown; line ends stay, as ``\n``.

    Args:
        inline: The content.
        dollars: Whether dollar signs are escaped as well, where two could enclose math.
    """
    if isinstance(inline, str):
        return _escape(fold(inline), dollars=dollars)
    text = "".join(
        _escape_run(clean(part), dollars=dollars)
        if isinstance(part, str)
        else _piece_markdown(part)
        for part in _merged(inline)
    )
    return fold(text)


def to_html(inline: Inline) -> str:
    """Inline content as HTML on one line, line ends as ``<br>``."""
    parts = [inline] if isinstance(inline, str) else inline
    text = "".join(
        html.escape(part, quote=False) if isinstance(part, str) else _piece_html(part)
        for part in parts
    )
    return fold(text).replace("\n", "<br>")


def block_text(lines: str) -> str:
    """Inline markdown as lines of a paragraph: none of them begins another kind of block."""
    may_define = "]:" in lines
    return "\n".join(_safe_line(line, may_define=may_define) for line in lines.split("\n"))


def code_span(text: str) -> str:
    """Text between backticks, more of them than any run inside has."""
    text = _SPACES.sub(" ", clean(text)).strip()
    if not text:
        return ""
    mark = "`" * (longest_run(text) + 1 if "`" in text else 1)
    blank = " " if "`" in (text[0], text[-1]) else ""
    return f"{mark}{blank}{text}{blank}{mark}"


def longest_run(text: str, mark: re.Pattern[str] = _BACKTICKS) -> int:
    """How many characters the longest run of a mark in a text has."""
    return max((len(match[0]) for match in mark.finditer(text)), default=0)


def _safe_line(line: str, *, may_define: bool) -> str:
    if may_define and line.startswith("["):
        return "\\" + line
    if match := _BLOCK_START.match(line[:_LONGEST_START]):
        return f"{line[: match.end()]}\\{line[match.end() :]}"
    return line


def _escape(text: str, *, dollars: bool = False) -> str:
    """Escape a whole block's text where the inline rules could read markup.

    A mark that stands alone in a block has no partner and stays as it is.
    """
    if "\\" in text:
        text = _BACKSLASH.sub(r"\\\\", text)
    if "&" in text:
        text = _ENTITY.sub(_escaped_entity, text)
    if "<" in text and ">" in text:
        text = _TAG.sub(r"\\<", text)
    if "](" in text:
        text = _LINK.sub(r"\\]", text).replace("![", "\\![")
    if text.count("`") > 1:
        text = text.replace("`", "\\`")
    if text.count("*") > 1:
        text = _STAR.sub(r"\\*", text)
    if text.count("_") > 1:
        text = _UNDERSCORES.sub(_each_escaped, text)
    if dollars and text.count("$") > 1:
        text = text.replace("$", "\\$")
    return text


def _escape_run(text: str, *, dollars: bool = False) -> str:
    """Escape text that has other pieces at its ends, in which any mark may find a partner."""
    text = _BACKSLASH.sub(r"\\\\", text)
    text = _ENTITY.sub(_escaped_entity, text)
    text = _LAST_TAG.sub(r"\\<", text)
    text = _LINK.sub(r"\\]", text)
    text = text.replace("`", "\\`").replace("*", "\\*")
    text = _OUTER_UNDERSCORES.sub(_each_escaped, text)
    if text.endswith("!"):  # before a link it would make an image
        text = text[:-1] + "\\!"
    return text.replace("$", "\\$") if dollars else text


def _escaped_entity(match: re.Match[str]) -> str:
    """``&amp;`` means something else, the ampersand of ``R&D;`` does not."""
    reference = match.string[match.start() : match.start() + _LONGEST_ENTITY].partition(";")[0]
    return "\\&" if html.unescape(f"{reference};") != f"{reference};" else "&"


def _each_escaped(match: re.Match[str]) -> str:
    return "".join([f"\\{character}" for character in match[0]])


def _merged(parts: Sequence[str | Piece]) -> Iterator[str | Piece]:
    """The parts, neighbouring texts as one."""
    for is_text, group in groupby(parts, key=_is_text):
        if is_text:
            yield "".join([_plain(part) for part in group])
        else:
            yield from group


def _is_text(part: str | Piece) -> bool:
    return isinstance(part, str)


def _plain(part: str | Piece) -> str:
    return part if isinstance(part, str) else part.text


def _piece_markdown(piece: Piece) -> str:
    text = flat(piece.text)
    if piece.kind == "image":
        text = _escape_run(text.translate(_NO_BRACKETS))
        return f"![{text}]({_target(piece.target)})"
    if not text:
        return " " if piece.text else ""
    before = " " if piece.text[0].isspace() else ""
    after = " " if piece.text[-1].isspace() else ""
    return f"{before}{_marked(piece, text)}{after}"


def _marked(piece: Piece, text: str) -> str:
    if piece.kind == "code":
        return code_span(text)
    if piece.kind == "math":
        return code_span(text) if "$" in text or text.endswith("\\") else f"${text}$"
    if piece.kind in ("sup", "sub"):
        return f"<{piece.kind}>{_escape_run(text)}</{piece.kind}>"
    text = _escape_run(text)
    return f"**{text}**" if piece.kind == "strong" else f"[{text}]({_target(piece.target)})"


def _piece_html(piece: Piece) -> str:
    text = html.escape(piece.text, quote=False)
    match piece.kind:
        case "code" | "strong" | "sup" | "sub":
            return f"<{piece.kind}>{text}</{piece.kind}>" if text.strip() else text
        case "image":
            target = html.escape(_target(piece.target))
            return f'<img src="{target}" alt="{html.escape(flat(piece.text))}">'
        case "link" | "math":
            return text


def _target(target: str) -> str:
    """A link's target in characters that end neither the link nor the line."""
    return _UNSAFE_TARGET.sub(lambda match: f"%{ord(match[0]):02X}", target)


def lines_of(text: str) -> Iterator[str]:
    r"""The lines of a text without their ends; a line ends at ``\r\n``, ``\n`` or ``\r``."""
    start = 0
    for match in LINE_END.finditer(text):
        yield text[start : match.start()]
        start = match.end()
    yield text[start:]


def paragraphs_of(text: str) -> list[str]:
    """The parts of a text that blank lines keep apart."""
    return _BLANK_LINE.split(text)

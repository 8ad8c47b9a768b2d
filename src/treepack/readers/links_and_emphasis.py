"""Links and emphasis of a format, which readers keep only if they are asked to.

By default they keep only the text: nobody searches for the target of a link, and it takes up tokens
of a chunk. A citation quotes a sentence, not its emphasis.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, Literal, TypeAlias, get_args

from treepack.errors import check_choice
from treepack.readers.inlines import Inline, InlinePiece, PieceKind, flat, plain_of


@dataclass(frozen=True, slots=True)
class KeepOptions:
    """What a reader keeps of a format besides the text.

    Attributes:
        links: Whether to keep the targets of links, as markdown links.
        emphasis: Whether to keep bold and italic words, as markdown emphasis; if not, bold is kept
            only where a whole paragraph is bold.
    """

    links: bool = False
    emphasis: bool = False


TextOrKeep: TypeAlias = Literal["text", "keep"]
TEXT_ONLY: Final = KeepOptions()
LONGEST_TARGET: Final = 2000
"""Characters of a link's target; longer ones are data, which browsers need not open."""

_NO_TARGETS: Final = ("#", "javascript:", "data:", "about:", "blob:")
_ALPHANUMERIC_SPAN: Final = re.compile(r"[^\W_](?:.*[^\W_])?", re.DOTALL)


def keep_options(links: TextOrKeep, emphasis: TextOrKeep) -> KeepOptions:
    """Return what is kept, from the two choices of a user.

    Raises:
        ValueError: A choice is not allowed; the message names the allowed ones.
    """
    check_choice("links", links, get_args(TextOrKeep))
    check_choice("emphasis", emphasis, get_args(TextOrKeep))
    return KeepOptions(links == "keep", emphasis == "keep")


def link_target(address: str) -> str:
    """Return the target of a link to keep; empty for places on the same page, scripts and data."""
    target = address.strip()
    is_other = not target.casefold().startswith(_NO_TARGETS)
    return target if is_other and len(target) <= LONGEST_TARGET else ""


def linked(parts: Iterable[str | InlinePiece], target: str) -> list[str | InlinePiece]:
    """Return content as a link; whitespace at its ends stays outside, inner links are unwrapped.

    No link is made if the content or the target is empty, or if both are the same.
    """
    if not target:
        return list(parts)
    inside = [
        inner
        for part in parts
        for inner in (part.inside if isinstance(part, InlinePiece) and part.inside else (part,))
    ]
    before = after = ""
    if inside and isinstance(inside[0], str):
        stripped = inside[0].lstrip()
        before, inside[0] = inside[0][: len(inside[0]) - len(stripped)], stripped
    if inside and isinstance(inside[-1], str):
        stripped = inside[-1].rstrip()
        after, inside[-1] = inside[-1][len(stripped) :], stripped
    text = "".join(map(plain_of, inside))
    if not text.strip() or target in (text, f"mailto:{text}"):
        return [part for part in (before, *inside, after) if part]
    link = InlinePiece(text, "link", target, tuple(part for part in inside if part))
    return [part for part in (before, link, after) if part]


def emphasised(text: str, kind: Literal["strong", "em"]) -> list[str | InlinePiece]:
    """Return text in bold or italics, line by line.

    Punctuation at the ends of a line stays outside, because delimiters beside it do not always
    count (CommonMark 6.2).
    """
    parts: list[str | InlinePiece] = []
    for at, line in enumerate(text.split("\n")):
        if at:
            parts.append("\n")
        match = _ALPHANUMERIC_SPAN.search(line)
        if match is None:
            parts.append(line)
            continue
        parts += [line[: match.start()], InlinePiece(match[0], kind), line[match.end() :]]
    return [part for part in parts if part]


def merged(parts: Iterable[str | InlinePiece]) -> list[str | InlinePiece]:
    """Join neighbouring texts, and neighbouring words of one emphasis by `emphasised`."""
    joined: list[str | InlinePiece] = []
    for kind, group in groupby(parts, key=_kind_of):
        if kind == "text":
            joined.append("".join(map(plain_of, group)))
        elif kind == "strong" or kind == "em":  # noqa: PLR1714 - so that both are known to be kinds
            joined += emphasised("".join(map(plain_of, group)), kind)
        else:
            joined.extend(group)
    return joined


def _kind_of(part: str | InlinePiece) -> PieceKind | Literal["text"]:
    return "text" if isinstance(part, str) else part.kind


def is_link(part: str | InlinePiece) -> bool:
    """Whether a part is a link with its target."""
    return isinstance(part, InlinePiece) and part.kind == "link"


def in_bold(content: Inline) -> Inline:
    """Return content in bold as a whole; of what is inside, only links are kept."""
    if isinstance(content, str) or not any(map(is_link, content)):
        return [InlinePiece(flat(content), "strong")]
    bold: list[str | InlinePiece] = []
    for part in content:
        if isinstance(part, InlinePiece) and part.kind == "link":
            inside = [strong for inner in part.inside for strong in _strong(inner)]
            bold.append(replace(part, inside=tuple(inside)))
        else:
            bold += _strong(part)
    return bold


def _strong(part: str | InlinePiece) -> list[str | InlinePiece]:
    return emphasised(part, "strong") if isinstance(part, str) else [part]

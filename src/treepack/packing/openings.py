"""What a chunk needs before and after it because of the constructs around it.

Each wrapper gives its own lines. This module adds the prefixes of the quotes and items around them,
and puts a list marker where it is read as a marker.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from treepack.markdown.prefixes import Prefix, after_prefix, content_position
from treepack.model.chunk import Role, Segment
from treepack.model.source import Source
from treepack.packing.wrappers import IntroWrapper, PrefixWrapper, RowWrapper, Wrapper, prefixes_of

# A table whose rows have no outer pipes. After a list marker, its first line would be read as the
# header of a table outside the list, so the marker gets a line of its own (CommonMark 5.2).
_BARE_TABLE: Final = re.compile(
    r"(?![ \t]*\|)[^\r\n]*\|[^\r\n]*(?:\r\n?|\n)[ \t>]*[:|-][ \t:|-]*(?:[\r\n]|\Z)"
)
# Not code, which has more spaces, and not an item, because the items after it are indented too.
_INDENTED_TEXT: Final = re.compile(r"[ ]{1,3}(?![ \t>]|(?:[-+*]|\d{1,9}[.)])(?!\S))")


def opening_segments(
    source: Source, wrappers: tuple[Wrapper, ...], offset: int
) -> tuple[list[Segment], int]:
    """Return what must come before a chunk that begins at ``offset``.

    Returns:
        The segments, and where the body then begins in the source.
    """
    wrappers = tuple([wrapper for wrapper in wrappers if wrapper.needs_opening(offset)])
    if not wrappers:
        return [], offset
    innermost = wrappers[-1]
    segments: list[Segment] = []
    opened = 0  # how many prefixes are open already from an earlier line
    prefixes: list[Prefix] = []
    for wrapper in wrappers:
        if isinstance(wrapper, PrefixWrapper):
            prefixes.append(wrapper.prefix)
            continue
        opening = wrapper.opening(offset)
        segments += _line_prefix(prefixes, opened, opening[0].text, 0)
        opened = len(prefixes)
        segments += _with_prefixes(opening, prefixes) if prefixes else opening
    if isinstance(innermost, RowWrapper):  # its opening ends inside a line
        return segments, offset
    first_line = _first_line(source, innermost, offset, prefixes, opened)
    if first_line and isinstance(innermost, PrefixWrapper) and not innermost.prefix.is_quote:
        indentation = _INDENTED_TEXT.match(source.text, offset)  # it would widen a new marker
        offset = indentation.end() if indentation else offset
    return [*segments, *first_line], offset


def closing_text(wrappers: tuple[Wrapper, ...], start: int, offset: int) -> str:
    """Return what must come after a chunk that begins at ``start`` and ends at ``offset``."""
    closing = ""
    while wrappers:
        wrapper, wrappers = wrappers[-1], wrappers[:-1]
        if wrapper.end > offset and (text := wrapper.closing(start, offset)):
            prefixes = prefixes_of(wrappers) if wrappers else ()
            following = "".join([prefix.following for prefix in prefixes])
            closing += text.replace("\n", f"\n{following}") if following else text
    return closing


def intro_segment(role: Role, text: str, start: int, end: int) -> Segment:
    """Return a caption or intro to repeat, without its indentation.

    After a list marker, the indentation would count as the marker's.
    """
    start += len(text[start:end]) - len(text[start:end].lstrip(" \t"))
    return Segment(role, text[start:end], (start, end))


def _with_prefixes(opening: Sequence[Segment], prefixes: list[Prefix]) -> Iterator[Segment]:
    """Yield a wrapper's segments, with the prefixes after each line end but the last."""
    following = "".join([prefix.following for prefix in prefixes])
    for number, segment in enumerate(opening, 1):
        if segment.text == "\n\n":
            yield Segment("glue", f"\n{following.rstrip()}\n")
            continue
        yield segment
        is_last = number == len(opening)
        if following and not is_last and not segment.span and segment.text.endswith("\n"):
            yield Segment("glue", following)


def _first_line(
    source: Source, wrapper: Wrapper, offset: int, prefixes: list[Prefix], opened: int
) -> list[Segment]:
    """Return what comes before the body on its first line; ``wrapper`` is the innermost one."""
    line = source.line_at(offset)
    start, end = source.line_starts[line], source.line_starts[line + 1]
    content = content_position(source.text, start, end, line, tuple(prefixes)).offset
    if offset < content:
        return []  # the body begins before the line's content, such as at a lone ``>``
    begins_here = any(prefix.line == line for prefix in prefixes)  # marker is in the previous chunk
    # A quote's ``>`` stays with the line's text, even with extra spaces between them.
    begins_line = offset == content or (
        any(prefix.is_quote for prefix in prefixes) and source.text[content:offset].isspace()
    )
    if begins_here or not begins_line:
        return _line_prefix(prefixes, opened, source.text, offset)
    indentation = source.text[start:offset]
    if isinstance(wrapper, IntroWrapper) and wrapper.start == offset and indentation.isspace():
        # Without a repeated caption, the list marker replaces this indentation.
        return [Segment("glue", indentation)]
    return _source_prefix(source, line, offset, prefixes, opened)


def _line_prefix(prefixes: list[Prefix], opened: int, text: str, offset: int) -> list[Segment]:
    """Return the prefixes before a text, for a line that is not in the source."""
    above = ""
    if prefixes[opened:] and _BARE_TABLE.match(text, offset):
        above, opened = _own_line(prefixes, opened), len(prefixes)
    line = above + _prefix_text(prefixes, opened)
    return [Segment("glue", line)] if line else []


def _own_line(prefixes: list[Prefix], opened: int) -> str:
    return f"{_prefix_text(prefixes, opened).rstrip()}\n"


def _prefix_text(prefixes: list[Prefix], opened: int) -> str:
    """Return the prefixes of a line that opens those from index ``opened`` on."""
    return "".join(
        prefix.following if number < opened else prefix.first
        for number, prefix in enumerate(prefixes)
    )


def _source_prefix(
    source: Source, line: int, offset: int, prefixes: list[Prefix], opened: int
) -> list[Segment]:
    """Return the prefixes of a source line, with the item's marker in place of indentation.

    A prefix that the line itself contains, such as a quote's ``>``, stays in the body.
    """
    text = source.text
    start, end = source.line_starts[line], source.line_starts[line + 1]
    segments: list[Segment] = []
    if prefixes[opened:] and _BARE_TABLE.match(text, offset):
        segments, opened = [Segment("glue", _own_line(prefixes, opened))], len(prefixes)
    place = content_position(text, start, end, line, ())
    for number, prefix in enumerate(prefixes):
        begin = place.offset
        place = after_prefix(text, start, place, end, line, prefix)
        wanted = prefix.following if number < opened else prefix.first
        present = text[begin : min(place.offset, offset)]
        follows_marker = bool(segments) and segments[-1].role == "glue"
        is_code = not segments and present.expandtabs(4).startswith(" " * 4)
        if prefix.is_quote and (follows_marker or is_code):
            # After a new marker, a quote's indentation would count as the marker's. A quote may
            # continue with a ``>`` that is indented as far as code, but it cannot begin with one.
            begin += len(present) - len(present.lstrip(" \t"))
            present = text[begin : min(place.offset, offset)]
        if present and (present == wanted or prefix.is_quote):
            segments.append(Segment("body", present, (begin, begin + len(present))))
        elif wanted:
            segments.append(Segment("glue", wanted))
    return segments

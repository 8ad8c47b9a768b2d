"""What a chunk needs before and after it because of the constructs around it.

Each wrapper gives its own lines. This module adds the prefixes of the quotes and items around them,
and puts a list marker where it is read as a marker.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from treepack.markdown.prefixes import TAB, Prefix, after_prefix, content_position
from treepack.markdown.tables import is_bare_table
from treepack.model.chunk import Role, Segment
from treepack.model.source import Source
from treepack.packing.wrappers import IntroWrapper, PrefixWrapper, RowWrapper, Wrapper, prefixes_of

# An indented fence, container, footnote, item, quote or table (also an HTML table). After a list
# marker, its indentation would count as the marker's (CommonMark 5.2). Lines with less indentation
# would then not belong to the item, because only a paragraph has lazy continuation lines.
_INDENTED_BLOCK: Final = re.compile(
    r"[ \t]+(?:`{3}|~{3}|:{3}|!{3}|[?]{3}|>|(?:[-+*]|\d{1,9}[.)])(?!\S)|\[\^[^\]\r\n]+\]:"
    r"|<[Tt][Aa][Bb][Ll][Ee]\b|\|[^\r\n]*(?:\r\n?|\n)[ \t>]*\|?[ \t]*:?-[ \t:|-]*(?:[\r\n]|\Z))"
)
_INDENTED_CODE: Final = re.compile(r"[ ]{4}|[ ]{0,3}\t")
_INDENTED_TEXT: Final = re.compile(r"[ ]{1,3}(?![ \t>]|(?:[-+*]|\d{1,9}[.)])(?!\S))")
"""Not code, which has more spaces, and not an item, because the items after it are indented too."""
_DASHES: Final = re.compile(r"[ \t]*[-*][-* \t]*(?![^\r\n])")
_THEMATIC_BREAK: Final = re.compile(r"[ \t]*([-*])[ \t]*(?:\1[ \t]*){2,}")


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
    if isinstance(innermost, PrefixWrapper) and innermost.start == offset:
        return _marker_line(source, wrappers, offset)
    segments: list[Segment] = []
    opened = 0  # how many prefixes are open already from an earlier line
    prefixes: list[Prefix] = []
    for wrapper in wrappers:
        if isinstance(wrapper, PrefixWrapper):
            prefixes.append(wrapper.prefix)
            continue
        opening = wrapper.opening(offset)
        segments += _line_prefix(prefixes, opened, opening[0].text)
        opened = len(prefixes)
        segments += _with_prefixes(opening, prefixes) if prefixes else opening
    if isinstance(innermost, RowWrapper):  # its opening ends inside a line
        return segments, offset
    first_line = _first_line(source, innermost, offset, prefixes, opened)
    if first_line and isinstance(innermost, PrefixWrapper):
        offset = _after_marker(source.text, offset, prefixes[-1])
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
    return Segment.of(role, text[start:end], (start, end))


def _with_prefixes(opening: Sequence[Segment], prefixes: list[Prefix]) -> Iterator[Segment]:
    """Yield a wrapper's segments, with the prefixes after each line end but the last."""
    following = "".join([prefix.following for prefix in prefixes])
    for number, segment in enumerate(opening, 1):
        if segment.text == "\n\n":
            yield Segment.of("glue", f"\n{following.rstrip()}\n")
            continue
        yield segment
        is_last = number == len(opening)
        if following and not is_last and not segment.span and segment.text.endswith("\n"):
            yield Segment.of("glue", following)


def _after_marker(text: str, offset: int, marker: Prefix) -> int:
    """Return where text after a new marker begins: indentation would count as the marker's."""
    if not marker.first.strip() or marker.is_quote or _INDENTED_BLOCK.match(text, offset):
        return offset
    indentation = _INDENTED_TEXT.match(text, offset)
    return indentation.end() if indentation else offset


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
        return _line_prefix(prefixes, opened, "")
    indentation = source.text[start:offset]
    if isinstance(wrapper, IntroWrapper) and wrapper.start == offset and indentation.isspace():
        # Without a repeated caption, the list marker replaces this indentation.
        return [Segment.of("glue", indentation)]
    return _source_prefix(source, line, offset, prefixes, opened)


def _marker_line(
    source: Source, wrappers: tuple[Wrapper, ...], offset: int
) -> tuple[list[Segment], int]:
    """Return the marker of the item that begins at ``offset``, on a line of its own.

    Returns:
        The segments, and where the body then begins: at the item's content.
    """
    segments, start = opening_segments(source, wrappers[:-1], offset)
    prefixes = prefixes_of(wrappers)
    content = prefixes[-1].content
    marker = source.text[start:content].rstrip()
    following = "".join(prefix.following for prefix in prefixes)
    body = Segment.of("body", marker, (start, start + len(marker)))
    return [*segments, body, Segment.of("glue", f"\n{following}")], content


def _line_prefix(prefixes: list[Prefix], opened: int, content: str) -> list[Segment]:
    """Return the prefixes before ``content``, for a line that is not in the source."""
    above, opened = _lines_above(prefixes, opened, content, 0)
    text = above + _prefix_text(prefixes, opened)
    return [Segment.of("glue", text)] if text else []


def _lines_above(prefixes: list[Prefix], opened: int, text: str, offset: int) -> tuple[str, int]:
    """Return the prefixes that need lines of their own above a text, and how many are open then."""
    above = ""
    for number in range(opened, len(prefixes)):
        if prefixes[number].needs_own_line:
            above += _own_line(prefixes[: number + 1], opened)
            opened = number + 1
    is_code = bool(prefixes) and not prefixes[-1].first.strip()
    outer = prefixes[:-1] if is_code else prefixes
    if outer[opened:] and _needs_own_line(outer, opened, text, offset, is_code=is_code):
        return above + _own_line(outer, opened), len(outer)
    return above, opened


def _prefix_text(prefixes: list[Prefix], opened: int) -> str:
    """Return the prefixes of a line that opens those from index ``opened`` on."""
    return "".join(
        prefix.following if number < opened else prefix.first
        for number, prefix in enumerate(prefixes)
    )


def _own_line(prefixes: list[Prefix], opened: int) -> str:
    """Return the prefixes on their own line; on several if one would be a break (``- - -``)."""
    line = (_prefix_text(prefixes[:-1], opened) + _marker_alone(prefixes[-1])).rstrip()
    if not _THEMATIC_BREAK.fullmatch(line):
        return f"{line}\n"
    ends = range(opened + 1, len(prefixes) + 1)
    return "".join(f"{_prefix_text(prefixes[:end], end - 1).rstrip()}\n" for end in ends)


def _marker_alone(prefix: Prefix) -> str:
    """Return the text that opens a prefix on a line with nothing after it.

    An item whose first line is blank has its content one column after the marker (CommonMark 5.2).
    So the extra spaces of ``-   text`` move before the marker, and the content below keeps its
    column. At most three spaces come before the marker, because a fourth would make the line code.
    """
    marker = prefix.first.rstrip()
    indentation = len(marker) - len(marker.lstrip())
    extra = min(prefix.width - 1 - len(marker), TAB - 1 - indentation)
    return " " * extra + marker


def _needs_own_line(
    prefixes: list[Prefix], opened: int, text: str, offset: int, *, is_code: bool
) -> bool:
    """Whether the innermost prefix to open needs a line of its own before the content.

    A marker needs one before an indented block, and where it would turn the content's first line
    into a break: ``- ---``. Before a bare table, any prefix needs one. Before indented code, a
    marker with extra spaces (``-   ``) needs one, because these would be added to the code.
    """
    innermost = prefixes[-1]
    marker = innermost.first.rstrip()
    is_marker = bool(marker) and not innermost.is_quote
    is_spaced = is_marker and innermost.width > len(marker) + 1
    if is_spaced and (is_code or _INDENTED_CODE.match(text, offset)):
        return True
    is_indented = is_marker and _INDENTED_BLOCK.match(text, offset)
    if not is_code and (is_indented or is_bare_table(text, offset)):
        return True
    dashes = _DASHES.match(text, offset) if is_marker else None
    prefix_text = _prefix_text(prefixes, opened).rpartition(">")[2] if dashes else ""
    return bool(dashes and _THEMATIC_BREAK.fullmatch(prefix_text + dashes[0]))


def _source_prefix(
    source: Source, line: int, offset: int, prefixes: list[Prefix], opened: int
) -> list[Segment]:
    """Return the prefixes of a source line, with the item's marker in place of indentation.

    A prefix that the line itself contains, such as a quote's ``>``, stays in the body.
    """
    text = source.text
    start, end = source.line_starts[line], source.line_starts[line + 1]
    above, opened = _lines_above(prefixes, opened, text, offset)
    segments = [Segment.of("glue", above)] if above else []
    if opened == len(prefixes):
        body = [Segment.of("body", text[start:offset], (start, offset))] if start < offset else []
        return segments + body
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
            segments.append(Segment.of("body", present, (begin, begin + len(present))))
        elif wanted:
            segments.append(Segment.of("glue", wanted))
    return segments

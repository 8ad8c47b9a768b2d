"""Which words around a table are its caption: surely, or perhaps."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from treepack.laws.reading.blocks import Block
from treepack.laws.reading.parsed_source import ParsedSource
from treepack.laws.reading.titles import same_title, title_of
from treepack.markdown.html_tables import plain_html

# A label that no prose has: "Table 3: ...", "Table 3 — ...", "Table: ...", also in bold.
_LABEL: Final = re.compile(
    r"""[*_]* (?: (?:Table|Tabelle|Tableau|Tabla|Cuadro)\b | 表 )
        \s* (?: [*_]* (?:[A-Z][.-]?)? \d+ (?:[.-]\w+)* [*_]* \s* [:：.—–] | [*_]* [:：] ) \s*
        [*_]* [^\s*_]""",
    re.VERBOSE | re.IGNORECASE,
)
_LIKELY: Final = re.compile(
    r"""[*_]* (?: (?:Tables?|Tabellen?|Tableaux?|Tablas?|Cuadros?|Tab\.)\W | 附?表 )
      | (?P<mark>[*_]{1,3}) (?![\s*_]) [^\r\n]* (?P=mark) [ \t]* :? [ \t]* \Z""",
    re.VERBOSE | re.IGNORECASE,
)
_TITLE: Final = re.compile(r"""\btitle=(?:"([^"\r\n]*)"|'([^'\r\n]*)')""")
_MARKS: Final = re.compile(
    r"(?<![^\r\n])[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+[ \t>]*|)*+(?:\[[ x]\][ \t]+)?"
)
_LONGEST: Final = 1000  # characters


@dataclass(eq=False, slots=True)
class Caption:
    """Words that may be a table's caption.

    Attributes:
        raw: As they stand in the source.
        text: As a reader sees them.
        start: Where they begin; of an attribute or a ``<caption>`` in the table, where that does.
        end: After them.
        is_sure: Whether there is no doubt that they are this table's.
    """

    raw: str
    text: str
    start: int
    end: int
    is_sure: bool


def unmarked(text: str) -> str:
    """Lines without the marks of the quotes and items that they stand in."""
    return _MARKS.sub("", text)


def captions_of(source: ParsedSource, table: Block) -> list[Caption]:
    """What may be a table's caption; sure ones first."""
    found = [*_own(table), *_around(source, table)]
    return sorted(found, key=lambda caption: not caption.is_sure)


def sure_caption(source: ParsedSource, table: Block) -> Caption | None:
    """The caption that a table surely has."""
    found = captions_of(source, table)
    return found[0] if found and found[0].is_sure else None


def said_caption(source: ParsedSource, table: Block, said: str | None) -> Caption | None:
    """The caption that a record names."""
    if said is None:
        return None
    captions = captions_of(source, table)
    return next((one for one in captions if same_title(said, one.text, one.raw)), None)


def caption_before(source: ParsedSource, table: Block) -> Block | None:
    """The paragraph directly before a table, if it may well be its caption."""
    return _likely(source, source.neighbours(table)[1])


def caption_after(source: ParsedSource, table: Block) -> Block | None:
    """The paragraph directly after a table, if it may well be its caption."""
    return _likely(source, source.neighbours(table)[2])


def _likely(source: ParsedSource, block: Block | None) -> Block | None:
    if block is None or block.kind != "paragraph" or block.end - block.start > _LONGEST:
        return None
    raw = source.text[block.start : block.end]
    return block if _LIKELY.match(unmarked(raw) if block.is_nested else raw) else None


def _own(table: Block) -> Iterator[Caption]:
    if table.html is not None and table.html.caption:
        raw = table.html.caption
        if text := plain_html(raw, 0, len(raw)):
            yield Caption(raw, text, table.start, table.start, is_sure=True)
    match = _TITLE.search(table.attributes)
    if match and (raw := (match[1] or match[2] or "").strip()):
        yield Caption(raw, html.unescape(raw), table.end, table.end, is_sure=True)


def _around(source: ParsedSource, table: Block) -> Iterator[Caption]:
    """The paragraphs directly before and after a table.

    Between two tables a label may be that of either.
    """
    second, before, after = source.neighbours(table)
    is_between = second is not None and second.kind == "table"
    for block, may_be_sure in ((before, not is_between), (after, False)):
        if block is None or block.kind != "paragraph" or block.end - block.start > _LONGEST:
            continue
        raw = source.text[block.start : block.end]
        raw = unmarked(raw) if block.is_nested else raw
        is_sure = may_be_sure and _is_label(raw, is_nested=block.is_nested)
        yield Caption(raw, title_of(raw, source.env), block.start, block.end, is_sure)


def _is_label(raw: str, *, is_nested: bool) -> bool:
    """Whether a text begins with a label; in a list or quote it is one line."""
    is_line = "\n" not in raw and "\r" not in raw
    return (is_line or not is_nested) and _LABEL.match(raw) is not None

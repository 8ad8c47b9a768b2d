"""What in a PDF's typography may say that a paragraph is a title, and what only looks like it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Final

from treepack.model.typography import Typography
from treepack.readers.pdf.blocks import Block, Body
from treepack.readers.pdf.lines import Line
from treepack.readers.pdf.order import rows_of
from treepack.readers.pdf.wording import NUMBERED_TITLE, TITLE_NUMBER

_SHORTEST: Final = 2  # letters of a title
_WORD: Final = re.compile(r"[^\W\d_]{3}")
_RELATION: Final = re.compile(
    "[=<>+\u00b1\u00d7\u00f7\u2190-\u21ff\u2200-\u22ff\u27e8\u27e9\u2a00-\u2aff]"
)
_ADMONITION: Final = re.compile(
    r"(?:note|important|warning|caution|tip|hinweis|wichtig|warnung|achtung|vorsicht|tipp"
    r"|remarque|attention|nota|aviso|advertencia|avviso)s?\W*",
    re.IGNORECASE,
)
_STOPPED: Final = re.compile(r"[^\W\d_]{2}[.!][\"\u201d\u2019)]?$")
_WORDS_OF_SENTENCE: Final = 5
_AGAIN: Final = 3  # times that a label is said
_LONG: Final = 80  # characters of a paragraph of the text
_MOST_HELD: Final = 60  # blocks before the text


def typography_of(lines: Sequence[Line]) -> Typography:
    """How a paragraph is set, where that may make it a title.

    Rows of columns, formulas, sentences, labels before a value or a note, the words of figures and
    single letters are often set apart as well, and are none.
    """
    text = " ".join(line.text for line in lines)
    if _ADMONITION.fullmatch(text) or (" " in text and not _WORD.search(text)):
        return Typography()
    if sum(map(str.isalpha, text)) < _SHORTEST or any(
        line.is_in_figure or line.is_labelled for line in lines
    ):
        return Typography()
    if _RELATION.search(text) and not _WORD.search(text):
        return Typography()
    if _STOPPED.search(text) and text.count(" ") >= _WORDS_OF_SENTENCE:
        return Typography()
    if any(len(row) > 1 and not TITLE_NUMBER.fullmatch(row[0].text) for row in rows_of(lines)):
        return Typography()
    sizes = {round(line.size * 2) / 2 for line in lines}
    return Typography(
        bold=all(line.bold for line in lines), size=sizes.pop() if len(sizes) == 1 else None
    )


def mark_labels(pages: Sequence[list[Line]]) -> None:
    """Mark lines with a colon that come again and again: labels such as "Default:" over values.

    Args:
        pages: The lines of all pages; changed in place.
    """
    lines = [line for page in pages for line in page if line.text.endswith(":")]
    count = Counter(line.text for line in lines)
    for line in lines:
        line.is_labelled |= count[line.text] >= _AGAIN


def hide_title_page(blocks: Iterable[Block], body: Body) -> Iterator[Block]:
    """The blocks; names, places and dates before the text look like no titles any more.

    Of what is set apart there, the largest is the document's title. The last one before the text,
    or before a list, is its first heading.

    Args:
        blocks: All blocks of a document whose headings nothing marks.
        body: What most of its text is like.
    """
    coming = iter(blocks)
    front: list[Block] = []
    for block in coming:
        front.append(block)
        if _is_text(block, body) or len(front) == _MOST_HELD:
            break
    if front and _is_text(front[-1], body):
        _hide(front, body)
    yield from chain(front, coming)


def _is_text(block: Block, body: Body) -> bool:
    return (
        block.kind == "paragraph"
        and not _is_set(block, body)
        and sum(len(line.text) for line in block.lines) > _LONG
    )


def _is_set(block: Block, body: Body) -> bool:
    """Whether a paragraph is bold, or larger than the text."""
    first = block.lines[0]
    return block.kind == "paragraph" and (first.bold or first.size > body.size + 0.25)


def _hide(front: Sequence[Block], body: Body) -> None:
    """Take the signs of titles from what stands between the title and the first heading."""
    largest = max((block.lines[0].size for block in front if _is_set(block, body)), default=0.0)
    is_named = False
    for block, after in pairwise(front):
        first = block.lines[0]
        if not _is_set(block, body) or NUMBERED_TITLE.match(first.text):
            continue
        if first.size == largest and not is_named:
            is_named = True
        elif block.kind == after.kind == "paragraph" and not _is_text(after, body):
            block.is_plain = True

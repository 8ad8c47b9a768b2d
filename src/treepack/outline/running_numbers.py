"""Find the pages of a text without page marks, by the printed page numbers that it still contains.

PDF converters leave running headers and footers in the text: ``**3 of 25**``, ``7``, or
``## 12 User Manual``, each on a line of its own. Such lines show where pages end if their numbers
count up through most of the text, about a page apart. Something must also show that they are not
section numbers: the total number of pages follows, the lines beside them repeat from page to page,
sentences continue across them, or many pages do not end with the end of a sentence.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from treepack.line_ends import with_line_feeds
from treepack.numbers.words import OF_ALL, PAGE_WORD
from treepack.outline.page_breaks import ends_sentence, sentence_continues

_LONGEST: Final = 140  # characters of a running header or footer
_FEWEST: Final = 5  # numbers that count up
_FEWEST_OF_FORM: Final = 3  # numbers of one form; two may be chance
_MOST_MISSING: Final = 3  # step from one number to the next; pages of pictures have no number
_SHORTEST_PAGE: Final = 250  # characters
_LONGEST_PAGE: Final = 15_000  # characters; large tables are long in markdown
_COVERED: Final = 0.5  # share of the text between the first number and the last
_COUNTED: Final = 0.45  # share of the numbers that are present; left pages may have none
_CHAINS: Final = 3  # chains that are tried; lines of a listing may be numbered as well
_OFTEN: Final = 0.4  # share of the pages; a header may appear on left pages only
_INTERRUPTED: Final = 0.15  # share of the pages that end within a sentence
_FEWEST_INTERRUPTED: Final = 2
_OPEN: Final = 0.3  # share of the pages that end without a sentence end; sections rarely do
_FEWEST_BARE: Final = 10  # numbers without other evidence
_LEAST_COMPLETE: Final = 0.85  # share of the numbers from first to last that are present
_BESIDE: Final = 3  # lines above and below the number
_FEWEST_WORDS: Final = 3  # beside a number; with fewer it may be a label: Practice question 7
_FEWEST_LETTERS: Final = 4  # of a line that repeats; fewer may be anything

_SPARSE: Final = 700  # characters between blank lines on average
_SAMPLE, _SAMPLES = 4_000, 16  # characters of a sample, and the number of samples
_HEADS, _FEET = 2, 3  # lines that are examined at the top and bottom of such pages
_SIGNS: Final = "#*_|–—-·•[]() \t\f\n\u00a0"
_CODE: Final = re.compile(r"[ ]{4}|\t")
_ITEM: Final = re.compile(r"[ ]*(?:[-+*]|\d{1,9}[.)])(?![ \t]*\d{1,4}[ \t]*-)[ \t]")
# The start of a line that begins with a number, below a blank line, and the end of a line that ends
# with a number, above a blank line. Both patterns begin with a line end, which `re` finds fast.
_BEGUN: Final = re.compile(r"\n\n(?=[#*_|–—\-•\[( ]{0,8}+\d{1,4}(?![.)]?\d|[.)]))")
_AFTER_NUMBER: Final = "|".join(rf"(?<=\d[*\] ]{{{count}}}\n)" for count in range(4))
_ENDED: Final = re.compile(rf"\n(?=\n|\Z)(?:{_AFTER_NUMBER})")
_ENDED_LINE: Final = re.compile(rf"[^\n]{{1,{_LONGEST}}}+(?=\n\n|\n?\Z)")
_MARKS: Final = re.compile(r"\*+|__")
_DIGITS: Final = re.compile(r"\d+")
_BEFORE_ALL: Final = re.compile(
    rf"(?:^|[\s*_])(\d{{1,4}})\s*(?:{OF_ALL})\s*\d{{1,4}}$", re.IGNORECASE
)
_AT_END: Final = re.compile(r"(?:^|[\s*_])(\d{1,4})$")
_AT_START: Final = re.compile(r"(\d{1,4})(?=[\s*_])")
_PAGE: Final = re.compile(rf"{PAGE_WORD}|slide|folio|sheet|blatt", re.IGNORECASE)


class _Line(NamedTuple):
    """A line that may be the running header or footer of a page.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        edge: Where its page begins if the line is a header, or ends if it is a footer.
        is_head: Whether it is at the top of a page and text follows on the next line.
    """

    start: int
    end: int
    edge: int
    is_head: bool


class _Number(NamedTuple):
    """A number at the start or end of such a line.

    Attributes:
        line: The line.
        value: The number.
        form: The line's text without its numbers, see `_form`.
        is_of_all: Whether the total number of pages follows: 3 of 25.
    """

    line: _Line
    value: int
    form: str
    is_of_all: bool


def pages_by_running_numbers(text: str) -> tuple[tuple[int, int], ...]:
    """Return the offset and number of each page, or nothing if no printed numbers show them.

    Args:
        text: A text without page marks.
    """
    plain = with_line_feeds(text)
    pages = _pages_of(plain)
    return tuple(pages if len(plain) == len(text) else _with_longer_ends(pages, text))


def _with_longer_ends(pages: Iterable[tuple[int, int]], text: str) -> Iterator[tuple[int, int]]:
    """Yield the pages with their offsets in a text in which some line ends have two characters."""
    at = before = 0
    for offset, page in pages:
        step = offset - before
        end = at + step
        while (longer := at + step + text.count("\r\n", at, end)) != end:
            end = longer
        at, before = end, offset
        yield at, page


def _pages_of(text: str) -> Iterable[tuple[int, int]]:
    """Return the pages of a text whose line ends are line feeds."""
    numbers = _numbers(text)
    for _ in range(_CHAINS):
        chain = _of_forms(_longest_chain(numbers))
        if len(chain) < _FEWEST:
            return ()  # the common case
        if _run_through(chain, text) and _are_pages(chain, text):
            return _pages(chain, text)
        seen = {number.form for number in chain}
        numbers = [number for number in numbers if number.form not in seen]
    return ()


def _numbers(text: str) -> list[_Number]:
    """Return the numbers that may be page numbers, of forms that occur at least three times."""
    found: list[_Number] = []
    is_layout = has_few_blank_lines(text)  # then indented lines are centred, and no code
    for line in _lines_at_edges(text) if is_layout else _lines_between_blanks(text):
        written = text[line.start : line.end]
        if _ITEM.match(written) or (not is_layout and _CODE.match(written)):
            continue
        form = _form(written)
        if not _is_label(form):
            found += [_Number(line, *each) for each in _at_ends(written.strip(_SIGNS), form)]
    forms = Counter(number.form for number in found)
    return [number for number in found if forms[number.form] >= _FEWEST_OF_FORM]


def _lines_between_blanks(text: str) -> Iterable[_Line]:
    """Return the lines between blank lines that begin or end with a digit, in order."""
    return sorted({*_lines_below_blank(text), *_lines_above_blank(text)})


def has_few_blank_lines(text: str) -> bool:
    """Whether blank lines are too rare to separate paragraphs, as in PDF text; they may end pages.

    Args:
        text: A text whose line ends are line feeds.
    """
    step = max(len(text) // _SAMPLES, _SAMPLE)
    starts = range(0, len(text), step)
    seen = sum([text.count("\n\n", start, start + _SAMPLE) for start in starts])
    looked_at = min(len(text), len(starts) * _SAMPLE)
    return (seen + 1) * _SPARSE < looked_at


def _lines_below_blank(text: str) -> Iterator[_Line]:
    """Yield the lines between blank lines that begin with a number."""
    for match in _BEGUN.finditer(text):
        start, line = match.end(), _ENDED_LINE.match(text, match.end())
        if line:
            yield _Line(start, line.end(), line.end(), is_head=False)


def _lines_above_blank(text: str) -> Iterator[_Line]:
    """Yield the lines between blank lines that end with a number."""
    for match in _ENDED.finditer(text):
        end = match.start()
        lowest = end - _LONGEST if end > _LONGEST else 0
        start = text.rfind("\n", lowest, end) + 1
        if start > 1 and text[start - 2] == "\n" and _has_number(text[start:end]):
            yield _Line(start, end, end, is_head=False)


def _lines_at_edges(text: str) -> Iterator[_Line]:
    """Yield the first and last lines between blank lines, if they begin or end with a digit.

    If blank lines are rare, they separate pages.
    """
    start = 0
    while start < len(text):
        end = text.find("\n\n", start)
        stop = end if end >= 0 else len(text)
        edges = list(_edge_spans(text, start, stop))
        for first, after, is_head in edges:
            if after - first <= _LONGEST and _has_number(text[first:after]):
                yield _Line(first, after, start if is_head else stop, is_head=is_head)
        start = stop + 2


def _edge_spans(text: str, start: int, stop: int) -> Iterator[tuple[int, int, bool]]:
    """Yield the first and last lines of a stretch, and whether each is among the first."""
    first = start
    for _ in range(_HEADS):
        end = text.find("\n", first, stop)
        if end < 0:
            break
        yield first, end, True
        first = end + 1
    feet: list[tuple[int, int, bool]] = []
    end = stop
    while end > first and len(feet) < _FEET:
        begin = max(text.rfind("\n", first, end) + 1, first)
        feet.append((begin, end, False))
        end = begin - 1
    yield from reversed(feet)


def _has_number(line: str) -> bool:
    said = line.strip(_SIGNS)
    return said[-1:].isdigit() or said[:1].isdigit()


def _form(line: str) -> str:
    """Return the text of a line without markup, with 0 for each number."""
    return _DIGITS.sub("0", _MARKS.sub("", line).strip(_SIGNS))


def _is_label(form: str) -> bool:
    """Whether a form may be the label of a section or figure: a word or symbol, then a number.

    ``Page 7`` is not a label. Nor is a document name that contains a number: ``AN10 7``.
    """
    word, _, number = form.partition(" ")
    return number == "0" and "0" not in word and not _PAGE.fullmatch(word)


def _at_ends(said: str, form: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the numbers at the end and start of a line, each with the other fields of `_Number`."""
    if match := _BEFORE_ALL.search(said):
        yield int(match[1]), form, True
        return
    for match in (_AT_END.search(said), _AT_START.match(said)):
        if match:
            yield int(match[1]), form, False


def _longest_chain(numbers: Sequence[_Number]) -> list[_Number]:
    """Return the longest run of numbers that count up, each about a page after the previous one."""
    lengths: list[int] = []
    before: list[int] = []
    latest: dict[int, int] = {}  # for each value, the index of its number with the longest run
    for at, number in enumerate(numbers):
        length, previous = 1, -1
        for step in range(1, _MOST_MISSING + 1):
            last = latest.get(number.value - step, -1)
            if last < 0 or lengths[last] < length:
                continue
            distance = number.line.start - numbers[last].line.start
            if _SHORTEST_PAGE <= distance <= step * _LONGEST_PAGE:
                length, previous = lengths[last] + 1, last
        lengths.append(length)
        before.append(previous)
        own = latest.get(number.value, -1)
        if own < 0 or lengths[own] <= length:
            latest[number.value] = at
    chain: list[_Number] = []
    at = max(range(len(lengths)), key=lengths.__getitem__, default=-1)
    while at >= 0:
        chain.append(numbers[at])
        at = before[at]
    return chain[::-1]


def _of_forms(chain: Sequence[_Number]) -> list[_Number]:
    """Return the numbers whose form repeats; left and right pages and chapters may differ in it."""
    forms = Counter([number.form for number in chain])
    return [number for number in chain if forms[number.form] >= _FEWEST_OF_FORM]


def _run_through(chain: Sequence[_Number], text: str) -> bool:
    """Whether numbers count up through most of a text."""
    first, last = chain[0], chain[-1]
    is_through = last.line.start - first.line.start >= _COVERED * len(text)
    return is_through and _share(chain) >= _COUNTED


def _share(chain: Sequence[_Number]) -> float:
    """Return the share of the numbers from the first to the last that are present."""
    return len(chain) / (chain[-1].value - chain[0].value + 1)


def _are_pages(chain: Sequence[_Number], text: str) -> bool:
    """Whether something shows that the numbers are those of pages, not of sections."""
    least = max(_OFTEN * len(chain), _FEWEST_OF_FORM)
    if sum([number.is_of_all for number in chain]) >= least:
        return True
    if _is_furniture_beside(chain, text, least):
        return True
    above = [_end_above(number.line, text) for number in chain]
    open_ends = [
        (end, number.line)
        for end, number in zip(above, chain, strict=True)
        if not ends_sentence(end)
    ]
    interrupted = sum([sentence_continues(end, _below(line, text)) for end, line in open_ends])
    if interrupted >= max(_INTERRUPTED * len(chain), _FEWEST_INTERRUPTED):
        return True
    is_bare = {number.form for number in chain} == {"0"}
    is_complete = len(chain) >= _FEWEST_BARE and _share(chain) > _LEAST_COMPLETE
    return is_bare and is_complete and len(open_ends) >= _OPEN * len(chain)


def _is_furniture_beside(chain: Sequence[_Number], text: str, least: float) -> bool:
    """Whether words repeat with the numbers: before them, after them, or on lines next to them."""
    beside: Counter[str] = Counter()
    for number in chain:
        if text[number.line.start] == "#" and number.form.count("0") == 1:
            continue  # it may be the number of a section, above any text
        beside.update({number.form} if _is_name(number.form) else ())
        beside.update(set(_next_to(number.line, text)))
    return any(
        count >= least and sum(map(str.isalpha, form)) >= _FEWEST_LETTERS
        for form, count in beside.items()
    )


def _next_to(line: _Line, text: str) -> Iterator[str]:
    """Yield the forms of the short lines above and below a line."""
    above = text[max(line.start - _BESIDE * _LONGEST, 0) : line.start].split("\n")[::-1]
    below = text[line.end : line.end + _BESIDE * _LONGEST].split("\n")
    for lines in (above, below):
        solid = (each for each in lines if each.strip(_SIGNS))
        for each in islice(solid, _BESIDE):
            if len(each) > _LONGEST or each.startswith("|"):  # a table row may repeat
                break
            yield _form(each)


def _is_name(form: str) -> bool:
    """Whether a line with a number cannot be a label: it has several words or another number."""
    return form.count(" ") >= _FEWEST_WORDS or form.count("0") > 1


def _end_above(line: _Line, text: str) -> str:
    """Return the end of the paragraph above a line."""
    start = line.start - _LONGEST if line.start > _LONGEST else 0
    above = text[start : line.start].rstrip()
    return above[above.rfind("\n\n") + 1 :]


def _below(line: _Line, text: str) -> str:
    """Return the beginning of the text below a line."""
    return text[line.end : line.end + _LONGEST].lstrip()


def _pages(chain: Sequence[_Number], text: str) -> Iterator[tuple[int, int]]:
    """Yield the start of each page: after the numbers in footers, or at the numbers in headers."""
    first, last = chain[0].line.start, chain[-1].line.start
    average = (last - first) / (chain[-1].value - chain[0].value)
    are_heads = 2 * sum(number.line.is_head for number in chain) > len(chain)
    if are_heads or first < average / 10:  # at the top of the first page
        yield from ((number.line.start, number.value) for number in chain)
        return
    if first < _MOST_MISSING * average:
        yield 0, chain[0].value
    size = len(text.rstrip())
    for number in chain:
        begin = text.find("\n", number.line.edge) + 1
        if 0 < begin < size:
            yield begin, number.value + 1

"""Find the pages of a text without page marks, by the printed page numbers that it still contains.

PDF converters leave running headers and footers in the text: ``**3 of 25**``, ``7``, or
``## 12 User Manual``, each on a line of its own. Such lines show where pages end if their numbers
count up through most of the text, about a page apart. Something must also show that they are not
section numbers: the total number of pages follows, the lines beside them repeat from page to page,
sentences continue across them, or many pages do not end with the end of a sentence.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from typing import Final, NamedTuple

from treepack.line_ends import LineFeedOffsets, with_line_feeds
from treepack.numbers.words import OF_TOTAL, PAGE_WORD
from treepack.outline.page_breaks import ends_sentence, sentence_continues

_LONGEST_LINE: Final = 140  # characters of a running header or footer
_FEWEST: Final = 5  # numbers that count up
_FEWEST_OF_FORM: Final = 3  # numbers of one form; two may be chance
_MOST_MISSING: Final = 3  # step from one number to the next; pages of pictures have no number
_SHORTEST_PAGE: Final = 250  # characters
_LONGEST_PAGE: Final = 15_000  # characters; large tables are long in markdown
_COVERED_SHARE: Final = 0.5  # share of the text between the first number and the last
_PRESENT_SHARE: Final = 0.45  # share of the numbers that are present; left pages may have none
_MOST_CHAINS: Final = 3  # chains that are tried; lines of a listing may be numbered as well
_REPEATED_SHARE: Final = 0.4  # share of the pages; a header may appear on left pages only
_INTERRUPTED_SHARE: Final = 0.15  # share of the pages that end within a sentence
_FEWEST_INTERRUPTED: Final = 2
_OPEN_SHARE: Final = 0.3  # share of the pages that end without a sentence end; sections rarely do
_FEWEST_BARE: Final = 10  # numbers without other evidence
_COMPLETE_SHARE: Final = 0.85  # share of the numbers from first to last that are present
_LINES_BESIDE: Final = 3  # lines above and below the number
_FEWEST_WORDS: Final = 3  # beside a number; with fewer it may be a label: Practice question 7
_FEWEST_LETTERS: Final = 4  # of a line that repeats; fewer may be anything

_SPARSE: Final = 700  # characters between blank lines on average
_SAMPLE, _SAMPLES = 4_000, 16  # characters of a sample, and the number of samples
_HEADER_LINES, _FOOTER_LINES = 2, 3  # lines that are examined at the top and bottom of such pages
_EDGE_CHARACTERS: Final = "#*_|–—-·•[]() \t\f\n\u00a0"
_CODE: Final = re.compile(r"[ ]{4}|\t")
_ITEM: Final = re.compile(r"[ ]*(?:[-+*]|\d{1,9}[.)])(?![ \t]*\d{1,4}[ \t]*-)[ \t]")
_FIRST_NUMBER: Final = r"[#*_|–—\-•\[( ]{0,8}+\d{1,4}(?![.)]?\d|[.)])"
_AFTER_NUMBER: Final = "|".join(rf"(?<=\d[*\] ]{{{count}}}\n)" for count in range(4))
_LAST_NUMBER: Final = rf"[^\n]{{1,{_LONGEST_LINE - 1}}}+\n(?=\n|\Z)(?:{_AFTER_NUMBER})"
# Above a line that begins or ends with a number. `re` finds the line ends at its beginning fast.
_ABOVE_NUMBER: Final = re.compile(rf"\n\n(?={_FIRST_NUMBER}|{_LAST_NUMBER})")
_REST_OF_LINE: Final = re.compile(rf"[^\n]{{1,{_LONGEST_LINE}}}+(?=\n\n|\n?\Z)")
_BOLD_MARKERS: Final = re.compile(r"\*+|__")
_DIGITS: Final = re.compile(r"\d+")
_BEFORE_TOTAL: Final = re.compile(
    rf"(?:^|[\s*_])(\d{{1,4}})\s*(?:{OF_TOTAL})\s*\d{{1,4}}$", re.IGNORECASE
)
_AT_END: Final = re.compile(r"(?:^|[\s*_])(\d{1,4})$")
_AT_START: Final = re.compile(r"(\d{1,4})(?=[\s*_])")
_PAGE_WORDS: Final = re.compile(rf"{PAGE_WORD}|slide|folio|sheet|blatt", re.IGNORECASE)


class _Line(NamedTuple):
    """A line that may be the running header or footer of a page.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        edge: Where its page begins if the line is a header, or ends if it is a footer.
        is_header: Whether it is at the top of a page and text follows on the next line.
    """

    start: int
    end: int
    edge: int
    is_header: bool


class _Number(NamedTuple):
    """A number at the start or end of such a line.

    Attributes:
        line: The line.
        value: The number.
        form: The line's text without its numbers, see `_form`.
        has_total: Whether the total number of pages follows: 3 of 25.
    """

    line: _Line
    value: int
    form: str
    has_total: bool


def pages_by_running_numbers(text: str) -> tuple[tuple[int, int], ...]:
    """Return the offset and number of each page, or nothing if no printed numbers show them.

    Args:
        text: A text without page marks.
    """
    pages = _pages_of(with_line_feeds(text))
    if not pages:
        return ()  # the common case
    offset = LineFeedOffsets(text).offset
    return tuple([(offset(start), page) for start, page in pages])


def _pages_of(text: str) -> Sequence[tuple[int, int]]:
    """Return the pages of a text whose line ends are line feeds."""
    numbers = _numbers(text)
    for _ in range(_MOST_CHAINS):
        chain = _with_repeated_forms(_longest_chain(numbers))
        if len(chain) < _FEWEST:
            return ()  # the common case
        if _spans_most_of(chain, text) and _are_pages(chain, text):
            return list(_pages(chain, text))
        rejected = {number.form for number in chain}
        numbers = [number for number in numbers if number.form not in rejected]
    return ()


def _numbers(text: str) -> list[_Number]:
    """Return the numbers that may be page numbers, of forms that occur at least three times."""
    is_layout = has_few_blank_lines(text)  # then indented lines are centred, and no code
    lines = list(_lines_at_edges(text) if is_layout else _lines_between_blanks(text))
    if len(lines) < _FEWEST:
        return []  # the common case
    numbers: list[_Number] = []
    for line in lines:
        content = text[line.start : line.end]
        if _ITEM.match(content) or (not is_layout and _CODE.match(content)):
            continue
        form = _form(content)
        if not _is_label(form):
            ends = _numbers_at_ends(content.strip(_EDGE_CHARACTERS), form)
            numbers += [_Number(line, *fields) for fields in ends]
    forms = Counter(number.form for number in numbers)
    return [number for number in numbers if forms[number.form] >= _FEWEST_OF_FORM]


def _lines_between_blanks(text: str) -> Iterator[_Line]:
    """Yield the lines between blank lines that begin or end with a digit, in order."""
    for match in _ABOVE_NUMBER.finditer(text):
        start, line = match.end(), _REST_OF_LINE.match(text, match.end())
        if line:
            yield _Line(start, line.end(), line.end(), is_header=False)


def has_few_blank_lines(text: str) -> bool:
    """Whether blank lines are too rare to separate paragraphs, as in PDF text; they may end pages.

    Args:
        text: A text whose line ends are line feeds.
    """
    step = max(len(text) // _SAMPLES, _SAMPLE)
    starts = range(0, len(text), step)
    sampled = min(len(text), len(starts) * _SAMPLE)
    counts = (text.count("\n\n", start, start + _SAMPLE) for start in starts)
    # In most texts, the first samples already have enough blank lines.
    return all((count + 1) * _SPARSE < sampled for count in accumulate(counts, initial=0))


def _lines_at_edges(text: str) -> Iterator[_Line]:
    """Yield the first and last lines between blank lines, if they begin or end with a digit.

    If blank lines are rare, they separate pages.
    """
    start = 0
    while start < len(text):
        blank_line = text.find("\n\n", start)
        end = blank_line if blank_line >= 0 else len(text)
        edges = list(_edge_spans(text, start, end))
        for line_start, line_end, is_header in edges:
            if line_end - line_start <= _LONGEST_LINE and _has_number(text[line_start:line_end]):
                yield _Line(line_start, line_end, start if is_header else end, is_header=is_header)
        start = end + 2


def _edge_spans(text: str, start: int, stop: int) -> Iterator[tuple[int, int, bool]]:
    """Yield the first and last lines of a stretch, and whether each is among the first."""
    first = start
    for _ in range(_HEADER_LINES):
        line_end = text.find("\n", first, stop)
        if line_end < 0:
            break
        yield first, line_end, True
        first = line_end + 1
    footers: list[tuple[int, int, bool]] = []
    line_end = stop
    while line_end > first and len(footers) < _FOOTER_LINES:
        line_start = max(text.rfind("\n", first, line_end) + 1, first)
        footers.append((line_start, line_end, False))
        line_end = line_start - 1
    yield from reversed(footers)


def _has_number(line: str) -> bool:
    content = line.strip(_EDGE_CHARACTERS)
    return content[-1:].isdigit() or content[:1].isdigit()


def _form(line: str) -> str:
    """Return the text of a line without markup, with 0 for each number."""
    return _DIGITS.sub("0", _BOLD_MARKERS.sub("", line).strip(_EDGE_CHARACTERS))


def _is_label(form: str) -> bool:
    """Whether a form may be the label of a section or figure: a word or symbol, then a number.

    ``Page 7`` is not a label. Nor is a document name that contains a number: ``AN10 7``.
    """
    word, _, number = form.partition(" ")
    return number == "0" and "0" not in word and not _PAGE_WORDS.fullmatch(word)


def _numbers_at_ends(line: str, form: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the numbers at the end and start of a line, each with the other fields of `_Number`."""
    if match := _BEFORE_TOTAL.search(line):
        yield int(match[1]), form, True
        return
    for match in (_AT_END.search(line), _AT_START.match(line)):
        if match:
            yield int(match[1]), form, False


def _longest_chain(numbers: Sequence[_Number]) -> list[_Number]:
    """Return the longest run of numbers that count up, each about a page after the previous one."""
    lengths: list[int] = []
    predecessors: list[int] = []
    latest: dict[int, int] = {}  # for each value, the index of its number with the longest run
    for index, number in enumerate(numbers):
        length, previous = 1, -1
        for step in range(1, _MOST_MISSING + 1):
            last = latest.get(number.value - step, -1)
            if last < 0 or lengths[last] < length:
                continue
            distance = number.line.start - numbers[last].line.start
            if _SHORTEST_PAGE <= distance <= step * _LONGEST_PAGE:
                length, previous = lengths[last] + 1, last
        lengths.append(length)
        predecessors.append(previous)
        same_value = latest.get(number.value, -1)
        if same_value < 0 or lengths[same_value] <= length:
            latest[number.value] = index
    chain: list[_Number] = []
    index = max(range(len(lengths)), key=lengths.__getitem__, default=-1)
    while index >= 0:
        chain.append(numbers[index])
        index = predecessors[index]
    return chain[::-1]


def _with_repeated_forms(chain: Sequence[_Number]) -> list[_Number]:
    """Return the numbers whose form repeats; left and right pages and chapters may differ in it."""
    forms = Counter([number.form for number in chain])
    return [number for number in chain if forms[number.form] >= _FEWEST_OF_FORM]


def _spans_most_of(chain: Sequence[_Number], text: str) -> bool:
    """Whether numbers count up through most of a text."""
    first, last = chain[0], chain[-1]
    is_through = last.line.start - first.line.start >= _COVERED_SHARE * len(text)
    return is_through and _present_share(chain) >= _PRESENT_SHARE


def _present_share(chain: Sequence[_Number]) -> float:
    """Return the share of the numbers from the first to the last that are present."""
    return len(chain) / (chain[-1].value - chain[0].value + 1)


def _are_pages(chain: Sequence[_Number], text: str) -> bool:
    """Whether something shows that the numbers are those of pages, not of sections."""
    least = max(_REPEATED_SHARE * len(chain), _FEWEST_OF_FORM)
    if sum([number.has_total for number in chain]) >= least:
        return True
    if _is_furniture_beside(chain, text, least):
        return True
    above = [_end_above(number.line, text) for number in chain]
    open_ends = [
        (end, number.line)
        for end, number in zip(above, chain, strict=True)
        if not ends_sentence(end)
    ]
    interrupted = sum(
        [
            sentence_continues(end, text[line.end : line.end + _LONGEST_LINE].lstrip())
            for end, line in open_ends
        ]
    )
    if interrupted >= max(_INTERRUPTED_SHARE * len(chain), _FEWEST_INTERRUPTED):
        return True
    is_bare = {number.form for number in chain} == {"0"}
    is_complete = len(chain) >= _FEWEST_BARE and _present_share(chain) > _COMPLETE_SHARE
    return is_bare and is_complete and len(open_ends) >= _OPEN_SHARE * len(chain)


def _is_furniture_beside(chain: Sequence[_Number], text: str, least: float) -> bool:
    """Whether words repeat with the numbers: before them, after them, or on lines next to them."""
    beside: Counter[str] = Counter()
    for number in chain:
        if text[number.line.start] == "#" and number.form.count("0") == 1:
            continue  # it may be the number of a section, above any text
        beside.update({number.form} if _is_name(number.form) else ())
        beside.update(set(_forms_beside(number.line, text)))
    return any(
        count >= least and sum(map(str.isalpha, form)) >= _FEWEST_LETTERS
        for form, count in beside.items()
    )


def _forms_beside(line: _Line, text: str) -> Iterator[str]:
    """Yield the forms of the short lines above and below a line."""
    above = text[max(line.start - _LINES_BESIDE * _LONGEST_LINE, 0) : line.start].split("\n")[::-1]
    below = text[line.end : line.end + _LINES_BESIDE * _LONGEST_LINE].split("\n")
    for lines in (above, below):
        nonblank = (neighbour for neighbour in lines if neighbour.strip(_EDGE_CHARACTERS))
        for neighbour in islice(nonblank, _LINES_BESIDE):
            if len(neighbour) > _LONGEST_LINE or neighbour[0] == "|":  # a table row may repeat
                break
            yield _form(neighbour)


def _is_name(form: str) -> bool:
    """Whether a line with a number cannot be a label: it has several words or another number."""
    return form.count(" ") >= _FEWEST_WORDS or form.count("0") > 1


def _end_above(line: _Line, text: str) -> str:
    """Return the end of the paragraph above a line."""
    start = line.start - _LONGEST_LINE if line.start > _LONGEST_LINE else 0
    above = text[start : line.start].rstrip()
    return above[above.rfind("\n\n") + 1 :]


def _pages(chain: Sequence[_Number], text: str) -> Iterator[tuple[int, int]]:
    """Yield the start of each page: after the numbers in footers, or at the numbers in headers."""
    first, last = chain[0].line.start, chain[-1].line.start
    average = (last - first) / (chain[-1].value - chain[0].value)
    are_headers = 2 * sum(number.line.is_header for number in chain) > len(chain)
    if are_headers or first < average / 10:  # at the top of the first page
        yield from ((number.line.start, number.value) for number in chain)
        return
    if first < _MOST_MISSING * average:
        yield 0, chain[0].value
    size = len(text.rstrip())
    for number in chain:
        begin = text.find("\n", number.line.edge) + 1
        if 0 < begin < size:
            yield begin, number.value + 1

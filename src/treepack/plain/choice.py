"""Whether a text is markdown or plain: by its name, and by what its lines show.

Marks are what only markdown has: headings, fences, delimiter rows of tables, links, emphasis. Signs
are what markdown hardly ever has: form feeds, indented paragraphs, columns, consecutive comment
lines, code outside fences, mail headers, long lines that are paragraphs although no blank lines
separate them, and headings in reStructuredText, AsciiDoc, wiki or LaTeX markup.

The decision depends on the name. ``.md`` is markdown and ``.rst`` is plain. ``.txt`` is plain
unless it has many marks, and ``.pdf`` is plain unless it has more marks than signs. A text without
such a name is markdown unless it has many signs. Only some stretches of a long text are read, so
that the choice costs little.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, Literal, NamedTuple, TypeAlias

from treepack.line_ends import with_line_feeds
from treepack.model.source import BYTE_ORDER_MARK, LINE_END, Source
from treepack.plain.lines import FIRST_WIDE, LEAST_UNWRAPPED
from treepack.plain.marks import marked

Markup: TypeAlias = Literal["markdown", "plain"]

_MARKDOWN: Final = {".md", ".markdown", ".mdown", ".mkd", ".mdx", ".mdc", ".qmd", ".rmd"}
_PLAIN: Final = {".txt", ".text", ".log", ".asc"}
_OTHER_MARKUP: Final = {".rst", ".rest", ".adoc", ".asciidoc", ".wiki", ".mediawiki", ".tex"}
# The text that loaders make of these has no marks, but that of converters has.
_CONVERTED: Final = {
    ".pdf", ".html", ".htm", ".xhtml", ".eml", ".msg", ".doc", ".docx", ".odt", ".rtf", ".ppt",
    ".pptx",
}  # fmt: skip

_FIRST: Final = 2048  # characters
_NEAR: Final = 65_536
_WINDOW: Final = 384
_WINDOWS: Final = 6
_NAMED_SCALE: Final = 6
_LEAST: Final = 3
_SHARE: Final = 0.02  # of the lines

# The beginning of most markdown has a heading between blank lines, and one of the other marks.
_APART: Final = re.compile(r"(?:\A|\n\r?\n)\ufeff?#{1,6} [^\s#][^\n]*\n\r?\n(?=[^\n]*\w)")
_OPENING: Final = "\n```"
_OTHERS: Final = ("](", "**", "|--", "| -", "| :-", "\n## ", "\n### ")
# Each line with a sign contains one of these, which are cheap to count; other lines may as well.
_SUSPECT: Final = (
    *("\n   ", "\n\t", "\n#", "\n=", "\n--", "\n**", "\n__", "\n~~", "\f", "    "),
    *("\n\\", "\n.. ", "\n^^^", "{\n", "}\n", ";\n"),
    *("\nFrom:", "\nTo:", "\nSubject:", "\nDate:", "\nSent:", "\nRe"),
)
# Each line with a mark contains one of these, such as ``|`` for a table; other lines may as well.
_MARKS: Final = ("\n#", "\n[", "|", "~~~", "](", "][", "**", "__", "`", "<")
_HEADING: Final = re.compile(r"#{1,6}[ \t]+\S")
_FENCE: Final = re.compile(r"[ ]{0,3}(`{3}[^`]*$|~{3})")
_DELIMITERS: Final = re.compile(
    r"[ ]{0,3}(?=[^|]*\|)\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?\s*$"
)
_DEFINITION: Final = re.compile(r"\[[^\]\s][^\]]*\]:[ \t]*\S")
_INLINE: Final = re.compile(
    r"(?P<links>\]\([^()\s]|\]\[)|(?P<emphasis>\*\*\w[^*]*\*\*|(?<!\w)__\w[^_]*__(?!\w))"
    r"|(?P<backticks>(?<![`\w:])`[^`\s](?:[^`]*[^`\s])?`(?![`_]))|(?P<tags><!--|</?(?:br|img|details|sup|sub)\b)"
)
_MAIL: Final = re.compile(
    r"(?:From|To|Cc|Subject|Date|Sent|Message-ID|Received|Reply-To|In-Reply-To):[ \t]+\S"
)
_RULE_SIGNS: Final = "=*_~#-"
_RULE: Final = re.compile(rf"[{_RULE_SIGNS}]{{10,}}\s*$")
# Between pages, converters and scripts write such lines, whatever the text is.
_PAGE: Final = re.compile(r"(?:page|slide) [0-9]", re.IGNORECASE)
_PAGE_IN_RULES: Final = re.compile(
    r"=+ ?(?:page ?[0-9]|[0-9]{1,3} ?(?:=|(?:of|/) ?[0-9]))", re.IGNORECASE
)
_DIRECTIVE: Final = re.compile(r"\.\. (?:[\w:.+-]+::(?:\s|$)|_[^:]+:|\[[#*\w]+\] )")
_OTHER_KINDS: Final = ("directives", "underlines", "markup of another format")
_OTHER_SIGNS: Final = frozenset("=\\~^\"'+.:`*")
_UNDERLINE: Final = re.compile(r"([~^\"'+.:`*])\1{3,}\s*$")
_ITEM: Final = re.compile(r"[ ]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]")
_PROSE: Final = re.compile(r"(?:[ ]{3,}|[ ]*\t)\s*[\w(\"“„][^=;{}<>|]{20,}")
_COLUMNS: Final = re.compile(r"\S[ ]{4,}\S")
_PARAGRAPH: Final = re.compile(
    r"\n(?![-*+>|<#\s]|[0-9]{1,9}[.)] )"
    rf"(?:[^\n]{{{LEAST_UNWRAPPED - 1},}}[.!?]"
    rf"|[{FIRST_WIDE}-\uffef][^\n]{{{LEAST_UNWRAPPED // 2 - 2},}}[。！？])"
    r"[\"”»)」』]?[ \t\u00a0]?(?=\n[\"“„«¿¡「『《【]?[^\W_a-z])"
)
"""A line that is a paragraph: too long for a page, it ends a sentence, and another one follows."""
_STATEMENT: Final = re.compile(r"(?:\w\([^()]*\)+|=[^=]*);$")


class Choice(NamedTuple):
    """The decision how to read a text.

    Attributes:
        markup: ``markdown`` or ``plain``.
        reason: The reason for it.
    """

    markup: Markup
    reason: str


class Evidence(NamedTuple):
    """What lines show.

    Attributes:
        lines: The number of lines that are not blank.
        marks: The number of lines with each mark of markdown.
        signs: The number of lines with each sign of plain text.
    """

    lines: int
    marks: Counter[str]
    signs: Counter[str]

    @property
    def is_other_markup(self) -> bool:
        """Whether it has headings in the markup of reStructuredText, AsciiDoc, wikis or LaTeX."""
        found = sum(self.signs[kind] for kind in _OTHER_KINDS)
        return found >= _LEAST and found > self.marks["headings"]

    @property
    def has_many_marks(self) -> bool:
        """Whether more lines have marks, of two kinds or more, than in any plain text."""
        kinds = sum(number > 1 for number in self.marks.values())
        is_enough = self.marks.total() >= max(_LEAST, self.lines * _SHARE)
        is_more = self.marks.total() > 2 * self.signs.total()
        return kinds > 1 and is_enough and is_more and not self.is_other_markup

    @property
    def has_many_signs(self) -> bool:
        """Whether more lines look like plain text than in any markdown."""
        is_enough = self.signs.total() >= max(_LEAST, self.lines * _SHARE)
        is_more = self.signs.total() > 2 * self.marks.total()
        return (is_enough and is_more) or self.is_other_markup


def choose(source: Source, file: str = "") -> Choice:
    """Return whether a source is markdown or plain text, and why.

    Args:
        source: The text.
        file: The name of its file, if the source has another name or none.
    """
    if source.origins:
        return Choice("markdown", "it became markdown when it was read")
    suffix = _suffix(file or source.name)
    if suffix in _MARKDOWN:
        return Choice("markdown", f"its name ends with {suffix}")
    if suffix in _OTHER_MARKUP:
        return Choice("plain", f"its name ends with {suffix}")
    is_named = suffix in _PLAIN or suffix in _CONVERTED
    if not is_named and _is_surely_marked(source.text):
        return Choice("markdown", "it has fences, or begins with a heading and other markup")
    least = 1 if suffix in _CONVERTED else _LEAST
    found = _evidence(source.text, least, is_named=is_named)
    if suffix in _PLAIN:
        is_marked = found.has_many_marks
    elif suffix in _CONVERTED:
        is_marked = found.marks.total() > found.signs.total()
    else:
        is_marked = not found.has_many_signs
        if is_marked and not found.marks and (lines := _paragraph_lines(source.text)):
            return Choice("plain", f"{lines} lines are paragraphs without blank lines between them")
    told = _told(found)
    if is_named:
        told = f"its name ends with {suffix}; {told or 'hardly a line has markdown markup'}"
    reason = told or "hardly a line looks like plain text"
    return Choice("markdown" if is_marked else "plain", reason)


def _suffix(name: str) -> str:
    """Return a file name from its last dot on, in lower case; `pathlib` would be slow."""
    return name[name.rfind(".") :].lower() if "." in name else ""


def _told(found: Evidence) -> str:
    """Return what was found, as a reason; empty if nothing was found."""
    told = [
        f"{total} of {found.lines} sampled lines {what} ({_named(kinds)})"
        for kinds, what in (
            (found.marks, "have markdown markup"),
            (found.signs, "look like plain text"),
        )
        if (total := kinds.total())
    ]
    return "; ".join(told)


def _named(kinds: Counter[str]) -> str:
    return ", ".join(f"{kind}: {number}" for kind, number in kinds.most_common(3))


def _is_surely_marked(text: str) -> bool:
    """Whether a text is markdown beyond doubt; this costs next to nothing."""
    first = text[:_FIRST]
    heading = _APART.search(first)
    if heading is not None and any(first.find(mark, heading.end()) >= 0 for mark in _OTHERS):
        return True
    return text.find(_OPENING, 0, _NEAR) >= 0  # the content of fences may look like anything


def _evidence(text: str, least: int, *, is_named: bool) -> Evidence:
    """Return what some lines show; more lines are examined if the name indicates plain text.

    Args:
        text: The text.
        least: How many lines must show something to decide anything.
        is_named: Whether the name indicates plain text, so that only marks can disprove it.
    """
    parts = list(_windows(text, _NAMED_SCALE if is_named else 1))
    count = partial(_counted, signs=_MARKS) if is_named else _suspect_lines
    if sum(count(f"\n{part}") for part in parts) < least:
        return Evidence(0, Counter(), Counter())  # the common case: no line needs to be judged
    found = [_seen(part) for part in parts]
    return Evidence(
        sum(each.lines for each in found),
        sum((each.marks for each in found), Counter[str]()),
        sum((each.signs for each in found), Counter[str]()),
    )


def _paragraph_lines(text: str) -> int:
    """Return how many lines at the beginning of a text are paragraphs; 0 if they are too few.

    More of a text without marks is read for this, because nothing else shows what it is.
    """
    near = with_line_feeds(text[:_NEAR])
    found = len(_PARAGRAPH.findall(near))
    return found if found >= max(_LEAST, _SHARE * near.count("\n")) else 0


def _counted(text: str, signs: Sequence[str]) -> int:
    """Return how often some strings occur in a text; at most as many lines have a mark or sign."""
    return sum(map(with_line_feeds(text).count, signs))


def _suspect_lines(text: str) -> int:
    """Return the largest possible number of lines with a sign of plain text."""
    text = with_line_feeds(text)
    return _counted(text, _SUSPECT) + len(_PARAGRAPH.findall(text))


def _windows(text: str, scale: int) -> Iterator[str]:
    """Yield stretches of whole lines: the beginning of a text, and samples from all of a long one.

    Args:
        text: The text.
        scale: How many times longer each stretch is than in a text without a name.
    """
    length, window = scale * _FIRST, scale * _WINDOW
    first = len(text) if len(text) <= 2 * length else _line_end(text, length)
    yield text[:first]
    step = max((len(text) - first) // _WINDOWS, window)
    for at in range(first, len(text) - window, step):
        start = _line_end(text, at)
        yield text[start : _line_end(text, start + window)]


def _line_end(text: str, offset: int) -> int:
    """Return where the next line after an offset begins; the offset if no line ends soon."""
    match = LINE_END.search(text, offset, offset + _WINDOW)
    return match.end() if match else offset


def _seen(text: str) -> Evidence:
    """Return what the lines of a stretch show; each line counts at most once."""
    marks: Counter[str] = Counter()
    signs: Counter[str] = Counter()
    number = 0
    for line, kind, is_mark in _judged(text):
        number += bool(line) and not line.isspace()
        if kind:
            (marks if is_mark else signs)[kind] += 1
    return Evidence(number, marks, signs)


def _judged(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield each line with its mark or sign, empty for most lines, and whether it is a mark."""
    lines = with_line_feeds(text.removeprefix(BYTE_ORDER_MARK)).split("\n")
    fence, above, in_list = "", "", False
    for place, line in enumerate(lines):
        if fence:
            if line.lstrip(" ").startswith(fence):
                fence = ""
                yield line, "fences", True
            continue
        if line and not line[0].isspace():
            in_list = _ITEM.match(line) is not None
        below = lines[place + 1] if place + 1 < len(lines) else ""
        if kind := _other_markup(line, above):
            yield line, kind, False
        elif ("```" in line or "~~~" in line) and (opening := _FENCE.match(line)):
            fence = opening[1][:3]
            yield line, "fences", True
        elif kind := _mark(line, above, below):
            yield line, kind, True
        else:
            yield line, _sign(line, above, below, in_list=in_list), False
        above = line


def _mark(line: str, above: str, below: str) -> str:
    """Return the mark of markdown that a line has, or an empty string."""
    if line.startswith("#"):
        is_below_comment = above.endswith("-->")  # such as a converter's page mark
        is_apart = (not above.strip() or is_below_comment) and not below.startswith("#")
        is_text = not below.strip() or below.lstrip()[:1].isupper()
        return "headings" if is_apart and is_text and _HEADING.match(line) else ""
    if line.startswith("[") and _DEFINITION.match(line):
        return "link definitions"
    if "|" in line and "--" in line and _DELIMITERS.match(line) and "|" in above:
        return "tables"
    if "`" in line or "](" in line or "][" in line or "**" in line or "__" in line or "<" in line:
        found = _INLINE.search(line)
        return (found and found.lastgroup) or ""
    return ""


def _sign(line: str, above: str, below: str, *, in_list: bool) -> str:  # noqa: PLR0911 - a sign each
    """Return the sign of plain text that a line has, or an empty string."""
    if "\f" in line:
        return "form feeds"
    if line.startswith("#"):
        return "comments" if line[1:2] not in {"#", ""} or below.startswith("#") else ""
    if not line or line.isspace():
        return ""
    if line[0] in _RULE_SIGNS and _RULE.match(line):
        return "" if above.strip() or _PAGE.match(below) else "rules"
    if line[0] in " \t":
        is_first = not above.strip() and not in_list
        return "indented paragraphs" if is_first and _PROSE.match(line) else ""
    if "    " in line and "|" not in line and _COLUMNS.search(line):
        return "columns"
    if line[0] in "FTCSDMRI" and _MAIL.match(line):
        return "mail headers"
    if len(line) >= LEAST_UNWRAPPED // 2 and _PARAGRAPH.match(f"\n{line}\n{below}"):
        return "one-line paragraphs"
    return "code" if _is_code(line.rstrip()) else ""


def _other_markup(line: str, above: str) -> str:
    """Return which markup a line has of reStructuredText, AsciiDoc, a wiki or LaTeX, or ''.

    The line may contain emphasis as well.
    """
    if not line or line[0] not in _OTHER_SIGNS:
        return ""
    if _DIRECTIVE.match(line):
        return "directives"
    if line[0] in "=\\" and marked(line.rstrip(), is_book=True)[0]:
        return "" if _PAGE_IN_RULES.match(line) else "markup of another format"
    is_underline = _UNDERLINE.match(line) is not None and len(line.rstrip()) == len(above.rstrip())
    return "underlines" if is_underline and not above[0].isspace() else ""


def _is_code(line: str) -> bool:
    """Whether a line ends like a statement."""
    if line[-1] not in "{};" or "|" in line:
        return False
    return line[-1] != ";" or _STATEMENT.search(line, max(0, len(line) - _WINDOW)) is not None

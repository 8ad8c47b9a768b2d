"""Whether a text is markdown or plain: by its name, and by what its lines show.

Features of markdown are what only markdown has: headings, fences, delimiter rows of tables, links,
emphasis. Features of plain text are what markdown hardly ever has: form feeds, indented paragraphs,
columns, consecutive comment lines, code outside fences, mail headers, long lines that are
paragraphs although no blank lines separate them, and headings in reStructuredText, AsciiDoc, wiki
or LaTeX markup.

The decision depends on the name. ``.md`` is markdown and ``.rst`` is plain. ``.txt`` is plain
unless it has many features of markdown, and ``.pdf`` is plain unless it has more of them than of
plain text. A text without such a name is markdown unless it has many features of plain text. Only
some stretches of a long text are read, so that the choice costs little.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, Literal, NamedTuple, TypeAlias

from treepack.line_ends import with_line_feeds
from treepack.model.source import BYTE_ORDER_MARK, LINE_END, Source
from treepack.plain.lines import FIRST_WIDE_CHARACTER, SHORTEST_UNWRAPPED

Markup: TypeAlias = Literal["markdown", "plain"]

_MARKDOWN_SUFFIXES: Final = {".md", ".markdown", ".mdown", ".mkd", ".mdx", ".mdc", ".qmd", ".rmd"}
_PLAIN_SUFFIXES: Final = {".txt", ".text", ".log", ".asc"}
_OTHER_SUFFIXES: Final = {".rst", ".rest", ".adoc", ".asciidoc", ".wiki", ".mediawiki", ".tex"}
# The text that loaders make of these has no markdown markup, but that of converters has.
_CONVERTED_SUFFIXES: Final = {
    ".pdf", ".html", ".htm", ".xhtml", ".eml", ".msg", ".doc", ".docx", ".odt", ".rtf", ".ppt",
    ".pptx",
}  # fmt: skip

_FIRST_STRETCH: Final = 2048  # characters
_BEGINNING: Final = 65_536
_SAMPLE: Final = 384
_SAMPLES: Final = 6
_NAMED_SCALE: Final = 6
_FEWEST_LINES: Final = 3
_LEAST_SHARE: Final = 0.02  # of the lines

# The beginning of most markdown has a heading between blank lines, and other markup.
_HEADING_ALONE: Final = re.compile(r"(?:\A|\n\r?\n)\ufeff?#{1,6} [^\s#][^\n]*\n\r?\n(?=[^\n]*\w)")
_FENCE_START: Final = "\n```"
_OTHER_MARKDOWN: Final = ("](", "**", "|--", "| -", "| :-", "\n## ", "\n### ")
# Each line with a feature of plain text contains one of these, which are cheap to count. Other
# lines may as well.
_PLAIN_CLUES: Final = (
    *("\n   ", "\n\t", "\n#", "\n=", "\n--", "\n**", "\n__", "\n~~", "\f", "    "),
    *("\n\\", "\n.. ", "\n^^^", "{\n", "}\n", ";\n"),
    *("\nFrom:", "\nTo:", "\nSubject:", "\nDate:", "\nSent:", "\nRe"),
)
# Each line with a feature of markdown contains one of these, such as ``|`` for a table; other lines
# may as well.
_MARKDOWN_CLUES: Final = ("\n#", "\n[", "|", "~~~", "](", "][", "**", "__", "`", "<")
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
_RULE_CHARACTERS: Final = "=*_~#-"
_RULE: Final = re.compile(rf"[{_RULE_CHARACTERS}]{{10,}}\s*$")
# Between pages, converters and scripts write such lines, whatever the text is.
_PAGE_HEADING: Final = re.compile(r"(?:page|slide) [0-9]", re.IGNORECASE)
_PAGE_IN_RULES: Final = re.compile(
    r"=+ ?(?:page ?[0-9]|[0-9]{1,3} ?(?:=|(?:of|/) ?[0-9]))", re.IGNORECASE
)
_DIRECTIVE: Final = re.compile(r"\.\. (?:[\w:.+-]+::(?:\s|$)|_[^:]+:|\[[#*\w]+\] )")
_OTHER_MARKUP_FEATURES: Final = ("directives", "underlines", "markup of another format")
_OTHER_MARKUP_CHARACTERS: Final = frozenset("=\\~^\"'+.:`*")
_UNDERLINE: Final = re.compile(r"([~^\"'+.:`*])\1{3,}\s*$")
_ITEM: Final = re.compile(r"[ ]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]")
_PROSE: Final = re.compile(r"(?:[ ]{3,}|[ ]*\t)\s*[\w(\"“„][^=;{}<>|]{20,}")
_COLUMNS: Final = re.compile(r"\S[ ]{4,}\S")
_PARAGRAPH: Final = re.compile(
    r"\n(?![-*+>|<#\s]|[0-9]{1,9}[.)] )"
    rf"(?:[^\n]{{{SHORTEST_UNWRAPPED - 1},}}[.!?]"
    rf"|[{FIRST_WIDE_CHARACTER}-\uffef][^\n]{{{SHORTEST_UNWRAPPED // 2 - 2},}}[。！？])"
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
        markdown: The number of lines with each feature of markdown.
        plain: The number of lines with each feature of plain text.
    """

    lines: int
    markdown: Counter[str]
    plain: Counter[str]

    @property
    def is_other_markup(self) -> bool:
        """Whether it has headings in the markup of reStructuredText, AsciiDoc, wikis or LaTeX."""
        count = sum(self.plain[feature] for feature in _OTHER_MARKUP_FEATURES)
        return count >= _FEWEST_LINES and count > self.markdown["headings"]

    @property
    def is_clearly_markdown(self) -> bool:
        """Whether more lines have features of markdown than in any plain text, of several kinds."""
        features = sum(count > 1 for count in self.markdown.values())
        is_enough = self.markdown.total() >= max(_FEWEST_LINES, self.lines * _LEAST_SHARE)
        is_more = self.markdown.total() > 2 * self.plain.total()
        return features > 1 and is_enough and is_more and not self.is_other_markup

    @property
    def is_clearly_plain(self) -> bool:
        """Whether more lines look like plain text than in any markdown."""
        is_enough = self.plain.total() >= max(_FEWEST_LINES, self.lines * _LEAST_SHARE)
        is_more = self.plain.total() > 2 * self.markdown.total()
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
    if suffix in _MARKDOWN_SUFFIXES:
        return Choice("markdown", f"its name ends with {suffix}")
    if suffix in _OTHER_SUFFIXES:
        return Choice("plain", f"its name ends with {suffix}")
    is_named = suffix in _PLAIN_SUFFIXES or suffix in _CONVERTED_SUFFIXES
    if not is_named and _is_certainly_markdown(source.text):
        return Choice("markdown", "it has fences, or begins with a heading and other markup")
    least = 1 if suffix in _CONVERTED_SUFFIXES else _FEWEST_LINES
    evidence = _sampled_evidence(source.text, least, is_named=is_named)
    if suffix in _PLAIN_SUFFIXES:
        is_markdown = evidence.is_clearly_markdown
    elif suffix in _CONVERTED_SUFFIXES:
        is_markdown = evidence.markdown.total() > evidence.plain.total()
    else:
        is_markdown = not evidence.is_clearly_plain
        if is_markdown and not evidence.markdown and (lines := _paragraph_lines(source.text)):
            return Choice("plain", f"{lines} lines are paragraphs without blank lines between them")
    reason = _evidence_in_words(evidence)
    if is_named:
        reason = f"its name ends with {suffix}; {reason or 'hardly a line has markdown markup'}"
    reason = reason or "hardly a line looks like plain text"
    return Choice("markdown" if is_markdown else "plain", reason)


def _suffix(name: str) -> str:
    """Return a file name from its last dot on, in lower case; `pathlib` would be slow."""
    return name[name.rfind(".") :].lower() if "." in name else ""


def _evidence_in_words(evidence: Evidence) -> str:
    """Return what was found, as a reason; empty if nothing was found."""
    reasons = [
        f"{total} of {evidence.lines} sampled lines {what} ({_most_common(features)})"
        for features, what in (
            (evidence.markdown, "have markdown markup"),
            (evidence.plain, "look like plain text"),
        )
        if (total := features.total())
    ]
    return "; ".join(reasons)


def _most_common(features: Counter[str]) -> str:
    return ", ".join(f"{feature}: {count}" for feature, count in features.most_common(3))


def _is_certainly_markdown(text: str) -> bool:
    """Whether a text is markdown beyond doubt; this costs next to nothing."""
    beginning = text[:_FIRST_STRETCH]
    heading = _HEADING_ALONE.search(beginning)
    if heading is not None and any(
        beginning.find(clue, heading.end()) >= 0 for clue in _OTHER_MARKDOWN
    ):
        return True
    # The content of fences may look like anything.
    return text.find(_FENCE_START, 0, _BEGINNING) >= 0


def _sampled_evidence(text: str, fewest_lines: int, *, is_named: bool) -> Evidence:
    """Return what some lines show; more lines are examined if the name indicates plain text.

    Args:
        text: The text.
        fewest_lines: How many lines must show something to decide anything.
        is_named: Whether the name indicates plain text, so that only features of markdown can
            disprove it.
    """
    stretches = list(_sampled_stretches(text, _NAMED_SCALE if is_named else 1))
    count_clues = partial(_count_clues, clues=_MARKDOWN_CLUES) if is_named else _most_plain_lines
    if sum(count_clues(f"\n{stretch}") for stretch in stretches) < fewest_lines:
        return Evidence(0, Counter(), Counter())  # the common case: no line needs to be judged
    evidence = [_evidence_of_lines(stretch) for stretch in stretches]
    return Evidence(
        sum(each.lines for each in evidence),
        sum((each.markdown for each in evidence), Counter[str]()),
        sum((each.plain for each in evidence), Counter[str]()),
    )


def _paragraph_lines(text: str) -> int:
    """Return how many lines at the beginning of a text are paragraphs; 0 if they are too few.

    More of a text without marks is read for this, because nothing else shows what it is.
    """
    beginning = with_line_feeds(text[:_BEGINNING])
    count = len(_PARAGRAPH.findall(beginning))
    return count if count >= max(_FEWEST_LINES, _LEAST_SHARE * beginning.count("\n")) else 0


def _count_clues(text: str, clues: Sequence[str]) -> int:
    """Return how often some strings occur in a text; at most as many lines have a feature."""
    return sum(map(with_line_feeds(text).count, clues))


def _most_plain_lines(text: str) -> int:
    """Return the largest possible number of lines with a feature of plain text."""
    text = with_line_feeds(text)
    return _count_clues(text, _PLAIN_CLUES) + len(_PARAGRAPH.findall(text))


def _sampled_stretches(text: str, scale: int) -> Iterator[str]:
    """Yield stretches of whole lines: the beginning of a text, and samples from all of a long one.

    Args:
        text: The text.
        scale: How many times longer each stretch is than in a text without a name.
    """
    length, window = scale * _FIRST_STRETCH, scale * _SAMPLE
    first_end = len(text) if len(text) <= 2 * length else _line_end(text, length)
    yield text[:first_end]
    step = max((len(text) - first_end) // _SAMPLES, window)
    for at in range(first_end, len(text) - window, step):
        start = _line_end(text, at)
        yield text[start : _line_end(text, start + window)]


def _line_end(text: str, offset: int) -> int:
    """Return where the next line after an offset begins; the offset if no line ends soon."""
    match = LINE_END.search(text, offset, offset + _SAMPLE)
    return match.end() if match else offset


def _evidence_of_lines(text: str) -> Evidence:
    """Return what the lines of a stretch show; each line counts at most once."""
    markdown: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    line_count = 0
    for line, feature, is_markdown_feature in _features_of_lines(text):
        line_count += bool(line) and not line.isspace()
        if feature:
            (markdown if is_markdown_feature else plain)[feature] += 1
    return Evidence(line_count, markdown, plain)


def _features_of_lines(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield each line, its feature (empty for most lines), and whether that is one of markdown."""
    lines = with_line_feeds(text.removeprefix(BYTE_ORDER_MARK)).split("\n")
    fence, above, in_list = "", "", False
    for index, line in enumerate(lines):
        if fence:
            if line.lstrip(" ").startswith(fence):
                fence = ""
                yield line, "fences", True
            continue
        if line and not line[0].isspace():
            in_list = _ITEM.match(line) is not None
        below = lines[index + 1] if index + 1 < len(lines) else ""
        if feature := _other_markup(line, above):
            yield line, feature, False
        elif ("```" in line or "~~~" in line) and (opening := _FENCE.match(line)):
            fence = opening[1][:3]
            yield line, "fences", True
        elif feature := _markdown_feature(line, above, below):
            yield line, feature, True
        else:
            yield line, _plain_feature(line, above, below, in_list=in_list), False
        above = line


def _markdown_feature(line: str, above: str, below: str) -> str:
    """Return the feature of markdown that a line has, or an empty string."""
    if line.startswith("#"):
        is_below_comment = above.endswith("-->")  # such as a converter's page mark
        is_separate = (not above.strip() or is_below_comment) and not below.startswith("#")
        is_text = not below.strip() or below.lstrip()[:1].isupper()
        return "headings" if is_separate and is_text and _HEADING.match(line) else ""
    if line.startswith("[") and _DEFINITION.match(line):
        return "link definitions"
    if "|" in line and "--" in line and _DELIMITERS.match(line) and "|" in above:
        return "tables"
    if "`" in line or "](" in line or "][" in line or "**" in line or "__" in line or "<" in line:
        match = _INLINE.search(line)
        return (match and match.lastgroup) or ""
    return ""


def _plain_feature(line: str, above: str, below: str, *, in_list: bool) -> str:  # noqa: PLR0911 - a feature each
    """Return the feature of plain text that a line has, or an empty string."""
    if "\f" in line:
        return "form feeds"
    if line.startswith("#"):
        return "comments" if line[1:2] not in {"#", ""} or below.startswith("#") else ""
    if not line or line.isspace():
        return ""
    if line[0] in _RULE_CHARACTERS and _RULE.match(line):
        return "" if above.strip() or _PAGE_HEADING.match(below) else "rules"
    if line[0] in " \t":
        is_first = not above.strip() and not in_list
        return "indented paragraphs" if is_first and _PROSE.match(line) else ""
    if "    " in line and "|" not in line and _COLUMNS.search(line):
        return "columns"
    if line[0] in "FTCSDMRI" and _MAIL.match(line):
        return "mail headers"
    if len(line) >= SHORTEST_UNWRAPPED // 2 and _PARAGRAPH.match(f"\n{line}\n{below}"):
        return "one-line paragraphs"
    return "code" if _is_code(line.rstrip()) else ""


def _other_markup(line: str, above: str) -> str:
    """Return which markup a line has of reStructuredText, AsciiDoc, a wiki or LaTeX, or ''.

    The line may contain emphasis as well.
    """
    if not line or line[0] not in _OTHER_MARKUP_CHARACTERS:
        return ""
    if _DIRECTIVE.match(line):
        return "directives"
    is_underline = _UNDERLINE.match(line) is not None and len(line.rstrip()) == len(above.rstrip())
    return "underlines" if is_underline and not above[0].isspace() else ""


def _is_code(line: str) -> bool:
    """Whether a line ends like a statement."""
    if line[-1] not in "{};" or "|" in line:
        return False
    return line[-1] != ";" or _STATEMENT.search(line, max(0, len(line) - _SAMPLE)) is not None

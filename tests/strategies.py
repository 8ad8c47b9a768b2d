r"""Random documents and settings for the properties: every construct that packing knows.

A document is drawn as a list of blocks with ``\n`` between lines; its own line ends replace them
last. Laws hold for any text, so nothing here has to be good markdown.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import cycle

from case_files import case_file
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from treepack import PackConfig

Text = SearchStrategy[str]

generated = settings(max_examples=100)

PARTS: dict[str, list[str]] = case_file("parts/documents.json")
"""Words, cells, captions, lines of code and so on, from which documents are drawn."""


def some(kind: str) -> Text:
    return st.sampled_from(PARTS[kind])


def _sentence(words: Sequence[str], end: str) -> str:
    text = " ".join(words)
    return text[:1].upper() + text[1:] + end


def _indented(text: str, first: str, rest: str) -> str:
    head, *lines = text.split("\n")
    return "\n".join([first + head, *(rest + line if line else line for line in lines)])


latin_sentences: Text = st.builds(
    _sentence, st.lists(some("latin"), min_size=1, max_size=12), st.sampled_from(".!?:;…")
)
cjk_sentences: Text = st.builds(
    str.__add__,
    st.text(st.sampled_from("漢字文章規格的是了在有，、ひらカナ한국"), min_size=1, max_size=30),
    st.sampled_from("。！？」"),
)
sentences: Text = st.one_of(latin_sentences, latin_sentences, cjk_sentences, some("odd"))


@st.composite
def paragraphs(draw: DrawFn) -> str:
    """Sentences on one or many lines; sometimes far more than any limit allows."""
    said = draw(st.lists(sentences, min_size=1, max_size=5))
    times = draw(st.sampled_from((1, 1, 1, 1, 1, 9, 40)))
    return draw(st.sampled_from((" ", "\n", "  \n", "\n "))).join(said * times)


@st.composite
def fences(draw: DrawFn) -> str:
    """Fenced code, closed or not, with lines that look like other constructs."""
    marker = draw(st.sampled_from(("```", "~~~", "`````", "~~~~")))
    lines = draw(st.lists(some("code"), max_size=8))
    lines *= draw(st.sampled_from((1, 1, 1, 12)))
    closing = [marker] if draw(st.sampled_from((True, True, True, False))) else []
    info = draw(some("infos"))
    return "\n".join([marker + info, *lines, *closing])


@st.composite
def tables(draw: DrawFn) -> str:
    """GFM tables: ragged, with escaped pipes, long cells, and without outer pipes."""
    columns = draw(st.integers(1, 4))
    cells = st.one_of(
        st.sampled_from(("", "1", "a \\| b", "`x\\|y`", "16 bar", "漢字", "<br>", "**k**")),
        latin_sentences.map(lambda text: text.replace("|", "\\|")),
        cjk_sentences,
        st.sampled_from(("long cell. With sentences! " * 12, "w" * 200)),
    )
    widths = st.sampled_from((columns, columns, columns, columns, columns + 1, max(1, columns - 1)))
    is_open = draw(st.sampled_from((False, False, False, True))) and columns > 1

    def row(texts: Sequence[str]) -> str:
        return " | ".join(texts) if is_open else "| " + " | ".join(texts) + " |"

    head = draw(st.lists(cells, min_size=columns, max_size=columns))
    marks = draw(
        st.lists(st.sampled_from(("---", ":-:", "--:")), min_size=columns, max_size=columns)
    )
    rows = [
        draw(widths.flatmap(lambda width: st.lists(cells, min_size=width, max_size=width)))
        for _ in range(draw(st.integers(0, 5)))
    ] * draw(st.sampled_from((1, 1, 1, 10)))
    return "\n".join(map(row, [head, marks, *rows]))


@st.composite
def html_tables(draw: DrawFn) -> str:
    """Tables in HTML with head and body, spans and captions; sometimes tags are missing."""

    def row(tag: str) -> str:
        cells = draw(st.lists(some("html_cells"), min_size=1, max_size=4))
        spans = st.sampled_from(("", "", "", " colspan=2", ' rowspan="3"', " title='a > b'"))
        return "<tr>" + "".join(f"<{tag}{draw(spans)}>{cell}</{tag}>" for cell in cells) + "</tr>"

    gap = draw(st.sampled_from(("\n", "\n", "", "\n\n", "\n  ")))
    head = [row("th") for _ in range(draw(st.integers(0, 2)))]
    rows = [
        row(draw(st.sampled_from(("td", "td", "td", "th")))) for _ in range(draw(st.integers(0, 4)))
    ]
    rows *= draw(st.sampled_from((1, 1, 1, 8)))
    caption = [f"<caption>{draw(some('captions'))}</caption>"] if draw(st.booleans()) else []
    if draw(st.booleans()):
        head, rows = ["<thead>", *head, "</thead>"], ["<tbody>", *rows, "</tbody>"]
    text = gap.join(["<table>", *caption, *head, *rows, "</table>"])
    lost = draw(
        st.sampled_from(("", "", "", "</td>", "</tr>", "</table>", "<tr>", "<tbody>", "</"))
    )
    text = text.replace(lost, "") if lost else text
    wrap = draw(st.sampled_from(("{}", "{}", "{}", "<div>\n{}\n</div>", "<div>\n\n{}\n\n</div>")))
    return wrap.replace("{}", text)


@st.composite
def grouped_tables(draw: DrawFn) -> str:
    """GFM tables with rows that look like sub-headers."""
    bands = some("bands")
    lines = ["| k | v | w |", "|---|---|---|"]
    for _ in range(draw(st.integers(1, 4))):
        lines += draw(st.lists(bands, min_size=1, max_size=2))
        lines += [f"| r{n} | some value {n} | 16 bar |" for n in range(draw(st.integers(0, 9)))]
    return "\n".join(lines)


@st.composite
def captioned_tables(draw: DrawFn) -> str:
    """Tables near lines that may be their captions."""
    caption = some("captions")
    parts = draw(
        st.lists(st.one_of(tables(), grouped_tables(), html_tables(), caption), max_size=4)
    )
    table = draw(st.one_of(tables(), grouped_tables(), html_tables()))
    under = draw(st.sampled_from(("", "", *(f"\n{line}" for line in PARTS["attributes"]))))
    return "\n\n".join([*parts, draw(caption), table + under])


@st.composite
def led_lists(draw: DrawFn) -> str:
    """A list below its introductory text, with or without a blank line between them."""
    lead = draw(
        st.sampled_from(("It shall:", "设备应：", "**Do** this:", "So it is. Then:", "a\nb:"))
    )
    mark = draw(some("markers"))
    said = draw(st.lists(sentences, min_size=1, max_size=4)) * draw(st.sampled_from((1, 4, 9)))
    return lead + draw(st.sampled_from(("\n\n", "\n"))) + "\n".join(mark + text for text in said)


uses: Text = some("uses")


html_blocks: Text = st.one_of(
    some("html"),
    st.integers(1, 60).map(lambda n: "<ul>\n" + "<li>An item of HTML.</li>\n" * n + "</ul>"),
)
maths: Text = st.one_of(
    st.sampled_from(("$$x^2$$", "$$\n# no heading\n$$", "$$\na\n\nb\n$$ (eq1)", "$$\nopen")),
    st.integers(1, 40).map(lambda n: "$$\n" + "a_i + b_i = c_i \\\\\n" * n + "$$"),
)
indented_code: Text = st.lists(some("code"), min_size=1, max_size=20).flatmap(
    lambda lines: st.sampled_from(("    ", "\t")).map(
        lambda mark: "\n".join(mark + line if line else "" for line in lines)
    )
)
definitions: Text = some("definitions")
small_blocks: Text = st.one_of(
    some("breaks"),
    definitions,
)
leaves: Text = st.one_of(
    *(paragraphs(), paragraphs(), fences(), tables(), captioned_tables(), html_tables()),
    *(led_lists(), html_blocks, maths, indented_code, small_blocks, uses),
)


@cache
def nested(depth: int) -> Text:
    """Leaves, and containers with leaves and containers inside."""
    if depth == 0:
        return leaves
    inner = _bodies(nested(depth - 1))
    return st.one_of(leaves, _lists(inner), _lists(inner), _quotes(inner), _wrapped(inner))


def _bodies(blocks: Text) -> Text:
    return st.builds(
        lambda parts, gap: gap.join(parts),
        st.lists(st.one_of(sentences, blocks), min_size=1, max_size=3),
        st.sampled_from(("\n\n", "\n")),
    )


@st.composite
def _lists(draw: DrawFn, inner: Text) -> str:
    marker = draw(some("markers"))
    width = len(marker.replace("\t", "   ").replace("[ ] ", "").replace("[x] ", ""))
    items = draw(st.lists(inner, min_size=1, max_size=4)) * draw(st.sampled_from((1, 1, 1, 4)))
    indent = " " * (width if draw(st.sampled_from((True, True, True, False))) else width - 1)
    gap = draw(st.sampled_from(("\n", "\n\n")))
    return gap.join(_indented(item, marker, indent) for item in items)


@st.composite
def _quotes(draw: DrawFn, inner: Text) -> str:
    mark = draw(st.sampled_from(("> ", ">", " > ")))
    lines = draw(inner).split("\n")
    if draw(st.sampled_from((False, False, False, True))):
        return mark + "\n".join(lines)  # later lines are lazy continuations, if they can be
    return "\n".join(mark + line for line in lines)


@st.composite
def _wrapped(draw: DrawFn, inner: Text) -> str:
    wraps: tuple[Callable[[str], str], ...] = (
        lambda text: "::: note\n" + text + "\n:::",
        lambda text: ":::: {.tip}\n\n" + text + "\n\n::::",
        lambda text: "::: open\n" + text,
        lambda text: _indented(text, '!!! warning "Title"\n    ', "    "),
        lambda text: _indented(text, "??? note\n\n    ", "    "),
        lambda text: _indented(text, "[^f]: ", "    "),
    )
    return draw(st.sampled_from(wraps))(draw(inner))


@st.composite
def headings(draw: DrawFn) -> str:
    """Headings in all spellings; levels may be skipped, and titles repeat."""
    title = draw(st.one_of(some("titles"), some("titles"), latin_sentences))
    level = draw(st.integers(1, 6))
    forms = (
        "#" * level + " " + title,
        "#" * level + " " + title,
        "#" * level + "\t" + title + " " + "#" * level,
        (title or "Setext") + "\n" + "=-"[level % 2] * 5,
        f"<h{level} id='a'>{title}</h{level}>",
        "#" * level + " " + f"{title} and a long tail of words " * 6,
    )
    return draw(st.sampled_from(forms))


front_matters: Text = some("front_matter")


@st.composite
def documents(draw: DrawFn) -> str:
    """A whole document."""
    parts = draw(st.lists(st.one_of(headings(), nested(2), nested(1), paragraphs()), max_size=8))
    if draw(st.sampled_from((False, False, False, False, True))):
        parts.insert(0, draw(front_matters))
    gaps = cycle(
        draw(st.lists(st.sampled_from(("\n\n", "\n\n", "\n", "\n \n\n\n")), min_size=1, max_size=3))
    )
    text = "".join(part + gap for part, gap in zip(parts, gaps, strict=False))
    mark = draw(st.sampled_from(("", "", "", "", "\ufeff")))
    ends = ("\n",), ("\n",), ("\n",), ("\r\n",), ("\r",), ("\n", "\r\n", "\r")
    return mark + ended_lines(text, draw(st.sampled_from(ends)))


@st.composite
def misnested_documents(draw: DrawFn) -> str:
    """A numbered outline whose levels contradict it, with page headers and empty headings."""
    forms = (
        lambda level, title: "#" * level + " " + title,
        lambda level, title: title + "\n" + "=-"[level % 2] * 5,
        lambda level, title: f"<h{level}>{title}</h{level}>",
    )
    false = st.sampled_from(("# Page {}", "## Page {} of 99:", "#", "### 1.2 Scope ..... {}"))
    bodies = st.one_of(paragraphs(), fences(), tables(), led_lists())
    parts: list[str] = []
    number: list[int] = [1]
    for page in range(draw(st.integers(3, 14))):
        title = (
            ".".join(map(str, number)) + " " + draw(st.sampled_from(("Tests", "Scope:", "A *b*")))
        )
        parts.append(draw(st.sampled_from(forms))(draw(st.integers(1, 4)), title))
        parts += draw(st.lists(bodies, max_size=1))
        parts += [head.format(page) for head in draw(st.lists(false, max_size=2))]
        parts += draw(st.lists(bodies, max_size=1))
        deeper = draw(st.integers(1, len(number) + 1))
        number = (
            [*number, 1]
            if deeper > len(number)
            else [*number[: deeper - 1], number[deeper - 1] + 1]
        )
    return "\n\n".join(parts) + "\n"


def ended_lines(text: str, ends: Sequence[str]) -> str:
    """Return the text with its line feeds replaced by the given line ends in turn."""
    *lines, last = text.split("\n")
    return "".join(line + end for line, end in zip(lines, cycle(ends), strict=False)) + last


random_texts: Text = st.one_of(
    st.lists(some("nasty"), max_size=200).map("".join),
    st.text(max_size=100),
    st.lists(some("markup"), max_size=60).map("".join),
)
"""Random characters, and random sequences of markup."""

any_text: Text = st.one_of(documents(), documents(), documents(), random_texts)


@st.composite
def configs(draw: DrawFn) -> PackConfig:
    """Settings from the smallest cap to the usual one."""
    cap = draw(st.sampled_from((16, 17, 24, 32, 48, 64, 100, 128, 256, 512, 1024)))
    target = draw(st.sampled_from((cap, cap // 2, max(1, cap // 2 + 3), max(8, cap // 5))))
    overlap = draw(st.sampled_from((0, 0, 0, target // 4, target // 2)))
    return PackConfig(
        max_tokens=cap,
        target_tokens=target,
        min_tokens=draw(st.sampled_from((0, target // 8, target // 2))),
        overlap_tokens=overlap,
        overlap_separator=draw(st.sampled_from((None, None, "---"))),
        repeat_heading=draw(st.sampled_from((False, False, True))),
        sections=draw(st.sampled_from(("pack", "separate"))),
        oversize_table=draw(st.sampled_from(("split", "split", "split", "keep"))),
        oversize_code=draw(st.sampled_from(("split", "split", "split", "keep"))),
        encoding=draw(st.sampled_from(("cl100k_base", "cl100k_base", "o200k_base"))),
        front_matter=draw(st.sampled_from(("metadata", "metadata", "text"))),
        outline=draw(st.sampled_from(("auto", "auto", "trust"))),
    )


@st.composite
def configs_with_levels(draw: DrawFn) -> PackConfig:
    """Settings with parents and children, some with small caps."""
    levels = draw(st.sampled_from(((96, 24), (200, 60), (64, 63), (256, 64, 16), (1024, 128))))
    return PackConfig(
        levels=levels,
        min_tokens=draw(st.sampled_from((0, levels[-1] // 8))),
        overlap_tokens=draw(st.sampled_from((0, 0, levels[-1] // 4))),
        repeat_heading=draw(st.booleans()),
        sections=draw(st.sampled_from(("pack", "separate"))),
    )

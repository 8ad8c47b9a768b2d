r"""Random documents and settings for the properties: every construct that packing knows.

A document is drawn as a list of blocks with ``\n`` between lines; its own line ends replace them
last. Laws hold for any text, so nothing here has to be good markdown.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import cycle

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from treepack import PackConfig
from treepack.presets import Preset

Text = SearchStrategy[str]

generated = settings(max_examples=100)

LATIN = (
    "the", "pump", "shall", "pressure", "of", "limit", "valve", "Art.", "No. 5", "e.g.", "3.14",
    "*must*", "`code`", "[link](http://a.b/c_(d))", "![i](x.png)", "a|b", "café", "naïve",
    "5\u00a0kg", "tab\there", "<b>bold</b>", "&amp;", "$x$", "\\*", "internationalisation",
    "#tag", "1.", "-", "(see", "below)", "\u201cquoted\u201d", "end.\u201d", "Dr. No",
)  # fmt: skip
ODD = (
    "<|endoftext|>",
    "<|fim_prefix|> x <|endofprompt|>",
    "👨‍👩‍👧‍👦👩🏽‍🚀🇩🇪🇫🇷👍🏿",
    "e\u0301a\u0308\u0323o\u0302",
    "\u00a0leading and trailing\u00a0",
    "a\u2028b\u2029c\x0bd\x0ce\x85f",
    "x" * 90,
    "https://example.com/" + "path/" * 20 + "?q=" + "z" * 40,
    "สวัสดีชาวโลกนี่คือข้อความภาษาไทย",
    "!" * 30,
    "\\" * 7 + "|",
    "\ufeff\u200b\u2060",
)
TITLES = ("Scope", "Limits", "Limits", "5.1.2 Tests", "Art. 12", "*Emphasis* & `code`", "概要", "")
INFOS = ("", "python", " sh title=x", "{.rust, ignore}")
MARKERS = ("- ", "* ", "+ ", "-   ", "-\t", "1. ", "2) ", "10. ", "- [ ] ", "* [x] ", "  - ")
CODE = (
    "x = 1",
    "def f():",
    "\treturn 2",
    "",
    "# no heading",
    "    deep = {",
    "| no | table |",
    "``",
    "$$",
    "echo one; echo two. Echo three! " * 4,
    "漢字 = '字'",
)


def _sentence(words: Sequence[str], end: str) -> str:
    text = " ".join(words)
    return text[:1].upper() + text[1:] + end


def _indented(text: str, first: str, rest: str) -> str:
    head, *lines = text.split("\n")
    return "\n".join([first + head, *(rest + line if line else line for line in lines)])


latin_sentences: Text = st.builds(
    _sentence, st.lists(st.sampled_from(LATIN), min_size=1, max_size=12), st.sampled_from(".!?:;…")
)
cjk_sentences: Text = st.builds(
    str.__add__,
    st.text(st.sampled_from("漢字文章規格的是了在有，、ひらカナ한국"), min_size=1, max_size=30),
    st.sampled_from("。！？」"),
)
sentences: Text = st.one_of(latin_sentences, latin_sentences, cjk_sentences, st.sampled_from(ODD))


@st.composite
def paragraphs(draw: DrawFn) -> str:
    """Sentences on one or many lines; sometimes far more than any limit allows."""
    some = draw(st.lists(sentences, min_size=1, max_size=5))
    times = draw(st.sampled_from((1, 1, 1, 1, 1, 9, 40)))
    return draw(st.sampled_from((" ", "\n", "  \n", "\n "))).join(some * times)


@st.composite
def fences(draw: DrawFn) -> str:
    """Fenced code, closed or not, with lines that look like other constructs."""
    marker = draw(st.sampled_from(("```", "~~~", "`````", "~~~~")))
    lines = draw(st.lists(st.sampled_from(CODE), max_size=8))
    lines *= draw(st.sampled_from((1, 1, 1, 12)))
    closing = [marker] if draw(st.sampled_from((True, True, True, False))) else []
    info = draw(st.sampled_from(INFOS))
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


CAPTIONS = (
    "Table 1: Limits",
    "**Table 2.** Limits of *pressure*",
    "Tabelle 3 – Grenzwerte",
    "表 4 限值",
    "**Limits**",
    "Table 5 shows the limits.",
    "Table 6: " + "a caption of many words " * 12,
)
ATTRIBUTES = ("{: title='Limits'}", "{: .wide}", '{: title="A | b" #t}')
HTML_CELLS = (
    "1", "", "<b>k</b>", "a & b", "16 bar<br>17 bar", "漢字", "long cell. With sentences! " * 8,
    "<table><tr><td>in</td></tr></table>", "<!-- </td> -->", "w" * 120, "a <b", "<ul><li>x</ul>",
)  # fmt: skip


@st.composite
def html_tables(draw: DrawFn) -> str:
    """Tables in HTML with head and body, spans and captions; sometimes tags are missing."""

    def row(tag: str) -> str:
        cells = draw(st.lists(st.sampled_from(HTML_CELLS), min_size=1, max_size=4))
        spans = st.sampled_from(("", "", "", " colspan=2", ' rowspan="3"', " title='a > b'"))
        return "<tr>" + "".join(f"<{tag}{draw(spans)}>{cell}</{tag}>" for cell in cells) + "</tr>"

    gap = draw(st.sampled_from(("\n", "\n", "", "\n\n", "\n  ")))
    head = [row("th") for _ in range(draw(st.integers(0, 2)))]
    rows = [
        row(draw(st.sampled_from(("td", "td", "td", "th")))) for _ in range(draw(st.integers(0, 4)))
    ]
    rows *= draw(st.sampled_from((1, 1, 1, 8)))
    caption = (
        [f"<caption>{draw(st.sampled_from(CAPTIONS))}</caption>"] if draw(st.booleans()) else []
    )
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
    bands = st.sampled_from(
        ("| Group | | |", "| **A** | **B** | **C** |", "| _x_ |", "| | only | |")
    )
    lines = ["| k | v | w |", "|---|---|---|"]
    for _ in range(draw(st.integers(1, 4))):
        lines += draw(st.lists(bands, min_size=1, max_size=2))
        lines += [f"| r{n} | some value {n} | 16 bar |" for n in range(draw(st.integers(0, 9)))]
    return "\n".join(lines)


@st.composite
def captioned_tables(draw: DrawFn) -> str:
    """Tables near lines that may be their captions."""
    caption = st.sampled_from(CAPTIONS)
    parts = draw(
        st.lists(st.one_of(tables(), grouped_tables(), html_tables(), caption), max_size=4)
    )
    table = draw(st.one_of(tables(), grouped_tables(), html_tables()))
    under = draw(st.sampled_from(("", "", *(f"\n{line}" for line in ATTRIBUTES))))
    return "\n\n".join([*parts, draw(caption), table + under])


@st.composite
def led_lists(draw: DrawFn) -> str:
    """A list below its introductory text, with or without a blank line between them."""
    lead = draw(
        st.sampled_from(("It shall:", "设备应：", "**Do** this:", "So it is. Then:", "a\nb:"))
    )
    mark = draw(st.sampled_from(MARKERS))
    some = draw(st.lists(sentences, min_size=1, max_size=4)) * draw(st.sampled_from((1, 4, 9)))
    return lead + draw(st.sampled_from(("\n\n", "\n"))) + "\n".join(mark + text for text in some)


uses: Text = st.sampled_from(
    (
        "See [the guide][ref] and note.[^n]",
        "See [one], [two][] and [x][nowhere].",
        "See note[^longer-label] and [^lost]. [ ] [x] [](a) [[ref]]",
    )
)


html_blocks: Text = st.one_of(
    st.sampled_from(
        (
            "<div>\nhtml *here*\n</div>",
            "<details>\n<summary>S</summary>\n\n# Real heading\n\n</details>",
            "<!-- a comment\n\n# no heading\n\n-->",
            "<!-- never closed\n\n# no heading",
            "<pre>\n# no heading\n\nkept\n</pre>",
            "<table>\n<tr><th>a</th></tr>\n<tr><td>1</td></tr>\n</table>",
            "<script>\nif (a < b) {\n\n}\n</script>",
            "<a name='x'></a>",
        )
    ),
    st.integers(1, 60).map(lambda n: "<ul>\n" + "<li>An item of HTML.</li>\n" * n + "</ul>"),
)
maths: Text = st.one_of(
    st.sampled_from(("$$x^2$$", "$$\n# no heading\n$$", "$$\na\n\nb\n$$ (eq1)", "$$\nopen")),
    st.integers(1, 40).map(lambda n: "$$\n" + "a_i + b_i = c_i \\\\\n" * n + "$$"),
)
indented_code: Text = st.lists(st.sampled_from(CODE), min_size=1, max_size=20).flatmap(
    lambda lines: st.sampled_from(("    ", "\t")).map(
        lambda mark: "\n".join(mark + line if line else "" for line in lines)
    )
)
definitions: Text = st.sampled_from(
    (
        "[ref]: http://example.com 'Title'",
        "[one]: <a b>\n[two]: /x\n  'long\n  title'",
        "[^n]: A footnote. With two sentences.",
        "[^longer-label]:\n    Begins below.\n\n    Second paragraph.",
    )
)
small_blocks: Text = st.one_of(
    st.sampled_from(
        ("***", "---", "___ ", "![only an image](i.png)", "Table 1: Caption", "\f", "\\")
    ),
    definitions,
)
leaves: Text = st.one_of(
    paragraphs(),
    paragraphs(),
    fences(),
    tables(),
    captioned_tables(),
    html_tables(),
    led_lists(),
    html_blocks,
    maths,
    indented_code,
    small_blocks,
    uses,
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
    marker = draw(st.sampled_from(MARKERS))
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
    body = draw(inner)
    wrap: Callable[[str], str] = draw(
        st.sampled_from(
            (
                lambda text: "::: note\n" + text + "\n:::",
                lambda text: ":::: {.tip}\n\n" + text + "\n\n::::",
                lambda text: "::: open\n" + text,
                lambda text: _indented(text, '!!! warning "Title"\n    ', "    "),
                lambda text: _indented(text, "??? note\n\n    ", "    "),
                lambda text: _indented(text, "[^f]: ", "    "),
            )
        )
    )
    return wrap(body)


@st.composite
def headings(draw: DrawFn) -> str:
    """Headings in all spellings; levels may be skipped, and titles repeat."""
    title = draw(st.one_of(st.sampled_from(TITLES), st.sampled_from(TITLES), latin_sentences))
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


front_matters: Text = st.sampled_from(
    (
        "---\ntitle: x\ndate: 2024-01-01\n---",
        "---\ntags: [a, b]\n...",
        "+++\ntitle = 'x'\n+++",
        "---\nbroken: [\n---",
        "---\njust text\n---",
        "---\nnever: closed",
    )
)


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


NASTY = (
    "ab.。! \t\n\r\f\x0b\x85\u2028\u00a0#>-*+=|`~$:[]()<>!^\\\"'019漢"
    "👨\u200d👩é\u0301\ufe0f\U0001f1e9\U0001f1ea\0\ufeff"
)
MARKUP = (
    *("# ", "\n", "\n\n", "- ", "> ", "```", "~~~", "$$", "| ", "|-|", "\n    ", "\t", "a. B"),
    *("1. ", "[a]: b", "[^a]: ", ":::", "!!! n", "<!--", "-->", "<h1>", "</h1>", "---", "==="),
    *("\r\n", "\r", " ", "word ", "<pre>", "</div>", "|", "\\", "+++\n", "a: 1\n"),
)

random_texts: Text = st.one_of(
    st.text(st.sampled_from(NASTY), max_size=200),
    st.text(max_size=100),
    st.lists(st.sampled_from(MARKUP), max_size=60).map("".join),
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


def small_presets() -> SearchStrategy[PackConfig]:
    """The presets with limits an eighth as large, so that small texts reach the limits."""
    names: tuple[Preset, ...] = ("default", "hierarchical", "standards", "sections", "datasheet")

    def small(name: Preset) -> PackConfig:
        own = PackConfig.preset(name)
        limits = {
            field: getattr(own, field) // 8
            for field in ("target_tokens", "max_tokens", "min_tokens", "overlap_tokens")
        }
        if own.flat_overlap_tokens is not None:
            limits["flat_overlap_tokens"] = own.flat_overlap_tokens // 8
        return PackConfig.preset(name, **limits)

    return st.sampled_from(names).map(small)

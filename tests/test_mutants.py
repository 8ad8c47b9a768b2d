"""The audit finds each way to spoil a true chunking, by the law that it breaks and by no other.

Some mutants change one thing in the chunks of a guide, as the packer makes them; others are small
texts that are cut in a wrong place. `chunkings.py` explains how chunks are written down.

    python tests/test_mutants.py

prints each mutant with the laws that it breaks and the laws that find it.
"""

import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import pytest
from chunkings import Fields, Records, changed, chunked, recounted, words, written
from title_texts import CONTENTS, CONTRACT, MANUAL, PAGES, pages

from treepack import PackConfig, Source, audit, pack

Edit: TypeAlias = Callable[[Records, PackConfig], Sequence[Any]]
Row: TypeAlias = tuple[Any, ...]
"""The cap or the settings, the chunking, and how its records are changed."""


def found(row: Row) -> list[tuple[int, str]]:
    """Return the law and the reason of each finding; without a cap in the settings, none is known.

    The chunking is a string, or what packing returned.
    """
    given, chunks, *edits = row
    given = {"max_tokens": given} if isinstance(given, int) else {**given}
    label = given.pop("name", "")
    config = PackConfig(**{"encoding": words, "sections": "pack"} | given)
    if isinstance(chunks, str):
        source, spoilt = chunked(chunks, config, label)
    else:
        source, spoilt = chunks.origin, [*chunks]
    for edit in edits:
        spoilt = edit(spoilt, config)
    has_cap = bool({"max_tokens", "levels"} & {*given})
    report = audit(source, spoilt, config, has_cap=has_cap)
    return [(each.law, each.reason) for each in report.findings]


# ------------------------------------------------------------------ how records are changed


def fields(where: str | int, **changes: Any) -> Edit:  # noqa: ANN401 - of a record
    """Change fields of a chunk, or of the first one with some words; a function takes the value."""

    def edit(chunks: Records, config: PackConfig) -> Records:
        record = chunks[at := index_of(where, chunks)].model_dump()
        values = {n: c(record[n]) if callable(c) else c for n, c in changes.items()}
        is_text = {"text", "embed_text"} & {*values}
        chunks[at] = (
            recounted(chunks[at], config, **values) if is_text else changed(chunks[at], **values)
        )
        return chunks

    return edit


def index_of(where: str | int, chunks: Records) -> int:
    if isinstance(where, int):
        return where % len(chunks)
    bodies = ["".join(s.text for s in c.segments if s.role == "body") for c in chunks]
    return next(number for number, body in enumerate(bodies) if where in body)


def entries(where: str | int, **changes: Any) -> Edit:  # noqa: ANN401 - of a table's entry
    """Change the entries of the tables in a record."""
    return fields(where, tables=lambda tables: [table | changes for table in tables])


def header(change: Callable[[str], str]) -> Edit:
    """Change the line before the text in the embedded text of a chunk of the guide."""

    def embedded(text: str) -> str:
        line, blank, rest = text.partition("\n\n")
        return change(line + blank) + rest

    return fields("carries 4 tons", embed_text=embedded)


def caption_at(start: int) -> Edit:
    """Move the span of a repeated caption, but not its text."""
    moved = {"span": (start, start + len("Table 1: Limits of the pump"))}
    return fields("| limit 4 |", segments=lambda parts: [parts[0] | moved, *parts[1:]])


def order(where: str | int, *steps: int) -> Edit:
    """Put other chunks in the place of one, and of those after it that are among them."""

    def edit(chunks: Records, _config: PackConfig) -> Records:
        at = index_of(where, chunks)
        middle = [
            changed(chunks[at + step], id=f"{step}{number}") for number, step in enumerate(steps)
        ]
        whole = [*chunks[:at], *middle, *chunks[at + max(steps, default=0) + 1 :]]
        return [changed(chunk, index=number) for number, chunk in enumerate(whole)]

    return edit


def texts(chunks: Records, _config: PackConfig) -> list[str]:
    """Leave only the texts, as another tool would return them."""
    return [chunk.text for chunk in chunks]


def every(size: int) -> Edit:
    """Cut a text into texts of one size, as another tool would."""
    return lambda chunks, _: [
        chunks[0].text[at : at + size] for at in range(0, len(chunks[0].text), size)
    ]


def paragraphs(chunks: Records, _config: PackConfig) -> list[str]:
    return [part for part in chunks[0].text.split("\n\n") if part]


# ------------------------------------------------------------------ a guide, as it is packed

NAME: Final = "pump.md"
STAND: Final = "⟦heading@|The pump shall stand:⟧⟦glue|\n\n⟧"
ITEM: Final = "- on a floor that carries {} tons and is free of oil and of water"
ROW: Final = "| limit {0} | {0} | {0}0 | bar |"
STEP: Final = "def step_{0}(pressure):\n    return pressure + {0}\n"
PART: Final = "<tr><td>part number {0}</td><td>{0}7 euros</td></tr>"


def some(form: str, last: int) -> str:
    return "\n".join(form.format(number) for number in range(1, last + 1))


GUIDE: Final = f"""# Pump manual

This manual is for people who run the pump. Read it before the first start.

## 1 Safety

### 1.1 People

Only trained people open the pump. They wear gloves and goggles, because the water is hot. They \
switch the current off before they open the cover.

> Never open the cover while the motor turns. Wait until the red lamp is off.

### 1.2 Place

The pump shall stand:

{some(ITEM, 8)}

## 2 Limits

Table 1: Limits of the pump

| Name | Lowest | Highest | Unit |
|---|---|---|---|
{some(ROW, 24)}

Values above the limits end the warranty.

## 3 Program

The pump reads this program at each start:

```python
{some(STEP, 9)}
```

## 4 Repair

<table>
<tr><th>Part</th><th>Price</th></tr>
{some(PART, 12)}
</table>

Send the pump back if none of this helps. We answer within a week. \U0001f469\u200d\U0001f527 calls.

## 5 Warranty

The warranty ends if:

(a) somebody opens the pump who was not trained for it by us in the last two years;

(b) somebody puts parts into the pump which we did not make, or which we made for another pump.
"""


OF_GUIDE: Final[Fields] = {
    "max_tokens": 80,
    "target_tokens": 80,
    "encoding": "cl100k_base",
    "sections": "pack",
}
WITHOUT_CLAUSES: Final[Fields] = OF_GUIDE | {"clauses": False}
PACKED: Final = written(pack(Source(GUIDE, NAME), PackConfig(**WITHOUT_CLAUSES)))
NAMED: Final = WITHOUT_CLAUSES | {"name": NAME}
STEP_4: Final = GUIDE.index("def step_4")
NEXT_ITEM: Final = ITEM.format(6)
QUOTE: Final = GUIDE[GUIDE.index("> Never") : GUIDE.index("\n\n### 1.2")]
CAPTION: Final = "⟦caption@|Table 1: Limits of the pump⟧⟦glue|\n\n⟧"
HEADER: Final = "⟦table_header@|| Name | Lowest | Highest | Unit |\n|---|---|---|---|⟧⟦glue|\n⟧"
OPEN: Final = "⟦fence@|```python⟧⟦glue|\n⟧"
CLOSE: Final = "⟦fence|\n```⟧"
HTML_OPEN: Final = "⟦table_header@|<table>\n<tr><th>Part</th><th>Price</th></tr>⟧⟦glue|\n⟧"
HTML_CLOSE: Final = "⟦glue|\n</table>⟧"
PATH: Final = "⟦path|pump.md > Pump manual"


def skip(reason: str, length: int) -> Edit:
    return fields("def step_4", skipped=[{"span": (STEP_4, STEP_4 + length), "reason": reason}])


def level_change(*change: Any) -> Edit:  # noqa: ANN401 - of a record
    names = ("line", "title", "old_level", "new_level", "reason")
    return fields(0, outline_changes=[dict(zip(names, change, strict=True))])


# The law, what is spoilt, and the edit; or else in which chunk what becomes what.
OF_THE_GUIDE: Final[list[Row]] = [
    (1, "the first chunk is lost", order("This manual")),
    (1, "a chunk with items is lost", order("carries 4 tons")),
    (1, "a chunk of code is lost", order("def step_4")),
    (1, "a chunk occurs twice", order("carries 4 tons", 0, 0)),
    (1, "two chunks are exchanged", order("carries 4 tons", 1, 0)),
    (1, "the last sentence is lost", "This manual", " Read it before the first", "⟦lost|{}⟧"),
    (1, "a quote at the end is lost", "Only trained", QUOTE, "⟦lost|{}⟧"),
    (1, "the next body has begun", "", f"‖\n‖{STAND}{NEXT_ITEM}", f"⟦body@|\n{NEXT_ITEM}⟧{{}}"),
    (1, "a quote is left out as a page mark", "Only trained", QUOTE, "⟦page mark|{}⟧"),
    (1, "a quote is left out as furniture", "Only trained", QUOTE, "⟦page furniture|{}⟧"),
    (1, "skipped text has no reason", skip("", 0)),
    (1, "text listed as skipped is in a chunk", skip("page mark", 16)),
    (2, "the text is not that of the segments",
     fields(0, **dict.fromkeys(("text", "embed_text"), lambda text: text.replace("run", "own")))),
    (2, "a word of the body is changed", "This manual", "run", "⟦body={}|own⟧"),
    (2, "the body is in lower case", "This manual", "Read", "⟦body={}|read⟧"),
    (2, "two line ends become one", "This manual", "\n\n", "⟦body={}|\n⟧"),
    (2, "a span is one too high", caption_at(GUIDE.index("Table 1") + 1)),
    (2, "a span is outside the source", caption_at(9_000)),
    (3, "two chunks are one above the cap", "", f"{CLOSE}‖\n\n‖{OPEN}def step_7", "\n\ndef step_7"),
    (3, "no breadcrumb before the embedded text", header(lambda _: "")),
    (3, "only the end of the breadcrumb", header(lambda line: line.split(" > ")[-1])),
    (3, "no last entry", header(lambda line: line.rpartition(" > ")[0] + "\n\n")),
    (3, "the document before the breadcrumb", header(lambda line: f"{NAME} > {line}")),
    (3, "words that are no breadcrumb", header(lambda _: "About pumps\n\n")),
    (3, "no blank line below the breadcrumb", header(str.strip)),
    (3, "the embedded text goes on", fields(0, embed_text=lambda text: f"{text} So.")),
    (4, "one token too many", fields(0, token_count=lambda count: count + 1)),
    (4, "one token too few", fields(0, token_count=lambda count: count - 1)),
    (4, "one embedded token too many", fields(0, embed_token_count=lambda count: count + 1)),
    (4, "another hash", fields(0, content_hash="0" * 64)),
    (4, "a wrong number", fields(0, index=7)),
    (4, "lines that are one too high", fields(0, lines=(2, 4))),
    (4, "tokens of an overlap that is not there", fields("def step_4", overlap_tokens=3)),
    (5, "no header", "| limit 4 |", HEADER, ""),
    (5, "another header", "| limit 4 |", HEADER,
     HEADER.replace("@", "").replace("Highest", "Most")),
    (5, "no rule", "| limit 4 |", HEADER, "⟦table_header|| Name | Lowest | Highest | Unit |\n⟧"),
    (5, "no header in HTML", "part number 3<", HTML_OPEN, "⟦table_header|<table>\n⟧"),
    (5, "another caption", "| limit 4 |", CAPTION, "⟦glue|Table 2: Prices\n\n⟧"),
    (5, "no caption", "| limit 4 |", CAPTION, ""),
    (5, "a row too many in the record", entries("| limit 4 |", row_end=7)),
    (5, "a row too few in the table", entries("| limit 4 |", row_count=23)),
    (5, "another part", entries("| limit 4 |", part=3)),
    (5, "a part too many", entries("| limit 4 |", parts=12)),
    (5, "other columns", entries("| limit 4 |", columns=("Name", "Least", "Most", "Unit"))),
    (5, "another caption in the record", entries("| limit 4 |", caption="Table 2")),
    (5, "a part of a row that was not cut", entries("| limit 4 |", cell_part=1)),
    (5, "another id", entries("| limit 4 |", id="0")),
    (5, "no entry", fields("| limit 4 |", tables=())),
    (5, "two header rows", entries("| limit 4 |", header_rows=2)),
    (6, "no closing fence", "def step_4", CLOSE, ""),
    (6, "no opening fence", "def step_4", OPEN, ""),
    (6, "a fence of another language", "def step_4", OPEN, "⟦fence|```ruby\n⟧"),
    (6, "a fence that is longer", "def step_4", OPEN, "⟦fence|````python\n⟧"),
    (6, "a closing fence of another kind", "def step_4", CLOSE, "⟦fence|\n~~~⟧"),
    (7, "no path", "carries 4 tons", "", "⟦path|⟧"),
    (7, "no parent", "carries 4 tons", "", f"{PATH} > 1.2 Place⟧"),
    (7, "no last heading", "carries 4 tons", "", f"{PATH} > 1 Safety⟧"),
    (7, "a heading not above", "carries 4 tons", "",
     f"{PATH} > 1 Safety > 1.2 Place > 1.1 People⟧"),
    (7, "the heading of another section", "def step_4", "", f"{PATH} > 4 Repair⟧"),
    (7, "parent and child exchanged", "carries 4 tons", "", f"{PATH} > 1.2 Place > 1 Safety⟧"),
    (7, "a level of no heading", level_change(1, "Pumps", 1, 2, "numbers")),
    (7, "a level that it never had", level_change(1, "Pump manual", 2, 1, "numbers")),
    (7, "a found title that is plain text", level_change(3, "This manual", 0, 2, "bold")),
    (7, "a level below the text", level_change(999, "Pump", 1, 2, "numbers")),
    (7, "a text that introduces no items", "carries 4 tons", STAND,
     "⟦heading@|This manual is for people who run the pump.⟧⟦glue|\n\n⟧"),
    (8, "a heading is a chunk", "", "## 2 Limits\n\n", "## 2 Limits‖\n\n‖"),
    (8, "two headings are a chunk", "", "### 1.2 Place\n\n", "### 1.2 Place‖\n\n‖"),
    (9, "a section that fits is cut", "", "cover.\n\n", "cover.‖\n\n‖"),
    (9, "a sentence that fits is cut", "", "Send the pump ", "Send the pump‖ ‖"),
    (9, "a paragraph that fits is cut", "", "this helps. ", "this helps.‖ ‖"),
    (9, "a word is cut", "", "carries 4 tons", "carries 4 to‖ns"),
    (9, "an item that fits is cut", "", "carries 4 tons and", "{}‖"),
    (9, "a line of code is cut", "", f"{CLOSE}‖\n\n‖{OPEN}def step_4(",
     f"\n\ndef step_4({CLOSE}‖{OPEN}"),
    (9, "a grapheme cluster is cut", "", "\U0001f469", "{}‖"),
    ({5, 9}, "a row is cut", "", f"‖\n‖{CAPTION}{HEADER}| limit 23 | 23",
     f"\n| limit 23 | 23‖{CAPTION}{HEADER}"),
    ({5, 9}, "a row in HTML is cut", "", f"{HTML_CLOSE}‖\n‖{HTML_OPEN}<tr><td>part number 12</td>",
     f"\n<tr><td>part number 12</td>{HTML_CLOSE}‖{HTML_OPEN}"),
]  # fmt: skip


def of_guide(*edit: Any) -> Row:  # noqa: ANN401 - see `OF_THE_GUIDE`
    """Return the row of a spoilt guide."""
    if callable(edit[0]):
        return (NAMED, PACKED, *edit)
    where, old, new = edit
    pieces = PACKED.split("‖") if where else [PACKED]
    (at,) = [number for number, piece in enumerate(pieces) if where in piece]
    assert old in pieces[at], old
    pieces[at] = pieces[at].replace(old, new.format(old) if "{}" in new else new, 1)
    return (NAMED, "‖".join(pieces))


# ------------------------------------------------------------------ small texts


def without(text: str) -> str:
    """Return a chunking without what its chunks repeat."""
    return re.sub("⟦[^⟧]*⟧", "", text)


SECTIONS: Final = "# Top\n\nIntro.\n\n‖## One\n\nFirst text.\n\n‖## Two\n\nSecond text.\n"
WHOLE: Final = SECTIONS.replace("‖", "")
HEADED: Final = WHOLE.replace("\n\n## ", "‖\n\n‖⟦heading|# Top\n\n⟧## ")
FRONT: Final = "---\ntitle: A\n---"
OVERLAP: Final = "One two three. ‖⟦overlap|One two three. ⟧Four five six."
THREE: Final = "one two three. four five six.‖ ‖⟦overlap|four five six. ⟧seven eight nine."
FILLER: Final = "Filler " * 12 + "end.\n\n"
HEAD: Final = "| a | b |\n|---|---|\n"
NEXT: Final = f"‖⟦table_header|{HEAD}⟧"
CUT_TABLE: Final = f"# T\n\n{HEAD}| 1 | 2 |\n{NEXT}| 3 | 4 |\n{NEXT}| 5 | 6 |\n"
KEPT: Final = CUT_TABLE.replace(NEXT, "")
QUOTED: Final = "> | a | b |\n> |---|---|\n> | 1 | 2 |\n> | 3 | 4 |\n> | 5 | 6 |\n"
TITLE: Final = "**Table 3 — Sizes of things**"
UNTITLED: Final = f"{TITLE}\n\n{HEAD}| 1 | 2 |\n{NEXT}| 3 | 4 |\n"
TITLED: Final = UNTITLED.replace("‖", f"‖⟦caption|{TITLE}⟧⟦glue|\n\n⟧")
CELLS: Final = "one two three " * 5
KEY: Final = "| k | v |\n|---|---|\n| key | "
LONG_ROW: Final = f"{KEY}{CELLS}⟦glue||\n⟧‖⟦table_header|{KEY}⟧{CELLS}|\n"
THEAD: Final = "<div>\n<table>\n<thead><tr><th>a</th><th>b</th></tr></thead>\n"
TEND: Final = "</table>\n</div>"
TR: Final = "<tr><td>{0}</td>\n\n<td>value {0}</td></tr>\n"
HTML: Final = (
    f"{THEAD}{TR.format(1)}⟦glue|{TEND}⟧‖⟦table_header|{THEAD}⟧{TR.format(2)}{TR.format(3)}{TEND}"
)
TIGHT: Final = HTML.replace("</td>\n\n<td>", "</td><td>")
HTML_TITLED: Final = HTML.replace("<thead>", "<caption>Sizes</caption>\n<thead>")
TILDES: Final = "~~~~python title=x\n"
CODE: Final = f"{TILDES}a = 1⟦fence|\n~~~~⟧‖\n\n‖⟦fence|{TILDES}⟧if a:\n    b = 2\n~~~~\n"
LONGER: Final = CODE.replace("if a:", f"if a:⟦fence|\n~~~~~⟧‖\n‖⟦fence|{TILDES}⟧").replace(
    "⟦fence|~~~~p", "⟦fence|~~~~~p", 1
)
MATH: Final = "$$\na + b⟦fence|\n$$⟧‖\n‖⟦fence|$$\n⟧= c\n$$\n"
ITEM_CODE: Final = "- item\n\n  ```py\n  a⟦fence|\n  ```⟧‖\n‖⟦fence|  ```py\n⟧  b\n  ```\n"
ITEM_TABLE: Final = (
    "- item\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n"
    "‖⟦table_header|  | a | b |\n  |---|---|\n⟧  | 3 | 4 |\n"
)
QUOTE_TABLE: Final = ITEM_TABLE.replace("- item\n", "> text\n>").replace("  |", "> |")
TICKS: Final = "`" * 20
LONG_FENCE: Final = f"{TICKS}\na = 1\n‖b = 2\n{TICKS}\n"
X: Final = "x " * 30
SHORT_HEADER: Final = (
    "# T\n\n| A key | A value |\n|--|--|\n| 1 | 2 |\n‖"
    "⟦table_header@|| A key |⟧⟦glue| A… |\n|--|--|\n⟧| 3 | 4 |\n"
)
UNLABELLED: Final = (
    "# T\n\n<table>\n<tr><td rowspan=2>a</td><td>b</td></tr>⟦glue|\n</table>⟧‖\n"
    "⟦table_header@|<table>⟧⟦glue|\n⟧<tr><td>c</td></tr>\n</table>\n"
)
LEAD: Final = "The device with all of its parts shall:\n\n"
ITEMS: Final = "- have one long item of words\n‖- have another item of words\n"
LED: Final = f"{FILLER}‖{LEAD}{ITEMS}"
LED_LINE: Final = f"1. One.\n2. Set words:\n   - {'word ' * 12}‖⟦glue|2. - ⟧{'word ' * 17}end\n"
LED_AGAIN: Final = f"# Top\n\n{LEAD}{ITEMS}\nWords at the end:\n\nAll of them.\n".replace(
    "‖", f"‖⟦heading|# Top\n\n⟧⟦heading|{LEAD}⟧"
)
LONG_TITLE: Final = (
    "# A very long title of a document\n\nIntro.\n\n‖## One\n\nA.\n\n‖## Two\n\nB.\n"
)
TITLES: Final = "# A\n\n" + "## Title\n\n" * 20 + "‖" + "## Title\n\n" * 20 + "text\n"
ANCHORED: Final = "# A" + '<a name="anchor"></a>' * 4 + "\n\n## B\n\n‖### C\n\n‖# D\n\ntext\n"
HEADED_ROW: Final = (
    f"# A b c d e f g h\n\n‖<table>\n<tr><td>{'word ' * 12}</td></tr>\n</table>\nText after it.\n"
)
LISTED: Final = f"# A b c d e f g h i j\n\n{FILLER}‖- one\n‖- two\n- three\n"
EMPTY_ROWS: Final = (
    "<table>\n<tr><th>a</th></tr>\n<tr></tr>\n⟦glue|</table>⟧"
    "‖⟦table_header|<table>\n<tr><th>a</th></tr>\n⟧<tr></tr>\n</table>\n"
)
TR_KEY: Final = "<table>\n<tr><th>k</th><th>v</th></tr>\n<tr><td>key</td><td>"
LONG_HTML: Final = (
    f"{TR_KEY}{CELLS}⟦glue|</td></tr></table>⟧‖⟦table_header|{TR_KEY}⟧{CELLS}</td></tr>\n</table>\n"
)
LONG_KEY: Final = (
    without(LONG_ROW)
    .replace("‖", f"⟦glue||\n⟧‖⟦table_header|{KEY[:-6]}|  | ⟧")
    .replace("key", "key " * 18)
)
POINTS: Final = (
    "# Article 5\n\nIt ends if:\n\n(a) somebody opens it;\n\n"
    "‖⟦heading|It ends if:⟧⟦glue|\n\n⟧(b) it stood in water.\n\n‖It ends in May:\n\nIn June.\n"
)
LEVELS: Final[Fields] = {"levels": (14, 9), "min_tokens": 0, "encoding": words, "sections": "pack"}
FAMILIES: Final = pack(Source(WHOLE), PackConfig(**LEVELS))
FOUND: Final[Fields] = {
    "max_tokens": 64,
    "target_tokens": 48,
    "min_tokens": 0,
    "encoding": "cl100k_base",
}
BY_PAGE: Final = FOUND | {"markup": "markdown"}
FAMILY: Final = (LEVELS, FAMILIES)
PAGED: Final = pack(Source(PAGES), PackConfig(**BY_PAGE))
LONG_TABLE: Final = "".join(
    f"{NEXT if n == 2 else HEAD if n == 0 else ''}| {n} | value of the row {n} |\n"
    for n in range(4)
)
KEEP: Final[Fields] = {"max_tokens": 24, "oversize_table": "keep"}


CLAUSES: Final = (
    fields(0, clause_number="5", clause_path=("Article 5",), clauses=("5", "5(a)")),
    fields(1, clause_number="5(b)", clause_path=("Article 5", "(b)"), clauses=("5(b)",)),
    fields(2, clause_number="5(b)", clause_path=("Article 5", "(b)")),
)
marked = fields(0, oversize=True)
no_line = fields(1, embed_text=lambda text: text.rpartition("title of a document\n\n")[2])
short_line = fields(
    2, embed_text=lambda text: text.replace("A very long title of a document", "A very…")
)

LONG_HEADER: Final = (
    f"# T\n\n| Key | Amount {'of water ' * 8}|\n|--|--|\n| 1 | 2 |\n‖"
    "⟦table_header@|| Key |⟧⟦glue| ⟧⟦table_header@|Amount⟧⟦glue|… |\n|--|--|\n⟧| 3 | 4 |\n"
)
TRUE: Final[dict[str, Row]] = {
    "each section is a chunk": (12, SECTIONS),
    "a long header is shortened": (40, LONG_HEADER),
    "sections may be separate": ({"max_tokens": 100, "sections": "separate"}, SECTIONS),
    "front matter is skipped": ({}, f"⟦front matter|{FRONT}⟧⟦lost|\n\n⟧Text.\n"),
    "front matter is text": ({"front_matter": "text"}, f"{FRONT}\n\nText.\n"),
    **{
        f"no chunk of {text!r}": ({}, f"⟦lost|{text}⟧")
        for text in (
            *("", " \n\t\n", "\ufeff", "---\na: 1\n---\n", "\ufeff---\na: 1\n---"),
            *("+++\na = 1\n+++\n", "<!-- page break -->\n", "\ufeff<!-- page break -->\n"),
            "\n<!-- page break -->\n",
        )
    },
    "an overlap of texts": ({"overlap_tokens": 4}, THREE, texts),
    "the whole as one text": (10_000, GUIDE, texts),
    "bodies without whitespace between them": ({}, "One wo¦rd."),
    "a page mark": ({}, "One.\n\n⟦page mark|<!-- page break -->⟧\n\nTwo.\n",
     fields(0, pages=(1, 2))),
    "a list that does not fit with its heading": ({"max_tokens": 26, "repeat_heading": True},
     LISTED),
    "a row above the cap in characters": (16, f"# A\n\n‖| k |\n|---|\n| {'w' * 1100} |\n"),
    "a row of HTML cut between cells": (76, LONG_HTML),
    "a key that takes half the cap": (52, LONG_KEY),
    "rows of HTML without cells": ({}, EMPTY_ROWS),
    "the intro of points": ({}, POINTS, *CLAUSES),
    "the line above a last empty section": (16, LONG_TITLE.replace("B.\n", ""), no_line,
     short_line),
    "three bodies": ({}, "One.\n\n¦# Two\n\n¦Three.\n"),
    "a kept table": (KEEP | {"max_tokens": 20}, KEPT, marked),
    "a kept table with its caption": (KEEP, f"{TITLE}\n\n{HEAD}| 1 | 2 |\n| 3 | 4 |\n", marked),
    "a kept table with the marker of its quote": (KEEP, f"{QUOTED}>\n‖> {FILLER}", marked),
    "a line that takes half the cap is cut": (16, LONG_TITLE, no_line, short_line),
    "an overlap": ({"overlap_tokens": 4}, OVERLAP),
    "an overlap without headings": ({"flat_overlap_tokens": 4}, OVERLAP),
    "the text instead of the breadcrumb": ({}, f"⟦path|⟧{WHOLE}"),
    "two sections of one title": ({}, "# A\n\none\n\n‖# A\n\ntwo\n"),
    "the heading of an empty section": ({}, "# A\n\n‖# B\n\ntext\n"),
    "headings that do not fit": (100, TITLES),
    "headings of empty sections that do not fit": (60, ANCHORED),
    "a heading that does not fit with a row": (46, HEADED_ROW),
    "two levels": (LEVELS, FAMILIES),
    "two levels, without settings": ({}, FAMILIES),
    "rows": ({}, CUT_TABLE),
    "a table without rows": ({}, HEAD),
    "a row cut between cells": (40, LONG_ROW),
    "a table in a quote": ({}, QUOTE_TABLE),
    "a table in an item": ({}, ITEM_TABLE),
    "a caption": (60, TITLED),
    "no room for a caption": (42, UNTITLED),
    "rows of HTML": (120, HTML),
    "rows of HTML on one line": (120, TIGHT),
    "a caption in HTML": (120, HTML_TITLED),
    "a fence": ({}, CODE),
    "an open fence": ({}, "```\na⟦fence|\n```⟧‖\n‖⟦fence|```\n⟧b\n"),
    "math": ({}, MATH),
    "math with a label": ({}, MATH.replace("c\n$$", "c\n$$ (1)")),
    "indented code": ({}, "Text.\n\n    a = 1\n‖    b = 2\n"),
    "a fence in a list": ({}, ITEM_CODE),
    "a fence that takes half the cap": (40, LONG_FENCE),
    **{
        f"too long: {first[:8]}…{last[:8]}": (words(f"{first}x"), f"{first}‖{last}")
        for first, last in (
            *((f"{X}. ", "Two.\n"), ("x, " * 30, "x, " * 30 + "\n"), (f"- {X}\n", "- two\n")),
            *(("汉字" * 30, "汉字" * 30 + "\n"), ("w" + "-w" * 30, "w" + "-w" * 30 + "\n")),
            (f"{X}“_", f"word_” {X}\n"),
            (f"<div>\n{X}<b>b</b>", f"<i>i</i>{X}\n</div>\n"),
            ("汉 " * 30 + "10ムカー", "ーナデ" + " 汉" * 30 + "\n"),
        )
    },
    "two flags": ({}, "🇩🇪‖🇫🇷"),
    "a list that does not fit with its lead-in": (22, LED),
    "a line that does not fit with its lead-in": (40, LED_LINE),
    "a lead-in and a heading that are repeated": ({}, LED_AGAIN),
    **{
        f"titles found in {text[:20]!r}, {end!r}": (FOUND,
         pack(Source(text.replace("\n", end)), PackConfig(**FOUND)))
        for end in ("\n", "\r\n")
        for text in (MANUAL, CONTENTS + MANUAL, PAGES, CONTRACT, pages(*[MANUAL] * 4))
    },
    "pages": (BY_PAGE, PAGED),
    "the guide": (OF_GUIDE, pack(Source(GUIDE, NAME), PackConfig(**OF_GUIDE))),
}  # fmt: skip

# Of each finding the law, and words of one finding; in a set, a law may have several findings.
SMALL: Final[dict[str, Row]] = {
    "a lost section": ([1], "19 characters lost (offsets 15:34)", {}, SECTIONS, order(1)),
    "no chunk of a comment": ([1], "lost", {}, "⟦lost|<!-- page of text -->\n⟧"),
    "no chunk of a text": ([1], "lost", {}, "⟦lost|---\nTo be.\n\nOr not.\n⟧"),
    "a changed text": ([1, 2], "", {}, WHOLE, lambda *_: [WHOLE.replace("First", "Fifth")]),
    "an overlap of texts": ([1], "repeats 4 tokens of earlier chunks", {}, THREE, texts),
    "texts with headings of others": ([2, 2], "not an exact slice", {}, HEADED, texts),
    "texts with the header of others": ([2], "not an exact slice", {}, LONG_TABLE, texts),
    "texts of 331 characters": ({5, 6, 7, 9}, "", 200, GUIDE, every(331)),
    "the paragraphs as texts": ({6, 7, 8}, "", {}, GUIDE, paragraphs),
    "an invented text": ([2], "exact", {}, WHOLE, lambda *_: [WHOLE, "Invented text.\nToo short."]),
    "a chunk without a body": ([4], "has no body", {}, "# Top\n\nIntro.‖⟦heading|# Top⟧"),
    "a body outside the source": ({1, 2, 4}, "", {}, "One.‖ ‖Two.",
     fields(1, segments=lambda parts: [parts[0] | {"span": (90, 94)}])),
    "a page mark": ({1}, "but is also in", {}, "One.\n\n<!-- page break -->\n\nTwo.\n",
     fields(0, pages=(1, 2))),
    "a list that fits with its heading": ([9], "a list of", 26, LISTED),
    "own text that fits": ([9], "a section's own text of",
     {"max_tokens": 20, "sections": "separate"},
      f"{FILLER}‖# A\n\none\n\n‖two\n\n‖## B\n\nthree\n"),
    "a fence with one tick more": ([6], "its fence is", {}, LONGER),
    "one more row": ([5], "its table has 2 rows", {},
     CUT_TABLE.replace("⟧| 3", "⟧⟦glue|| 9 | 9 |\n⟧| 3")),
    "words in a row": ([5], "instead of", {}, CUT_TABLE.replace("| 4 |", "| 4⟦glue| x⟧ |")),
    "one more cell": ([5], "it has 3 cells", 76, LONG_HTML.replace("<td>⟧", "<td>x</td><td>⟧")),
    "an intro of no points": ([7], "does not belong", {},
     POINTS.replace("It ends if:⟧", "It ends in May:⟧"), *CLAUSES),
    "a point as intro": ([7], "does not belong", {},
     POINTS.replace("It ends if:⟧", "(a) somebody opens it;⟧"), *CLAUSES),
    "the last words as intro": ([7], "does not belong", {},
     POINTS.replace("It ends if:⟧", "In June.⟧"), *CLAUSES),
    "a body without a span": ([2], "has no span", {}, "One.⟦body| More.⟧"),
    "a lost line break": ([2], "line break", {}, "One.⟦lost|\n\n⟧# Two\n\nThree.\n"),
    "code is not kept": ([3], "may be kept", {"max_tokens": 24, "oversize_code": "keep"}, KEPT,
     marked),
    "kept below the cap": ([3], "within the cap", KEEP | {"max_tokens": 500}, KEPT, marked),
    **{
        f"kept with {rest!r}": ([3], "not a single table", KEEP,
         (QUOTED if rest[0] == ">" else KEPT) + rest, marked)
        for rest in ("\nMore.\n", ">\n> 1. 2. 3.\n", ">\n> 1234\n", ">\n> ***\n")
    },
    "short lines below the cap": ([3, 3, 9, 9], "fits", 40, LONG_TITLE, no_line, short_line),
    "too much overlap": ([3], "the overlap has 4", {"overlap_tokens": 3}, OVERLAP),
    "too much overlap in a section": ([3], "", {"flat_overlap_tokens": 4}, f"# A\n\n{OVERLAP}"),
    "a small cap of children": ({3}, "the cap is 5", LEVELS | {"levels": (14, 5)}, FAMILIES),
    "a breadcrumb of a part": ([7], '"One" is not above all', {},
     SECTIONS.replace("‖## Two", "## Two").replace("‖", "‖⟦path|Top > One⟧")),
    "a breadcrumb of another section": ([7], "", {}, "# A\n\n¦⟦path|A⟧one\n\n# A\n\ntwo\n"),
    "a chain of headings": ([8], "", {}, "# A\n\n## B\n\n‖## C\n\ntext\n"),
    "headings that would fit": ([8, 9], "", 400, TITLES),
    "headings of empty sections that would fit": ([8, 9, 9], "", 120, ANCHORED),
    "a heading that would fit with a row": ([8, 9], "", 90, HEADED_ROW),
    "another parent": ([1], "not inside the body of its parent", *FAMILY,
     fields(-1, parent_id=FAMILIES[0].id)),
    "a child as parent": ([4], "no chunk of the level above", *FAMILY,
     fields(-1, parent_id=FAMILIES[2].id)),
    "no parent": ([4], "no chunk of the level above", *FAMILY, fields(-1, parent_id=None)),
    "a parent of a parent": ([4], "its level is 0, but", *FAMILY,
     fields(3, parent_id=FAMILIES[0].id)),
    "the id of a child": ([4], "has the same id", *FAMILY, fields(-1, id=FAMILIES[2].id)),
    "the id of a parent": ([4], "has the same id", *FAMILY, fields(-1, id=FAMILIES[3].id)),
    "a level too many": ({4}, "levels are 0 to 0", LEVELS | {"levels": (14,)}, FAMILIES),
    "a lost child": ([1], "lost", LEVELS, FAMILIES, order(-1)),
    "no changed level": ([7], "", BY_PAGE, PAGED, level_change(1, "Pumps", 1, 2, "numbers")),
    "another markup": ([7], "", BY_PAGE, PAGED, fields(0, markup="plain")),
    "nothing skipped": ({1}, "", BY_PAGE, PAGED, fields(0, skipped=())),
    "another page": ([4], "pages are (9,)", BY_PAGE, PAGED, fields(0, pages=(9,))),
    "another line": ([4], "lines are 1-99", BY_PAGE, PAGED, fields(0, lines=(1, 99))),
    "other clauses": ([4], "clauses are", BY_PAGE, PAGED, fields(0, clauses=("9",))),
    "another clause": ([4], "clauses are", BY_PAGE, PAGED, fields(0, clause_number="9")),
    "a header alone": ([5], "header without any row", {},
     f"# T\n\n{HEAD}{NEXT}| 1 | 2 |\n| 3 | 4 |\n"),
    "a cut row": ({5}, "row 2 is cut", {},
     f"# T\n\n{HEAD}| 1 | 2 |\n| 3 |{NEXT}⟦glue|| 3 |⟧ 4 |\n| 5 | 6 |\n"),
    "no key": ([5], 'the key "key" is not repeated', {}, LONG_ROW.replace("| key | ⟧", "|  | ⟧")),
    "a quoted table without header": ([5], "", {}, without(QUOTE_TABLE)),
    "an item's table without header": ([5], "", {}, without(ITEM_TABLE)),
    "a piece without caption": ([5, 9], "its text lacks the caption", 80, UNTITLED),
    "an entry without a table": ([5], "of a table that it does not hold", {}, SECTIONS,
     fields(1, tables=[{"id": "t", "row_start": 1, "row_end": 3, "row_count": 3}])),
    "an open table": ({5}, "no table with this header", 120, HTML.replace(f"⟦glue|{TEND}⟧", "")),
    "no header in HTML": ({5}, "no table with this header", 120,
     HTML.replace(f"⟦table_header|{THEAD}⟧", "⟦table_header|<table>⟧")),
    "no header rows": ({5}, "header rows 0, but should have 1", 120, HTML,
     entries(0, header_rows=0)),
    "columns of HTML": ({5}, "record has the ranges", 120, HTML, entries(0, columns=("a", "c"))),
    "rows of HTML": ({5}, "record has the ranges", 120, HTML, entries(0, row_count=4)),
    "no caption of HTML": ({5}, "has the caption None", 120, HTML_TITLED, entries(0, caption=None)),
    "tied rows": ([9], "rows tied by a rowspan", 120,
     TIGHT.replace("<td>1<", '<td rowspan="2">1<')),
    "only a fence": ([6], "only a fence", {},
     f"{TILDES}a = 1\n\nif a:\n    b = 2⟦fence|\n~~~~⟧‖\n‖⟦fence|{TILDES}⟧~~~~\n"),
    "a fence that is not closed": ([6], "", {}, "```\na‖\n‖⟦fence|```\n⟧b\n"),
    "math without markers": ({6}, "", {}, without(MATH)),
    "labelled math without markers": ({6}, "", {}, without(MATH).replace("c\n$$", "c\n$$ (1)")),
    "code without its indentation": ([6], "", {}, "Text.\n\n    a = 1\n‖⟦lost|    ⟧b = 2\n"),
    "a fence in a list without markers": ({6}, "", {}, without(ITEM_CODE)),
    "a fence that would fit": ({6, 9}, "", 400, LONG_FENCE),
    "a section that fits": ([9], "a section of 4 tokens would fit", 20,
     f"{FILLER}# A\n\none\n\n‖two\n"),
    "sections that fit": ([9, 9], "a document of 16", 100, SECTIONS),
    **{
        f"cut after {first[-9:]!r}": ([9], f"a {unit} of ", cap, f"{FILLER}‖{first}‖{last}")
        for unit, cap, first, last in (
            ("list", 20, "- one\n- two\n", "- three\n"),
            ("list item", 20, f"- {'x ' * 15}\n- two\n", f"  more\n- {'x ' * 15}\n"),
            ("paragraph", 20, "One. ", "Two.\n"),
            ("sentence", 36, f"{X}ending. Here begins ", "a short one.\n"),
            ("sentence", 36, f"> {X}ending.\n> Here begun ", "a short one.\n"),
            ("sentence", 36, f"{X}ending. Here begin".replace(" ", "\u00a0"),
             "s a short one.\n".replace(" ", "\u00a0")),
            ("word", 36, f"{X} wor", f"ding {X}.\n"),
            ("quote", 20, "> one\n>\n", "> two\n"),
            ("paragraph", 36, f"> {X}\n>\n> one\n", "> two\n"),
            ("line", 36, f"<pre>\n{X}\none ", "two\n</pre>\n"),
        )
    },
    **{
        f"a cut cluster: {text!r}": ([9], "grapheme cluster", {}, text)
        for text in ("e‖\u0301", "👩‖\u200d🔬", "👩\u200d‖🔬", "🇩🇪🇫‖🇷", "a\r‖\nb", "각‖\u11a8")
    },
    "a list that fits with its lead-in": ([9], "", 29, LED),
    "a list without a lead-in": ([9], "", {"max_tokens": 22, "min_tokens": 0},
     LED.replace("shall:", "shall.")),
    "a shortened header that has room": ([5], "no table with this header", {}, SHORT_HEADER),
    "a shortened header without words": ([5], "no table with this header", 40,
     LONG_HEADER.replace("⟦table_header@|Amount⟧", "")),
    "a row without the cell above": ([5], "reaches into it, is not repeated", {}, UNLABELLED),
    "a list with a long lead-in": ([9], "", 40, LED.replace(LEAD, "word " * 30 + "shall:\n\n")),
    "a line that fits with its lead-in": ([9], "", 50, LED_LINE),
    "the lead-in of no list": ([7], "", {},
     LED_AGAIN.replace(f"⟦heading|{LEAD}⟧", "⟦heading|Words at the end:⟧⟦glue|\n\n⟧")),
}  # fmt: skip

MUTANTS: Final[dict[str, Row]] = {
    **{
        name: ({law} if isinstance(law, int) else law, "", *of_guide(*edit))
        for law, name, *edit in OF_THE_GUIDE
    },
    **SMALL,
}


@pytest.mark.parametrize("name", TRUE)
def test_true_chunkings_have_no_finding(name: str) -> None:
    assert found(TRUE[name]) == []


@pytest.mark.parametrize("name", MUTANTS)
def test_each_mutant_is_found_by_the_laws_that_it_breaks(name: str) -> None:
    laws, reason, *row = MUTANTS[name]
    findings = found(tuple(row))
    by = [law for law, _ in findings]
    assert ({*by} if isinstance(laws, set) else by) == laws, findings
    assert any(reason in each for _, each in findings), findings


def main() -> None:
    """Print the table of mutants as markdown."""
    rows: list[tuple[str, ...]] = [("mutant", "breaks law", "found by law"), ("---", "--:", "--:")]
    for name, (laws, _, *row) in MUTANTS.items():
        by = {law for law, _ in found(tuple(row))}
        rows.append((name, *(", ".join(map(str, sorted(each))) for each in ({*laws}, by))))
    width = max(len(name) for name, *_ in rows)
    for name, broken, found_by in rows:
        sys.stdout.write(f"| {name:{width}} | {broken:>10} | {found_by:>12} |\n")


if __name__ == "__main__":
    main()

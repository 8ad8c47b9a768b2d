"""A heading of any length: its chunks' records and their audit stay in proportion to the text."""

from collections.abc import Callable
from typing import Final

import pytest
from by_eye import some
from function_calls import calls

from treepack import PackConfig, Source, pack, parse
from treepack.laws import audit
from treepack.model.blocks import LONGEST_TITLE

BODY: Final = "The pump shall stop at once, when the pressure exceeds 16 bar.\n\n"
HEADINGS: Final[dict[str, Callable[[str], str]]] = {
    "ATX": lambda title: f"# {title}\n\n",
    "Setext": lambda title: f"{title}\n===\n\n",
    "Setext of many lines": lambda title: title.replace(" ", "\n") + "\n===\n\n",
    "HTML": lambda title: f"<h2>{title}</h2>\n\n",
    "six levels": lambda title: "".join(f"{'#' * at} {title}\n\n" for at in range(1, 7)),
    "numbered": lambda title: f"# 5.1 {title}\n\n",
}
TITLES: Final = {
    "words": "pump and valve ",
    "links": "[a](b) [c](d ",
    "emphasis": "**a *b ",
    "tags": '<a x="1" ',
    "braces": "{#a b ",
    "one word": "pump",
    "Chinese": "系统应当保护",
    "dollars": "$a $b$ ",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", HEADINGS)
@pytest.mark.parametrize("title", TITLES)
def test_breadcrumbs_below_a_long_heading_are_short_and_the_laws_hold(
    kind: str, title: str
) -> None:
    written = HEADINGS[kind]((TITLES[title] * 1_000)[: 3 * LONGEST_TITLE].strip())
    # Each kind and each title meets both caps.
    cap = 64 if (len(kind) + len(title)) % 2 else 1024
    text = written + BODY * 16
    chunks = pack(Source(text, "d.md"), PackConfig(max_tokens=cap))
    entries = {entry for chunk in chunks for entry in chunk.breadcrumb}
    assert max(map(len, entries)) <= LONGEST_TITLE + 1
    report = audit(text, chunks, PackConfig(max_tokens=cap), name="d.md")
    assert not report.findings, str(report.findings[0])


def test_a_title_is_shortened_at_a_word() -> None:
    for written, shown in (
        ("pump " * 999, "pump " * 199 + "pump…"),
        ("a " + "p" * 9_999, "a " + "p" * (LONGEST_TITLE - 2) + "…"),
        ("p" * LONGEST_TITLE, "p" * LONGEST_TITLE),
    ):
        (section,) = parse(f"# {written}\n\nText.\n", outline="trust").root.sections
        assert section.heading is not None
        assert section.heading.text == shown


@pytest.mark.parametrize("title", TITLES)
def test_the_cost_of_parsing_a_heading_hardly_grows_with_its_length(title: str) -> None:
    def calls_for(length: int) -> int:
        text = f"# {(TITLES[title] * length)[:length].strip()}\n"
        return calls(lambda: parse(Source(text)))

    calls_for(9)
    assert calls_for(90_000) < 1.5 * calls_for(30_000)


@pytest.mark.parametrize("written", ["![A {0}](data:image/png;base64,{1})", '<img src="{1}">A {0}'])
def test_long_image_data_does_not_use_up_the_length_of_a_title(written: str) -> None:
    text = "# " + written.format("pump", "iVBORw0KGgo" * 3_000) + "\n"
    (section,) = parse(text, outline="trust").root.sections
    assert section.heading is not None
    assert section.heading.text == "A pump"


@pytest.mark.parametrize("entry", ["pump " * 150 + "valve…", "valve " * 199 + "…", "pump pump…"])
def test_a_breadcrumb_entry_that_does_not_begin_the_heading_breaks_law_7(entry: str) -> None:
    text = f"# {'pump ' * 999}\n\n{BODY * 100}"
    chunks = list(pack(Source(text, "d.md"), PackConfig(max_tokens=256, outline="trust")))
    assert chunks[-1].breadcrumb == ("d.md", "pump " * 199 + "pump…")
    assert not audit(text, chunks, PackConfig(max_tokens=256), name="d.md").findings
    changed = [
        *chunks[:-1],
        chunks[-1].model_copy(update={"breadcrumb": ("d.md", entry)}),
    ]
    laws = {
        finding.law
        for finding in audit(text, changed, PackConfig(max_tokens=256), name="d.md").findings
    }
    assert 7 in laws


def test_a_heading_of_many_lines_is_cut_at_line_ends() -> None:
    lines = [f"Line {number} says {some(8)}" for number in range(12)]
    text = "\n".join(lines) + "\n---\nThe text below.\n"
    chunks = pack(text, PackConfig(max_tokens=64))
    assert len(chunks) > 2
    assert {chunk.text.splitlines()[0] for chunk in chunks} <= {*lines, "The text below."}
    assert not audit(text, chunks, PackConfig(max_tokens=64)).findings


@pytest.mark.parametrize(
    "table", ["| A | B |\n|---|---|\n", "<table><tr><th>A</th></tr></table>\n"]
)
@pytest.mark.parametrize("caption", ["", "Table 1: the limits\n\n"])
def test_a_table_without_rows_below_a_heading_that_fills_a_chunk_passes_the_audit(
    table: str, caption: str
) -> None:
    for count in range(16, 32):
        text = f"# {'alpha beta ' * count}\n\n{caption}{table}\nText below.\n"
        chunks = pack(text, max_tokens=64)
        report = audit(text, chunks, PackConfig(max_tokens=64))
        assert not report.findings, str(report.findings[0])


TABLE = (
    "Table 1: the values\n\n| Quantity | Lowest value that is allowed | Highest |\n|---|---|---|\n"
)
KEPT_TOGETHER = {
    "a lead-in": ("The pump shall keep to each of these limits:\n\n", "- {row}\n"),
    "a caption and a header": (TABLE, "| {row} | 1 | 2 |\n"),
    "an admonition with a table": (
        f'!!! note "T"\n    {TABLE.rstrip().replace(chr(10), chr(10) + "    ")}\n',
        "    | {row} | 1 | 2 |\n",
    ),
}


@pytest.mark.parametrize("kind", KEPT_TOGETHER)
def test_parts_that_must_stay_with_the_text_may_displace_the_breadcrumb(kind: str) -> None:
    opening, row = KEPT_TOGETHER[kind]
    are_cut = False
    for count in range(2, 50):
        rows = "".join(row.format(row=f"pressure {at} in the valve") for at in range(6))
        text = f"## {'pump ' * count}\n\n{opening}{rows}"
        chunks = pack(Source(text, "manual of the pumps.md"), max_tokens=100, target_tokens=80)
        report = audit(text, chunks, PackConfig(max_tokens=100), name="manual of the pumps.md")
        assert not report.findings, str(report.findings[0])
        are_cut |= any(not chunk.embed_text.startswith("manual") for chunk in chunks)
    assert are_cut

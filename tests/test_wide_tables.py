"""Tables like those of annual reports: over 30 columns, spans for layout, empty spacer cells."""

import random

import pytest

from treepack import Chunks, PackConfig, Source, audit, pack, read

TRACED = 3  # the tables of quick runs and of coverage
CAPS = (256, 512, 1024)
SEEDS = range(6)


def empty_cells(count: int, tag: str = "td") -> str:
    return f"<{tag}></{tag}>" * count


def header(draw: random.Random, years: int) -> str:
    """Return years over three columns each and a spacer, in ``th``, ``td`` or a ``thead``."""
    style = draw.choice(["thead", "td", "th"])
    tag = "td" if style == "td" else "th"
    names = "".join(
        f"<{tag} colspan=3><b>{2010 + year}</b></{tag}>{empty_cells(1, tag)}"
        for year in range(years)
    )
    rows = f"<tr><{tag} colspan=3></{tag}>{names}</tr>"
    if draw.random() < 0.5:
        unit = f"<{tag} colspan=3>audited</{tag}>{empty_cells(1, tag)}" * years
        rows += f"<tr><{tag} colspan=3><b>In millions</b></{tag}>{unit}</tr>"
    return f"<thead>{rows}</thead>" if style == "thead" else rows


def sub_header_row(draw: random.Random, number: int, width: int) -> str:
    """Return a sub-header: over all columns, bold with spacers, or in ``th``."""
    name = f"Group {number} assets:"
    return draw.choice([
        f"<tr><td colspan={width}><b>{name}</b></td></tr>",
        f"<tr><td colspan=3><b>{name}</b></td>{empty_cells(width - 3)}</tr>",
        f"<tr><th colspan=3>{name}</th>{empty_cells(width - 3, 'th')}</tr>",
    ])  # fmt: skip


def data_row(draw: random.Random, name: str, years: int) -> str:
    values = "".join(
        f"<td>$</td><td>{draw.randint(1, 99999):,}</td><td>)</td><td></td>"
        if draw.random() < 0.8
        else f"<td></td><td colspan=2>{draw.randint(1, 999)}</td><td></td>"
        for _ in range(years)
    )
    return f"<tr><td></td><td colspan=2>{name}</td>{values}</tr>"


def financial_table(seed: int) -> str:
    draw = random.Random(seed)  # noqa: S311 - the same documents in each run
    years = draw.randint(7, 12)
    width = 3 + 4 * years
    lines = [header(draw, years)]
    for number in range(draw.randint(3, 6)):
        lines.append(sub_header_row(draw, number, width))
        lines += [
            data_row(draw, f"Item {number}.{at} of it", years) for at in range(draw.randint(3, 12))
        ]
        if draw.random() < 0.4:
            lines.append(f"<tr><td colspan={width}>&nbsp;</td></tr>")
    return "<table>" + "\n".join(lines) + "</table>"


def packed(source: Source, cap: int) -> Chunks:
    return pack(source, PackConfig(max_tokens=cap, target_tokens=cap, min_tokens=0))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_wide_table_keeps_all_laws(seed: int) -> None:
    """It is read as HTML in markdown, with HTML pieces, and as a page; each table has one cap."""
    cap = CAPS[seed % len(CAPS)]
    text = Source(f"# Report\n\nThe statement:\n\n{financial_table(seed)}\n\nAfter.\n", "a.md")
    page = read(
        f"<h1>Report</h1><p>The statement:</p>{financial_table(seed)}".encode(), "html", name="a"
    )
    for source in (text, page):
        assert audit(source, packed(source, cap), PackConfig(max_tokens=cap)).findings == ()


def test_a_th_row_does_not_become_a_header_in_a_table_without_one() -> None:
    rows = "".join(f"<tr><td>item {n}</td><td>{n} bar</td></tr>\n" for n in range(4))
    groups = "".join(f"<tr><th>Group {n}</th><th></th></tr>\n{rows}" for n in range(3))
    source = Source(f"<table>\n{rows}{groups}</table>\n", "a.md")
    chunks = packed(source, 96)
    begun = [chunk.text for chunk in chunks if "<tbody></tbody>\n<tr><th>" in chunk.text]
    assert begun
    assert all(table.header_rows == 0 for chunk in chunks for table in chunk.tables)
    assert audit(source, chunks, PackConfig(max_tokens=96)).findings == ()

"""The report page of two packings: one scale, aligned maps, and columns side by side."""

import pytest
from pages import Page
from report_pages import MANUAL, TIGHT, visible_text

from treepack import PackConfig, Source
from treepack.report import render
from treepack.report.chunk_map import length_of, map_blocks
from treepack.report.cuts import cuts
from treepack.report.packings import packed
from treepack.report.strips import ROW_WIDTH, strips


def test_two_packings_share_one_scale() -> None:
    source = Source(MANUAL, "manual.md")
    page = Page(render([packed(source, TIGHT, "a"), packed(source, PackConfig(), "b")]))
    assert 1 == len({svg["viewbox"] for svg in page.attributes("svg") if svg["class"] == "bar"})
    histograms = [svg for svg in page.attributes("svg") if svg["class"] == "histogram"]
    assert 2 == len(histograms)
    assert 2 == page.text.count("01,032 tokens")


def test_the_maps_of_two_packings_are_aligned_by_text_position() -> None:
    text = "".join(f"# Title {n}\n\n{'Some words here. ' * (n % 9 + 1)}\n\n" for n in range(200))
    ways = [PackConfig(sections="separate"), PackConfig(max_tokens=300)]
    packings = [packed(Source(text, "long.md"), config, "") for config in ways]
    maps = [
        map_blocks(each, key, list(cuts(each)), 1) for each, key in zip(packings, "ab", strict=True)
    ]
    rows = strips(maps, len(text))
    assert len(rows) == 4  # 200 chunks of the finer packing, 60 in a row
    for number, packing in enumerate(packings):
        parts = [(at, part) for at, row in enumerate(rows) for part in row[number]]
        begun = [(at * ROW_WIDTH + part.x) / ROW_WIDTH for at, part in parts if part.is_first]
        assert [each.start / len(text) * len(rows) for each in maps[number]] == pytest.approx(
            begun, abs=1 / ROW_WIDTH
        )
        drawn = sum(part.width for _, part in parts) / ROW_WIDTH / len(rows)
        held = sum(map(length_of, packing.leaves)) / len(text)
        assert drawn == pytest.approx(held, abs=0.01)


def test_the_maps_of_two_packings_link_to_each_chunk_once() -> None:
    source = Source(MANUAL, "manual.md")
    ways = [packed(source, TIGHT, "tight"), packed(source, PackConfig(), "wide")]
    page = Page(render(ways))
    links = [
        each["href"]
        for each in page.attributes("a")
        if (each.get("aria-label") or "")[:6] == "Chunk "
    ]
    expected = {f"#{key}{c.index}" for key, way in zip("ab", ways, strict=True) for c in way.leaves}
    assert expected == {*links}
    assert len(expected) == len(links)


def test_two_packings_are_shown_side_by_side() -> None:
    source = Source(MANUAL, "manual.md")
    page = Page(
        render([packed(source, TIGHT, "tight"), packed(source, PackConfig(max_tokens=96), "wide")])
    )
    for key in "ab":
        own = "".join(text for name, text in page.own.items() if name.startswith(key))
        assert visible_text(MANUAL[MANUAL.index("# Pump") :]) == visible_text(own)
    sides = [each.get("data-packing") for each in page.attributes("div") if "data-packing" in each]
    assert ["tight", "wide"] == sides[:2]
    assert len([name for name in page.sections if name.startswith("a")]) > len(
        [name for name in page.sections if name.startswith("b")]
    )


def test_rows_begin_where_both_packings_cut() -> None:
    """Otherwise the same text would be far apart in the two columns of a long document."""
    text = "".join(f"# Title {number}\n\n{'Some words here. ' * 30}\n\n" for number in range(4))
    source = Source(text, "")
    ways = [
        packed(source, PackConfig(sections="separate"), "one"),
        packed(source, PackConfig(sections="separate", max_tokens=64, target_tokens=64), "two"),
    ]
    page = Page(render(ways))
    assert 4 == sum(each.get("class") == "pair" for each in page.attributes("div"))

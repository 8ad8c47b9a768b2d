"""The audit of parents and children."""

from typing import Any

import pytest
from audit_records import ONE, SECTIONS, TOP, TWO, broken_laws, judge, piece, records

from treepack.model.chunk import Chunk


def chunks_of_two_levels(**changes: Any) -> list[Chunk]:  # noqa: ANN401 - fields of the last child
    head = SECTIONS.split("## Two", maxsplit=1)[0]
    parents = records(SECTIONS, piece(head, breadcrumb=("Top",)), TWO)
    children = records(SECTIONS, TOP, ONE, TWO)
    ids = ["p0", "p1"]
    whole = [
        parent.model_copy(update={"id": name, "index": index})
        for index, (parent, name) in enumerate(zip(parents, ids, strict=True))
    ]
    below = [
        child.model_copy(
            update={"id": f"c{n}", "index": n + 2, "level": 1, "parent_id": ids[n // 2]}
        )
        for n, child in enumerate(children)
    ]
    below[-1] = below[-1].model_copy(update=changes)
    return [*whole, *below]


def test_each_level_is_judged_separately() -> None:
    report = judge(SECTIONS, chunks_of_two_levels(), levels=(18, 12))
    assert report.ok, report.table()
    assert report.chunks == 5
    assert broken_laws(judge(SECTIONS, chunks_of_two_levels(), levels=(18, 5)))[0] == 3
    assert broken_laws(judge(SECTIONS, chunks_of_two_levels(), levels=(5, 12)))[0] == 3
    assert judge(SECTIONS, chunks_of_two_levels()).ok


def test_chunks_of_each_level_may_be_numbered_separately() -> None:
    chunks = [
        chunk.model_copy(update={"index": chunk.index - 2 * chunk.level})
        for chunk in chunks_of_two_levels()
    ]
    assert judge(SECTIONS, chunks).ok
    assert broken_laws(judge(SECTIONS, [*chunks[:-1], chunks_of_two_levels()[-1]])) != []


@pytest.mark.parametrize(
    ("changes", "law", "message"),
    [
        ({"parent_id": "p0"}, 1, "not inside the body of its parent"),
        ({"parent_id": "c0"}, 4, "no chunk of the level above"),
        ({"parent_id": None}, 4, "no chunk of the level above"),
        ({"id": "c1"}, 4, "another chunk has the same id"),
        ({"id": "p1"}, 4, "another chunk has the same id"),
    ],
)
def test_a_wrong_child_is_found(changes: dict[str, Any], law: int, message: str) -> None:
    report = judge(SECTIONS, chunks_of_two_levels(**changes), levels=(18, 12))
    assert broken_laws(report) == [law]
    assert message in report.findings[0].reason


def test_an_unexpected_level_or_a_missing_child_is_found() -> None:
    assert 4 in broken_laws(judge(SECTIONS, chunks_of_two_levels(), levels=(18,)))
    lost = chunks_of_two_levels()[:-1]
    assert broken_laws(judge(SECTIONS, lost, levels=(18, 12))) == [1]


def test_a_parent_id_on_the_first_level_breaks_law_4() -> None:
    chunks = records(SECTIONS, TOP, ONE, piece(*TWO[0], **TWO[1], parent_id="0"))
    assert broken_laws(judge(SECTIONS, chunks)) == [4]

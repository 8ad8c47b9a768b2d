"""The audit of attached definitions, and of parents and children."""

from typing import Any

import pytest
from audit_records import FILLER, ONE, SECTIONS, TOP, TWO, Part, broken_laws, judge, piece, records

from treepack.laws import AuditReport
from treepack.model.chunk import Chunk

# ---------------------------------------------------------------- definitions


NOTED = "Text with a note[^n] and [a link][ref].\n\nMore.\n\n[^n]: A note.\n\n[ref]: http://a.b\n"


def audit_with_definitions(*parts: Part, **changes: Any) -> AuditReport:  # noqa: ANN401 - fields of the record
    first, rest = NOTED.split("More")
    return judge(NOTED, records(NOTED, piece(first, *parts, **changes), piece(f"More{rest}")))


def definition_part(text: str, *, moved: int = 0) -> Part:
    return "definition", text, NOTED.index(text) + moved


def test_definitions_after_the_body_have_no_findings() -> None:
    glue = ("glue", "\n\n")
    report = audit_with_definitions(
        definition_part("[^n]: A note."), glue, definition_part("[ref]: http://a.b")
    )
    assert report.ok, report.table()


@pytest.mark.parametrize(
    ("part", "law"),
    [
        (("definition", "More.", NOTED.index("More.")), 1),
        (("definition", "[^n]: A note."), 1),
        (("definition", "A note.", NOTED.index("A note.")), 1),
        (("definition", "[^n]: A n0te.", NOTED.index("[^n]: A note.")), 2),
    ],
)
def test_a_wrong_definition_is_found(part: Part, law: int) -> None:
    assert broken_laws(audit_with_definitions(part)) == [law]


def test_a_definition_must_be_used_and_come_after_the_body() -> None:
    first, after = NOTED.split("More")
    source = NOTED.replace("[^n] and", " and")
    shift = len("[^n]")
    one, rest = source.split("More")
    attached = definition_part("[^n]: A note.", moved=-shift)
    report = judge(source, records(source, piece(one, attached), piece(f"More{rest}")))
    assert broken_laws(report) == [1]
    before = piece(definition_part("[^n]: A note."), ("glue", "\n\n"), first)
    assert broken_laws(judge(NOTED, records(NOTED, before, piece(f"More{after}")))) == [1]


@pytest.mark.parametrize(
    ("meaning", "use", "laws"),
    [
        ('"Goods" means wares.', "The Goods are sold.", []),
        ("**Goods**: what is sold.", "Many Goods are sold.", []),
        ('"Good" means right.', "The Goods are sold.", []),  # the plural
        ('"Goods" means wares.', "The goods are sold.", [1]),
        ('"Goods" means wares.', "Goodsheds are sold.", [1]),
        ("Goods are wares.", "The Goods are sold.", [1]),
    ],
)
def test_an_attached_term_must_be_used_in_the_chunk(
    meaning: str, use: str, laws: list[int]
) -> None:
    head = "# Definitions\n\n"
    source = f"{head}{meaning}\n\n{use}\n"
    attached = (("glue", "\n"), ("definition", meaning, len(head)))
    held = piece(f"{use}\n", *attached, breadcrumb=("Definitions",))
    chunks = records(source, piece(f"{head}{meaning}\n\n"), held)
    assert broken_laws(judge(source, chunks)) == laws


def test_cutting_a_body_to_make_room_for_definitions_breaks_law_9() -> None:
    source = FILLER + "One two. Three four[^n].\n\n" + "[^n]: " + "word " * 12 + "\n"
    note = source[source.index("[^n]: ") :].strip()
    chunks = records(
        source,
        piece(FILLER + "One two. "),
        piece("Three four[^n].\n\n", ("definition", note, source.index(note))),
        piece(note),
    )
    assert 9 in broken_laws(judge(source, chunks, max_tokens=26))


# ---------------------------------------------------------------- levels


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

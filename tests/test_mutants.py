"""The audit finds each way to spoil a true chunking, by the law that it breaks and by no other.

`cases/audit/` has the chunkings, as `chunkings.py` explains. A mutant that names no text spoils the
chunks of `guide.txt` as the packer makes them: it changes what its chunks are written as, or their
records. A case says how records are changed by the names of functions here, see `EDITS`.

    python tests/test_mutants.py

prints each mutant with the laws that it breaks and the laws that find it.
"""

import json
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

import pytest
from case_files import CASES, cases_by_name, joined
from chunkings import Fields, Records, changed, chunked, recounted, words, written

from treepack import PackConfig, Source, audit, pack

GUIDE: Final = (CASES / "audit" / "guide.txt").read_text("utf-8")
OF_GUIDE: Final[Fields] = {
    "max_tokens": 80,
    "target_tokens": 80,
    "encoding": "cl100k_base",
    "clauses": False,
}


TRUE: Final = cases_by_name("audit/true.json")
MUTANTS: Final = cases_by_name("audit/mutants.json")


def config_of(settings: Fields) -> PackConfig:
    return PackConfig(**{"encoding": words, "sections": "pack"} | settings)


def found(case: dict[str, Any]) -> list[tuple[int, str]]:
    """Return the law and the reason of each finding; without a cap in the settings, none is known.

    With `packed`, the chunks are those that packing makes under these settings.
    """
    given, label = case.get("settings", {}), case.get("label", "")
    text = GUIDE if "file" in case else joined(case.get("text", ""))
    if not {"file", "text"} & {*case}:
        given, label, text = OF_GUIDE, "pump.md", spoilt_guide(**case)
    config = config_of(given)
    if "packed" in case:
        source, chunks = packed(text, label, json.dumps(case["packed"]))
    else:
        source, chunks = chunked(text, config, label)
    for edit in case.get("edits", ()):
        name = edit if isinstance(edit, str) else next(iter(edit))
        chunks = EDITS[name]([*chunks], config, edit)
    report = audit(source, chunks, config, has_cap=bool({"max_tokens", "levels"} & {*given}))
    return [(each.law, each.reason) for each in report.findings]


@cache
def packed(text: str, label: str, settings: str) -> tuple[Source, Sequence[Any]]:
    chunks = pack(Source(text, label), config_of(json.loads(settings)))
    assert isinstance(chunks.origin, Source)
    return chunks.origin, chunks


@cache
def written_guide() -> str:
    return written(pack(Source(GUIDE, "pump.md"), PackConfig(**OF_GUIDE, sections="pack")))


def spoilt_guide(old: str = "", new: str = "", **more: Any) -> str:  # noqa: ANN401 - of a case
    """Return the chunking of the guide, in which something has another place or another text."""
    where = more.get("in", "")
    pieces = written_guide().split("‖") if where else [written_guide()]
    (at,) = [number for number, piece in enumerate(pieces) if where in piece]
    assert old in pieces[at], old
    pieces[at] = pieces[at].replace(old, new, 1)
    return "‖".join(pieces)


# ------------------------------------------------------------------ how records are changed


def index_of(where: str | int, chunks: Records) -> int:
    """Return the place of a chunk: its index, or that of the first one with some words."""
    if isinstance(where, int):
        return where % len(chunks)
    bodies = ["".join(s.text for s in c.segments if s.role == "body") for c in chunks]
    return next(number for number, body in enumerate(bodies) if where in body)


def change_fields(chunks: Records, config: PackConfig, edit: Fields) -> Records:
    """Change fields of a chunk; a dict says how a value becomes another one."""
    record = chunks[at := index_of(edit["chunk"], chunks)].model_dump()
    values = {name: value_of(record[name], new) for name, new in edit.items() if name != "chunk"}
    is_text = {"text", "embed_text"} & {*values}
    chunks[at] = (
        recounted(chunks[at], config, **values) if is_text else changed(chunks[at], **values)
    )
    return chunks


def value_of(value: Any, change: Any) -> Any:  # noqa: ANN401 - of a record
    match change:
        case {"add": more}:
            return value + more
        case {"replace": [old, new]}:
            assert old in value, old
            return value.replace(old, new)
        case {"first": fields}:
            return [value[0] | fields, *value[1:]]
        case {"each": fields}:
            return [each | fields for each in value]
        case _:
            return change


def order(chunks: Records, _config: PackConfig, edit: Fields) -> Records:
    """Put other chunks in the place of one, and of those after it that are among them."""
    where, *steps = edit["order"]
    at = index_of(where, chunks)
    middle = [changed(chunks[at + step], id=f"{step}{number}") for number, step in enumerate(steps)]
    whole = [*chunks[:at], *middle, *chunks[at + max(steps, default=0) + 1 :]]
    return [changed(chunk, index=number) for number, chunk in enumerate(whole)]


def texts(chunks: Records, _config: PackConfig, edit: Any) -> list[str]:  # noqa: ANN401 - see `EDITS`
    """Return the texts alone, or other ones, as another tool would."""
    return [chunk.text for chunk in chunks] if edit == "texts" else edit["texts"]


def every(chunks: Records, _config: PackConfig, edit: Fields) -> list[str]:
    """Cut a text into texts of one size."""
    text, size = chunks[0].text, edit["every"]
    return [text[at : at + size] for at in range(0, len(text), size)]


EDITS: Final[dict[str, Callable[[Any, PackConfig, Any], Any]]] = {
    "chunk": change_fields,
    "order": order,
    "texts": texts,
    "every": every,
    "paragraphs": lambda chunks, *_: [part for part in chunks[0].text.split("\n\n") if part],
}


# ------------------------------------------------------------------ the claims


@pytest.mark.parametrize("name", TRUE)
def test_true_chunkings_have_no_finding(name: str) -> None:
    assert found(TRUE[name]) == []


@pytest.mark.parametrize("name", MUTANTS)
def test_each_mutant_is_found_by_the_laws_that_it_breaks(name: str) -> None:
    """By these laws, or, where a case has `findings`, by so many of each law."""
    case = MUTANTS[name]
    findings = found(case)
    by = [law for law, _ in findings]
    expected = case.get("findings", case.get("laws"))
    assert expected == (by if "findings" in case else sorted({*by})), findings
    assert any(case.get("reason", "") in each for _, each in findings), findings


def main() -> None:
    """Print the table of mutants as markdown."""
    rows: list[tuple[str, ...]] = [("mutant", "breaks law", "found by law"), ("---", "--:", "--:")]
    for case in MUTANTS.values():
        laws = ({*(case.get("laws") or case["findings"])}, {law for law, _ in found(case)})
        rows.append((case["name"], *(", ".join(map(str, sorted(each))) for each in laws)))
    width = max(len(name) for name, *_ in rows)
    for name, broken, found_by in rows:
        sys.stdout.write(f"| {name:{width}} | {broken:>10} | {found_by:>12} |\n")


if __name__ == "__main__":
    main()

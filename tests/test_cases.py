"""Small inputs with right values, from `cases/`: see the README there."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import by_eye
import pytest
from case_files import CASES, joined
from title_texts import outline

from treepack import Chunk, Document, PackConfig, Source, audit, pack, parse, read
from treepack.clauses.walk import find_clauses
from treepack.model.section import Section

OF_PARSING: Final = ("outline", "markup", "heading_patterns", "page_pattern")


def cases() -> Iterator[Any]:
    for file in sorted(CASES.glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8")):
            yield pytest.param(case, id=f"{file.stem}-{case['name']}")


@pytest.mark.parametrize("case", [*cases()])
def test_a_case_has_its_right_values(case: dict[str, Any]) -> None:
    checked = _Case(source_of(case), case.get("settings", {}))
    for name, expected in case["expect"].items():
        getattr(checked, name)(expected)


def source_of(case: dict[str, Any]) -> Source:
    if "file" in case:
        return read(CASES / case["file"])
    text = case["text"]
    return Source(joined(text), case.get("label", "d.md"))


class _Case:
    """A source with its document and chunks; each method checks one kind of expectation.

    The README there says what each of them expects.
    """

    def __init__(self, source: Source, settings: dict[str, Any]) -> None:
        self.source = source
        self.settings = settings
        parsed = {name: value for name, value in settings.items() if name in OF_PARSING}
        self.document: Document = parse(source, **parsed)
        given = settings | (
            {"encoding": by_eye.words} if settings.get("encoding") == "words" else {}
        )
        self.chunks = pack(source, PackConfig.model_validate(given))
        self.titles = [*titles_below(self.document.root, None)]

    def audit(self, expected: bool) -> None:  # noqa: FBT001 - a value of the data
        report = audit(self.source, self.chunks)
        assert report.ok is expected, report.findings

    def parents(self, expected: dict[str, str | None]) -> None:
        for title, parent in expected.items():
            above = [
                letters(up or "") for name, up in self.titles if letters(name) == letters(title)
            ]
            assert letters(parent or "") in above, (title, above)

    def outline(self, expected: list[list[object]]) -> None:
        assert [list(each) for each in outline(self.document)] == expected

    def changes(self, expected: list[str]) -> None:
        assert [change.reason for change in self.document.outline_changes] == expected

    def fields(self, expected: list[dict[str, Any]]) -> None:
        for chunk, named in zip(self.chunks, expected, strict=True):
            found = {name: getattr(chunk, name) for name in named}
            assert {n: [*v] if isinstance(v, tuple) else v for n, v in found.items()} == named

    def headings(self, expected: int) -> None:
        assert len(self.titles) == expected, self.titles

    def no_heading(self, expected: list[str]) -> None:
        for word in expected:
            assert not [name for name, _ in self.titles if word.casefold() in name.casefold()]

    def clauses(self, expected: list[tuple[str, str | None]]) -> None:
        for phrase, number in expected:
            at = self.source.text.index(phrase)
            around = [c for c in find_clauses(self.document) if c.start <= at < c.end]
            found = max(around, key=lambda clause: clause.start).number if around else None
            assert (found or "").replace(" ", "") == (number or "").replace(" ", ""), phrase

    def no_clause(self, expected: list[str]) -> None:
        begun = [self.source.text[c.start : c.start + 40] for c in find_clauses(self.document)]
        assert not [text for text in begun for word in expected if word in flat(text)]

    def pieces(self, expected: list[tuple[str, list[str]]]) -> None:
        for marker, words in expected:
            having = [chunk for chunk in self.chunks if marker in chunk.text]
            assert having, marker
            assert not [w for c in having for w in words if flat(w) not in flat(c.text)], marker

    def together(self, expected: list[tuple[str, str]]) -> None:
        for pair in expected:
            assert any(all(flat(p) in flat(c.text) for p in pair) for c in self.chunks), pair

    def once(self, expected: list[str]) -> None:
        assert [flat(self.source.text).count(phrase) for phrase in expected] == [1] * len(expected)

    def absent(self, expected: list[str]) -> None:
        assert not [phrase for phrase in expected if phrase in flat(self.source.text)]

    def order(self, expected: list[str]) -> None:
        at = -1
        for phrase in expected:
            at = flat(self.source.text).index(phrase, at + 1)

    def path(self, expected: dict[str, list[str]]) -> None:
        for phrase, titles in expected.items():
            chunk = self._chunk_of(phrase)
            above = letters(" ".join(chunk.breadcrumb) + chunk.text.split(phrase)[0])
            assert not [title for title in titles if letters(title) not in above], phrase

    def not_path(self, expected: dict[str, list[str]]) -> None:
        for phrase, titles in expected.items():
            above = letters(" ".join(self._chunk_of(phrase).breadcrumb))
            assert not [title for title in titles if letters(title) in above], phrase

    def _chunk_of(self, phrase: str) -> Chunk:
        return next(chunk for chunk in self.chunks if flat(phrase) in flat(chunk.text))


def titles_below(section: Section, above: str | None) -> Iterator[tuple[str, str | None]]:
    """Yield the title of each heading, and that of the heading above it."""
    if section.heading is not None:
        yield section.heading.text, above
        above = section.heading.text
    for child in section.sections:
        yield from titles_below(child, above)


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def flat(text: str) -> str:
    return " ".join(text.split())

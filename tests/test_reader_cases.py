"""Inputs of readers and the text that is read from them: `cases/readers/*.json`.

Each file is `{claim: [[input, expected], ...]}`. Inputs are HTML, element lists and documents of
Docling; texts, with the page of each letter, page furniture, headings or chunks; and Word
documents: the body, or an object of body, numbering, styles and parts. In their XML, names without
a prefix are Word's, and «words» are a run. `{"error": ...}` is the pattern of an error's message,
and `{"text": ..., "warning": ...}` has that of a warning.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from docx_files import DEFAULT_STYLES, docx

from treepack import PackConfig, Source, SourceError, audit, pack, parse
from treepack.errors import LeftOutWarning
from treepack.readers.docling import read_docling
from treepack.readers.docx.reader import read_docx
from treepack.readers.elements import read_elements
from treepack.readers.html.reader import read_html

CASES: Final = Path(__file__).with_name("cases") / "readers"


def word_xml(xml: str) -> str:
    """Return XML with the prefixes and runs that a case leaves out."""

    def with_prefixes(tag: re.Match[str]) -> str:
        attributes = re.sub(r" (\w+)=", r" w:\1=", tag[3])
        return f"<{tag[1]}w:{tag[2]}{attributes}>"

    xml = re.sub(r"<(/?)([A-Za-z]\w*)((?:\s[^<>]*)?/?)>", with_prefixes, xml)
    return re.sub("«([^»]*)»", r'<w:r><w:t xml:space="preserve">\1</w:t></w:r>', xml)


def text_of_word(case: str | dict[str, Any]) -> str:
    given: dict[str, Any] = {"body": case} if isinstance(case, str) else case
    parts = {kind: word_xml(xml) for kind, xml in given.get("parts", {}).items()}
    body, numbering, styles = (
        word_xml(given.get(name, "")) for name in ("body", "numbering", "styles")
    )
    data = docx(body, numbering=numbering, styles=DEFAULT_STYLES + styles, parts=parts)
    return read_docx(data, "a.docx").text


def page_of_each_letter(given: str | dict[str, str]) -> dict[str, int]:
    """Return the page of each of the letters A to D; nothing if the text has no pages."""
    text, pattern = (given, None) if isinstance(given, str) else (given["text"], given["pattern"])
    marks = parse(text, page_pattern=pattern, outline="trust").source.page_marks
    assert list(marks) == sorted(marks)
    return {
        character: next((page for offset, page in reversed(marks) if offset <= at), 0)
        for at, character in enumerate(text)
        if character in "ABCD" and marks
    }


def as_bytes(given: Any) -> Any:  # noqa: ANN401 - JSON, or a text that should be JSON
    return given.encode() if isinstance(given, str) else given


def headings_of(given: str | list[str]) -> list[list[object]]:
    """Return level and text of the headings of a plain text or of pages."""
    text = given if isinstance(given, str) else ""
    source = Source(text, "d.txt") if text else Source.from_pages([*given], name="d.txt")
    found = [section.heading for section in parse(source).root.walk()]
    return [[heading.level, heading.text] for heading in found if heading]


def furniture_of(given: str | list[str]) -> list[str]:
    """Return what is skipped as page furniture in a text or in pages."""
    source = Source(given) if isinstance(given, str) else Source.from_pages(given, name="d.txt")
    document = parse(source)
    assert not audit(source, pack(source)).findings
    skipped = [entry for entry in document.skipped if entry[2] == "page furniture"]
    return [source.text[start:end].strip() for start, end, _ in skipped]


def packed(text: str) -> list[dict[str, Any]]:
    """Return what is known of the chunks of a text."""
    source, config = Source(text, "d.md"), PackConfig(sections="pack")
    chunks = pack(source, config)
    assert not audit(source, chunks, config).findings
    records: list[dict[str, Any]] = []
    for chunk in chunks:
        skipped = [[text[slice(*entry.span)], entry.reason] for entry in chunk.skipped]
        names = {"text", "kinds", "breadcrumb", "lines", "pages", "sections"}
        record = json.loads(chunk.model_dump_json(include=names))
        record |= {"breadcrumb": record["breadcrumb"][1:], "skipped": skipped}
        records.append({name: value for name, value in record.items() if value})
    return records


READERS: Final[dict[str, Callable[[Any], object]]] = {
    "docling": lambda given: read_docling(as_bytes(given), "a").text,
    "docx": text_of_word,
    "elements": lambda given: read_elements(as_bytes(given), "a").text,
    "furniture": furniture_of,
    "headings": headings_of,
    "html": lambda page: read_html(page).text,
    "packed": packed,
    "pages": page_of_each_letter,
}


def cases() -> Iterator[Any]:
    for file in sorted(CASES.glob("*.json")):
        for claim, pairs in json.loads(file.read_text("utf-8")).items():
            for number, (given, text) in enumerate(pairs):
                yield pytest.param(file.stem, given, text, id=f"{file.stem}-{claim}-{number}")


@pytest.mark.parametrize(("kind", "given", "expected"), [*cases()])
def test_an_input_is_read_as_its_case_says(kind: str, given: object, expected: Any) -> None:  # noqa: ANN401 - what each reader gives
    outcome: dict[str, str] = expected if isinstance(expected, dict) else {}
    if "error" in outcome:
        with pytest.raises(SourceError, match=f"^a: cannot read as .*{outcome['error']}"):
            READERS[kind](given)
    elif "warning" in outcome:
        with pytest.warns(LeftOutWarning, match=outcome["warning"]):
            assert READERS[kind](given) == outcome["text"]
    else:
        assert READERS[kind](given) == expected

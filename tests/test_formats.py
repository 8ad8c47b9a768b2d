"""A format is known by name or first bytes; the error for an unread format names a converter."""

import io
import zipfile
from pathlib import Path

import pytest

from treepack import SourceError, read


def test_json_of_another_schema_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"name": "no document"}', encoding="utf-8")
    with pytest.raises(SourceError, match="neither a DoclingDocument nor a list of elements"):
        read(path)


@pytest.mark.parametrize("inside", ["xl/workbook.xml", "ppt/presentation.xml"])
def test_spreadsheets_and_presentations_are_rejected(inside: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(inside, "x")
    with pytest.raises(SourceError, match="the input"):
        read(packed.getvalue())


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b'{"schema_name": "DoclingDocument", "version": "1.0.0", "body": {"children": []}}', ""),
        (b'[{"type": "NarrativeText", "element_id": "1", "text": "A."}]', "A.\n"),
    ],
)
def test_json_formats_are_recognised_by_their_content(
    data: bytes, text: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(data)
    assert text == read(path).text == read(data).text

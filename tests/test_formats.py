"""A format is known by name or first bytes; the error for an unread format names a converter."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from treepack import Source, SourceError, read
from treepack.readers import formats, register


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


class Letters:
    """A format of one's own: letters, each a paragraph."""

    suffixes = (".abc",)

    def recognises(self, data: bytes) -> bool:
        """As in `Reader`."""
        return data.startswith(b"abc:")

    def read(self, data: bytes, label: str) -> Source:
        """As in `Reader`."""
        return Source("\n\n".join(data.removeprefix(b"abc:").decode()), label)


def test_a_format_can_be_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "READERS", {**formats.READERS})
    path = tmp_path / "a.abc"
    path.write_bytes(b"abc:xy")
    with pytest.raises(SourceError, match="no format 'letters'; the formats are text, html, docx"):
        read(path, "letters")
    register("letters", Letters())
    assert read(path).text == read(b"abc:xy").text == read(b"xy", "letters").text == "x\n\ny"
    assert read(path).name == "a.abc"
    assert ".abc" in formats.suffixes()
    page = b"<html><p>x"
    monkeypatch.setattr(Letters, "recognises", lambda _, data: data == page)
    assert read(page).text == "\n\n".join(page.decode()), "it is asked before the others"


def test_a_package_can_add_a_format(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(formats, "READERS", {**formats.READERS})
    point = EntryPoint("letters", f"{__name__}:Letters", "treepack.readers")
    monkeypatch.setattr(formats, "entry_points", lambda group: [point] * (group == point.group))
    formats.register_entry_points.cache_clear()
    path = tmp_path / "a.abc"
    path.write_bytes(b"xy")
    assert read(path).text == "x\n\ny"
    formats.register_entry_points.cache_clear()

"""What notebooks show of chunks and documents, and what pandas gets."""

import importlib
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from pages import Fragment
from strategies import any_text, configs, generated

import treepack
from treepack import Chunk, MissingExtraError, PackConfig
from treepack.display import escaped, harmless, one_line

LONG = "".join(f"# Title {number}\n\nWords of section {number}.\n\n" for number in range(60))
TIGHT = PackConfig(max_tokens=32, target_tokens=32, min_tokens=0, sections="separate")


def shown(value: Any) -> str:  # noqa: ANN401 - chunks or a document
    html = value._repr_html_()
    assert isinstance(html, str)
    return html


def test_chunks_are_a_short_table() -> None:
    chunks = treepack.pack(LONG, TIGHT, name="long.md")
    page = Fragment(shown(chunks))
    assert 60 == len(chunks)
    assert 20 + 2 == len(page.attributes("tr"))
    for words in ("60 chunks", "long.md › Title 0", "Words of section 19", "… and 40 more"):
        assert words in page.text
    assert "Words of section 20" not in page.text


def test_a_document_is_its_outline() -> None:
    page = Fragment(shown(treepack.parse("# A\n\n## B\n\nText.\n", name="x.md")))
    assert "x.md: 8 tokens" in page.text
    assert "· B" in page.text
    assert "1–5" in page.text
    assert "… and 40 more" in shown(treepack.parse(LONG))


def test_plain_text_is_a_line() -> None:
    """The ``repr`` of a plain dataclass would print the whole document several times."""
    assert "<Document 'long.md': 60 sections, 660 tokens>" == repr(
        treepack.parse(LONG, name="long.md")
    )
    assert "<60 chunks, 660 tokens>" == repr(treepack.pack(LONG, TIGHT, name="long.md"))


def test_long_text_is_cut() -> None:
    text = f"# {'long title ' * 300}\n\n{'word ' * 300}\n"
    for value in (treepack.pack(text), treepack.parse(text)):
        assert len(shown(value)) < 2000


@pytest.mark.parametrize("evil", ["<script>alert(1)</script>", '"><img src=x>', "\u202ex\x1b[0m"])
def test_markup_stays_text(evil: str) -> None:
    text = f"# {evil}\n\n{evil}\n"
    for value in (treepack.pack(text, name=evil), treepack.parse(text, name=evil)):
        html = shown(value)
        Fragment(html)
        assert not {"\x1b", "\u202e"} & set(html)


@settings(generated, max_examples=50)
@given(any_text, configs())
def test_any_document_can_be_shown(text: str, config: PackConfig) -> None:
    for value in (treepack.pack(text, config), treepack.parse(text)):
        Fragment(shown(value))
        shown(value).encode("utf-8")


def test_only_what_html_cannot_hold_is_replaced() -> None:
    assert "a\tb\r\nc␀␛�" == harmless("a\tb\r\nc\x00\x1b\ud800")
    assert "&lt;&amp;&quot;&#x27;" == escaped("<&\"'")
    assert "a b" == one_line(" a\n\tb ")
    assert "aaaa…" == one_line("a" * 9, 5)


# --- pandas ---


def test_pandas_gets_a_row_for_each_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in replaces pandas, so that this is tested where pandas is not installed."""
    fake: Any = SimpleNamespace(DataFrame=lambda rows, columns: (rows, columns))
    monkeypatch.setitem(sys.modules, "pandas", fake)
    chunks = treepack.pack(LONG, TIGHT)
    rows, columns = chunks.to_pandas()
    assert [chunk.model_dump() for chunk in chunks] == rows
    assert list(Chunk.model_fields) == columns


def test_a_real_data_frame_has_the_fields_as_columns() -> None:
    pytest.importorskip("pandas")
    chunks = treepack.pack(LONG, TIGHT)
    frame = chunks.to_pandas()
    assert (60, len(Chunk.model_fields)) == frame.shape
    assert [chunk.id for chunk in chunks] == list(frame["id"])
    assert sum(chunk.token_count for chunk in chunks) == frame["token_count"].sum()
    assert list(Chunk.model_fields) == list(treepack.pack("").to_pandas().columns)


def test_without_pandas_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match="pip install pandas"):
        treepack.pack(LONG).to_pandas()


def test_a_broken_pandas_does_not_pass_for_a_missing_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: str) -> object:
        msg = "no numpy"
        raise ModuleNotFoundError(msg, name="numpy")

    monkeypatch.setattr(importlib, "import_module", broken)
    with pytest.raises(ModuleNotFoundError, match="no numpy"):
        treepack.pack(LONG).to_pandas()

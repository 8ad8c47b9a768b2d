"""What notebooks show of chunks and documents, and what pandas gets."""

from typing import Any

import pytest
from hypothesis import given, settings
from pages import Fragment
from strategies import any_text, configs, generated

import treepack
from treepack import PackConfig
from treepack.display import escaped, harmless, one_line

LONG = "".join(f"# Title {number}\n\nWords of section {number}.\n\n" for number in range(60))
TIGHT = PackConfig(max_tokens=32, target_tokens=32, min_tokens=0, sections="separate")


def html_of(value: Any) -> str:  # noqa: ANN401 - chunks or a document
    html = value._repr_html_()
    assert isinstance(html, str)
    return html


def test_chunks_are_shown_as_a_short_table() -> None:
    chunks = treepack.pack(LONG, TIGHT, name="long.md")
    page = Fragment(html_of(chunks))
    assert 60 == len(chunks)
    assert 20 + 2 == len(page.attributes("tr"))
    for words in ("60 chunks", "long.md › Title 0", "Words of section 19", "… and 40 more"):
        assert words in page.text
    assert "Words of section 20" not in page.text


def test_the_repr_of_chunks_and_documents_is_one_line() -> None:
    """The ``repr`` of a plain dataclass would print the whole document several times."""
    assert "<Document 'long.md': 60 sections, 660 tokens>" == repr(
        treepack.parse(LONG, name="long.md")
    )
    assert "<60 chunks, 660 tokens>" == repr(treepack.pack(LONG, TIGHT, name="long.md"))
    assert "<1 chunk, 1 token>" == repr(treepack.pack("A"))


@pytest.mark.parametrize(
    "hostile", ["<script>alert(1)</script>", '"><img src=x>', "\u202ex\x1b[0m"]
)
def test_hostile_markup_is_escaped(hostile: str) -> None:
    text = f"# {hostile}\n\n{hostile}\n"
    html = html_of(treepack.pack(text, name=hostile))
    Fragment(html)
    assert not {"\x1b", "\u202e"} & set(html)


@settings(generated, max_examples=50)
@given(any_text, configs())
def test_any_document_can_be_shown(text: str, config: PackConfig) -> None:
    html = html_of(treepack.pack(text, config))
    Fragment(html)
    html.encode("utf-8")


def test_only_characters_that_html_cannot_contain_are_replaced() -> None:
    assert "a\tb\r\nc␀␛�" == harmless("a\tb\r\nc\x00\x1b\ud800")
    assert "&lt;&amp;&quot;&#x27;" == escaped("<&\"'")
    assert "a b" == one_line(" a\n\tb ")
    assert "aaaa…" == one_line("a" * 9, 5)

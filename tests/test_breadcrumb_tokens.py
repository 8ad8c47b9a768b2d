"""``breadcrumb_tokens`` limits the breadcrumb before a text, in the core and in the frameworks."""

from typing import Any

import pytest
from by_eye import packed, some, words
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.documents import Document as LangDocument
from llama_index.core import Document as LlamaDocument
from llama_index.core.schema import MetadataMode, TextNode
from strategies import any_text, configs

from treepack import PackConfig, Source, TreepackNodeParser, TreepackTextSplitter, audit, pack
from treepack.laws import audit_packed
from treepack.tokens import token_counter

DEEP = f"# A a\n\n## B b b\n\n### C c c c\n\n{some(60)}\n"
count = token_counter("cl100k_base")


def breadcrumb_line(chunk: Any) -> str:  # noqa: ANN401 - a chunk
    """Return what comes before the text, without the blank line."""
    head: str = chunk.embed_text[: len(chunk.embed_text) - len(chunk.text)]
    assert not head or head.endswith("\n\n")
    return head.removesuffix("\n\n")


@pytest.mark.parametrize(
    ("most", "shown"),
    [
        (13, "d.md > A a > B b b > C c c c"),  # the separators count as words too
        (12, "A a > B b b > C c c c"),
        (10, "B b b > C c c c"),
        (7, "C c c c"),
        (3, "C c c…"),
        (1, "C…"),
        (0, ""),
    ],
)
def test_outermost_entries_are_removed_first_and_then_the_end_of_the_last(
    most: int, shown: str
) -> None:
    last = packed(DEEP, 40, breadcrumb_tokens=most, name="d.md")[-1]
    assert breadcrumb_line(last) == shown
    assert last.breadcrumb == ("d.md", "A a", "B b b", "C c c c"), "the record keeps all of it"


def test_a_shorter_breadcrumb_leaves_more_room_for_the_text() -> None:
    """The three headings with their separators are 11 words, the last one alone 4."""
    text = DEEP + some(60, "v")
    whole, last = packed(text, 30), packed(text, 30, breadcrumb_tokens=4)
    rooms = [max(words(chunk.text) for chunk in chunks[1:]) for chunks in (whole, last)]
    assert rooms == [30 - 11, 30 - 4]


def test_a_limit_that_is_not_reached_changes_nothing() -> None:
    assert packed(DEEP, 40, breadcrumb_tokens=99) == packed(DEEP, 40)


def test_a_negative_limit_is_rejected() -> None:
    with pytest.raises(ValueError, match="breadcrumb_tokens"):
        PackConfig(breadcrumb_tokens=-1)


@settings(max_examples=60)
@given(text=any_text, config=configs(), most=st.sampled_from((0, 1, 4, 9, 20)))
def test_no_breadcrumb_line_exceeds_its_limit_and_the_laws_hold(
    text: str, config: PackConfig, most: int
) -> None:
    config = config.model_copy(update={"breadcrumb_tokens": most})
    chunks = pack(Source(text, "d.md"), config)
    counted = token_counter(config.encoding)
    assert all(counted(breadcrumb_line(chunk)) <= most for chunk in chunks)
    assert audit_packed(text, chunks, config, name="d.md").findings == ()


def test_the_audit_finds_lines_too_long_or_cut_unnecessarily() -> None:
    text = f"# One two three\n\n## Four five six\n\n{some(200)}\n"
    whole = list(pack(Source(text, "d.md"), PackConfig(max_tokens=64)))
    limit: dict[str, Any] = {"max_tokens": 64, "breadcrumb_tokens": 6}
    found = audit(text, whole, name="d.md", **limit).findings
    assert {finding.law for finding in found} == {3}
    assert "10 tokens, but may have 6" in str(found[0])
    short = list(pack(Source(text, "d.md"), PackConfig(**limit)))
    assert audit(text, short, name="d.md", **limit).ok
    found = audit(text, short, name="d.md", max_tokens=64).findings
    assert {finding.law for finding in found} == {3}
    assert "is shortened to" in str(found[0])


# -------------------------------------------------------------------- frameworks

LONG = f"# The first heading of all\n\n## The second\n\n{'Words of this text. ' * 60}"


def test_langchain_limits_the_breadcrumb_line_but_not_the_metadata() -> None:
    splitter = TreepackTextSplitter(80, embed_breadcrumb=True, breadcrumb_tokens=4)
    last = splitter.split_documents([LangDocument(LONG)])[-1]
    assert last.page_content.startswith("The second\n\n")
    assert last.metadata["breadcrumb"] == "The first heading of all > The second"


def test_llama_index_limits_the_embedded_breadcrumb_but_keeps_each_heading() -> None:
    parser = TreepackNodeParser(chunk_size=80, breadcrumb_tokens=4)
    node = parser([LlamaDocument(text=LONG)])[-1]
    assert isinstance(node, TextNode)
    embedded = node.get_content(metadata_mode=MetadataMode.EMBED)
    assert "breadcrumb: The second\n" in embedded
    assert "first heading" not in embedded
    assert node.metadata["heading_1"] == "The first heading of all"
    full = TreepackNodeParser(chunk_size=80)([LlamaDocument(text=LONG)])[-1]
    assert "first heading" in full.get_content(metadata_mode=MetadataMode.EMBED)


def test_a_breadcrumb_with_a_repeated_heading_in_the_text_passes_the_audit() -> None:
    """The audit once accepted the line without that heading, which is not a run of entries."""
    title = "###### صمام مضخة ضغط حرارة"
    points = "  1.1 خزان,\n\n  1.2 أنبوب *emph* سعة تيار جهد غطاء قفاز.\n"
    source = Source(f"{title}\n- <!-- --> ماء?\n{points}- `a|b` أرض\n", "a.md")
    for cap in range(40, 100):
        chunks = pack(source, max_tokens=cap, target_tokens=cap, repeat_heading=True)
        assert chunks.audit().findings == (), cap

"""What LlamaIndex's own tests ask of its node parsers, asked of ours.

Each section names the file of LlamaIndex's repository whose scenarios it takes up; nothing is
copied. Where ours differs on purpose, the test says so.
"""

import asyncio
import io
import pydoc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from llama_index.core import MockEmbedding
from llama_index.core.ingestion import IngestionCache, IngestionPipeline
from llama_index.core.ingestion.pipeline import DocstoreStrategy
from llama_index.core.node_parser import (
    HierarchicalNodeParser,
    MarkdownNodeParser,
    NodeParser,
    get_child_nodes,
    get_deeper_nodes,
    get_leaf_nodes,
    get_root_nodes,
)
from llama_index.core.schema import (
    BaseNode,
    Document,
    MetadataMode,
    TextNode,
    TransformComponent,
)
from llama_index.core.storage.docstore import SimpleDocumentStore

from treepack import TreepackNodeParser, token_counter

count = token_counter("cl100k_base")
PROSE = "The pump stands on a level floor. Its valve opens at 18 bar. Check both once a year. " * 12
CHINESE = "水泵应安装在平整的地面上。安全阀在十八巴时打开。每年检查一次。" * 12


def parser(size: int = 64, **more: Any) -> TreepackNodeParser:  # noqa: ANN401 - settings
    return TreepackNodeParser(chunk_size=size, **more)


def each_section(**more: Any) -> TreepackNodeParser:  # noqa: ANN401 - settings
    """One node for each heading, as `MarkdownNodeParser` gives."""
    return parser(512, sections="separate", min_size=0, **more)


def document(text: str, key: str = "d", **more: Any) -> Document:  # noqa: ANN401 - of the framework
    return Document(text=text, id_=key, **more)


def breadcrumbs(nodes: Sequence[BaseNode]) -> list[str | None]:
    return [node.metadata.get("breadcrumb") for node in nodes]


def check_positions(nodes: Sequence[BaseNode], text: str) -> None:
    """Inside the text, equal to it, in order, none twice."""
    last = -1
    for node in nodes:
        assert isinstance(node, TextNode)
        assert node.start_char_idx is not None
        assert node.end_char_idx is not None
        assert last < node.start_char_idx < node.end_char_idx <= len(text)
        assert text[node.start_char_idx : node.end_char_idx] == node.text
        last = node.start_char_idx


# ------------------------------------------ node_parser/test_duplicate_text_positions.py

TWICE = (
    "# A\n\nSame words.\n\n## Part\n\nSame words.\n\n# B\n\nSame words.\n\n## Part\n\nSame words.\n"
)
INSIDE = "# X\n\nIt says: same words here. " + "word " * 90 + "\n\nsame words\n\n" + "zeta " * 90


@pytest.mark.parametrize("text", [TWICE, PROSE, INSIDE, TWICE.replace("\n", "\r\n")])
def test_repeated_headings_and_sentences_have_positions_of_their_own(text: str) -> None:
    for some in (each_section(), parser(48), parser(32, chunk_overlap=8)):
        check_positions(some([document(text)]), text)


def test_positions_are_counted_in_each_of_several_documents() -> None:
    sources = [document(text, key) for key, text in (("a", TWICE), ("b", PROSE), ("c", TWICE))]
    nodes = each_section()(sources)
    for source in sources:
        own = [node for node in nodes if node.ref_doc_id == source.id_]
        assert own
        check_positions(own, source.text)


# ------------------------------------------ node_parser/test_node_parser.py


@pytest.mark.parametrize("has_metadata", [True, False])
def test_nodes_leave_the_parser_with_their_documents_metadata(has_metadata: bool) -> None:  # noqa: FBT001 - a parameter
    """The step after parsing has nothing left to do, and changes nothing."""
    source = document(PROSE, metadata={"title": "Pumps", "year": 2024})
    some = parser(include_metadata=has_metadata)
    nodes = some.get_nodes_from_documents([source])
    wanted = source.metadata if has_metadata else {}
    assert [node.metadata for node in nodes] == [wanted] * len(nodes)
    assert len({id(node.metadata) for node in nodes}) == len(nodes)
    before = [node.to_dict() for node in nodes]
    again = some._postprocess_parsed_nodes(nodes, {source.id_: source})  # noqa: SLF001 - LlamaIndex's own step
    assert [node.to_dict() for node in again] == before


def test_nodes_know_their_document_and_their_place_in_it() -> None:
    source = document(PROSE)
    nodes = parser().get_nodes_from_documents([source])
    assert [node.source_node for node in nodes] == [source.as_related_node_info()] * len(nodes)
    check_positions(nodes, PROSE)


# ------------------------------------------ node_parser/test_file_parser_ids.py


@pytest.mark.parametrize("has_metadata", [True, False])
def test_ids_of_sections_keep_all_nodes_in_a_docstore(has_metadata: bool) -> None:  # noqa: FBT001 - a parameter
    for more in ({}, {"id_func": numbered}):
        nodes = each_section(include_metadata=has_metadata, **more)([document(TWICE)])
        store = SimpleDocumentStore()
        store.add_documents(nodes)
        assert len(store.docs) == len(nodes) == 4


def numbered(number: int, source: BaseNode) -> str:
    return f"{source.id_}_{number}"


# ------------------------------------------ node_parser/test_markdown.py
# `header_path` leaves a section's own heading out; our breadcrumb holds it.


def test_each_heading_begins_a_node() -> None:
    nodes = each_section()([document("# Pump\n\nText of it\n\n# Valve\nText of that\n    ")])
    assert [node.get_content() for node in nodes] == [
        "# Pump\n\nText of it",
        "# Valve\nText of that",
    ]
    assert breadcrumbs(nodes) == ["Pump", "Valve"]


def test_a_slash_in_a_heading_is_not_a_step_of_the_path() -> None:
    text = "# Pump\n\nx\n\n## Ask\ny\n\n### 24/7 Help\nz\n\n#### Letters\nw\n"
    nodes = each_section(breadcrumb_separator="\u203a")([document(text)])
    assert breadcrumbs(nodes) == [
        "Pump",
        "Pump\u203aAsk",
        "Pump\u203aAsk\u203a24/7 Help",
        "Pump\u203aAsk\u203a24/7 Help\u203aLetters",
    ]
    assert nodes[-1].metadata["breadcrumb_json"] == '["Pump", "Ask", "24/7 Help", "Letters"]'


def test_signs_in_indented_code_are_no_headings() -> None:
    """By CommonMark: an indented fence of a list item, one that is closed with other blanks.

    LlamaIndex loses count at a fence that is indented by one blank, and finds a heading in it.
    """
    text = (
        "Before.\n# One\n## Two\n### Three\n* item\n\n    ```txt\n    # code of the item\n    ```\n"
        "* item\n\n```txt\n    # code\n ```\n### Four\n ```txt\n# code too\n```\n\n## Five\nLast.\n"
    )
    nodes = each_section()([document(text)])
    assert breadcrumbs(nodes) == [
        None,
        "One > Two > Three",
        "One > Two > Four",
        "One > Five",
    ]
    assert nodes[1].get_content().startswith("# One\n## Two\n### Three\n* item")
    assert nodes[1].get_content().endswith("# code\n ```")
    check_positions(nodes, text)


def test_signs_that_begin_no_heading() -> None:
    text = "# One\n\n#Nothing\nNor # this\n    # nor that\n    "
    [node] = each_section()([document(text)])
    assert node.metadata["breadcrumb"] == "One"
    assert node.get_content() == text.rstrip()


def test_text_before_the_first_heading_is_a_node() -> None:
    """A heading without text of its own stands with what follows, or with what is before it."""
    nodes = each_section()([document("\nBefore.\n\n# One\nText.\n## Two\nMore.\n    ")])
    assert breadcrumbs(nodes) == [None, "One", "One > Two"]


def test_the_path_goes_down_and_up_with_the_levels() -> None:
    nodes = each_section()([document("# A\nx\n## B\nx\n### C\nx\n# D\nx\n")])
    assert breadcrumbs(nodes) == ["A", "A > B", "A > B > C", "D"]


def test_a_level_that_is_left_out_makes_no_sibling_a_child() -> None:
    nodes = each_section()([document("# A\nx\n### B\nx\n### C\nx\n")])
    assert breadcrumbs(nodes) == ["A", "A > B", "A > C"]


# ------------------------------------------ node_parser/test_hierarchical.py


@pytest.fixture(params=["three parsers", "levels"])
def family(request: pytest.FixtureRequest) -> list[BaseNode]:
    """Nodes of three levels: of LlamaIndex's hierarchy of ours, and of our own."""
    source = document("# Pump\n\n" + PROSE)
    if request.param == "levels":
        return parser(48, levels=(512, 128, 48)).get_nodes_from_documents([source])
    parsers: dict[str, NodeParser] = {f"s{size}": parser(size) for size in (512, 128, 48)}
    some = HierarchicalNodeParser.from_defaults(
        node_parser_ids=list(parsers), node_parser_map=parsers
    )
    return some.get_nodes_from_documents([source])


def test_one_root_holds_all(family: list[BaseNode]) -> None:
    [root] = get_root_nodes(family)
    assert root.get_content() == ("# Pump\n\n" + PROSE).rstrip()


def test_leaves_have_no_roots_among_them(family: list[BaseNode]) -> None:
    assert get_root_nodes(get_leaf_nodes(family)) == []


def test_leaves_are_the_finest(family: list[BaseNode]) -> None:
    leaves = get_leaf_nodes(family)
    assert len(leaves) > len(family) // 2
    assert all(count(leaf.get_content(MetadataMode.EMBED)) <= 48 for leaf in leaves)
    assert " ".join(leaf.get_content() for leaf in leaves).split() == f"# Pump {PROSE}".split()


def test_children_are_between_root_and_leaves(family: list[BaseNode]) -> None:
    children = get_child_nodes(get_root_nodes(family), all_nodes=family)
    assert 1 < len(children) == len(family) - 1 - len(get_leaf_nodes(family))


def test_deeper_nodes_are_those_of_each_level(family: list[BaseNode]) -> None:
    roots = get_root_nodes(family)
    children = get_child_nodes(roots, family)
    assert get_deeper_nodes(family, depth=0) == roots
    assert get_deeper_nodes(family, depth=1) == children
    assert get_deeper_nodes(family, depth=2) == get_child_nodes(children, family)
    assert get_deeper_nodes(family, depth=2) == get_leaf_nodes(family)


def test_without_roots_there_is_nothing_deeper(family: list[BaseNode]) -> None:
    with pytest.raises(ValueError, match="There is no"):
        get_deeper_nodes(get_leaf_nodes(family))


def test_a_depth_below_zero_is_refused(family: list[BaseNode]) -> None:
    with pytest.raises(ValueError, match="Depth cannot be"):
        get_deeper_nodes(family, -1)


# ------------------------------------------ node_parser/test_metadataaware_init_doc.py


def test_help_tells_what_can_be_set() -> None:
    said = io.StringIO()
    pydoc.Helper(output=said)(TreepackNodeParser)
    told = said.getvalue()
    assert "Packs documents into nodes along their heading tree" in told
    own = ("chunk_size", "target_size", "levels", "preset", "stable_ids", "input_format")
    assert [name for name in own if f"{name}: " not in told] == []


# ------------------------------------------ text_splitter/test_{sentence,token}_splitter.py


@pytest.mark.parametrize("text", [PROSE, CHINESE])
def test_positions_are_where_the_text_is(text: str) -> None:
    nodes = parser(32, chunk_overlap=0)([document(text)])
    assert len(nodes) > 1
    check_positions(nodes, text)


def test_metadata_leaves_less_room_for_text() -> None:
    data = "word " * 30
    plain, aware = parser().split_text(PROSE), parser().split_text_metadata_aware(PROSE, data)
    assert len(aware) > len(plain)
    assert max(count(f"{data}\n\n{text}") for text in aware) <= 64
    assert "".join("".join(aware).split()) == "".join(PROSE.split())


def test_one_text_of_a_list_is_split_as_alone() -> None:
    assert parser().split_texts([PROSE]) == parser().split_text(PROSE)


def test_texts_of_a_list_are_split_one_after_the_other() -> None:
    split = parser().split_text
    assert parser().split_texts([PROSE, CHINESE]) == [*split(PROSE), *split(CHINESE)]


def test_each_text_of_a_list_has_its_own_metadata() -> None:
    some, data = parser(), ["title: A", "title: " + "word " * 30]
    aware = some.split_text_metadata_aware
    texts = some.split_texts_metadata_aware([PROSE, PROSE], data)
    assert texts == [*aware(PROSE, data[0]), *aware(PROSE, data[1])]
    assert len(texts) > 2 * len(some.split_text(PROSE))


def test_a_wide_table_does_not_end_the_split() -> None:
    """An edge case of LlamaIndex: lines of a table without a sentence's end, wider than the cap."""
    row = "| " + " | ".join(f"cell {i}" for i in range(40)) + " |\n"
    table = row + "|" + "---|" * 40 + "\n" + row * 6
    texts = parser(64).split_text(table)
    assert max(map(count, texts)) <= 64  # where even the header exceeds it
    held = "".join(f"{text} " for text in texts)
    assert all(held.count(f"cell {i} ") >= 7 for i in range(40))


@pytest.mark.parametrize("text", ["a" * 900, "漢" * 300, "word" * 250])
def test_text_without_blanks_is_split_and_none_of_it_lost(text: str) -> None:
    texts = parser(32).split_text(text)
    assert max(map(count, texts)) <= 32
    assert "".join(texts) == text


def test_chinese_is_cut_between_its_sentences() -> None:
    texts = parser(64).split_text(CHINESE)
    assert len(texts) > 2
    assert all(text.endswith("。") for text in texts)
    assert "".join(texts) == CHINESE


# ------------------------------------------ text_splitter/test_splitter_oversized_unit.py


@pytest.mark.parametrize("text", ["👩‍👩‍👧‍👦", "안녕하세요 세계", "🎉" * 9])
def test_a_unit_above_the_cap_ends_the_split_and_is_not_lost(text: str) -> None:
    """One token for a sign of three: a cap that small is counted by a function alone."""

    def three_each(part: str) -> int:
        return 3 * len(part)

    for size in (1, 2, 4):
        texts = parser(size, tokenizer=three_each).split_text(text)
        assert "".join("".join(texts).split()) == "".join(text.split())


# ------------------------------------------ ingestion/test_pipeline.py, test_cache.py

Run = Callable[[IngestionPipeline, list[Document]], Sequence[BaseNode]]


def at_once(pipeline: IngestionPipeline, sources: list[Document]) -> Sequence[BaseNode]:
    return pipeline.run(documents=sources)


def in_a_loop(pipeline: IngestionPipeline, sources: list[Document]) -> Sequence[BaseNode]:
    return asyncio.run(pipeline.arun(documents=sources))


@pytest.fixture(params=[at_once, in_a_loop], ids=["run", "arun"])
def run(request: pytest.FixtureRequest) -> Run:
    chosen: Run = request.param
    return chosen


def pipeline_of(*more: TransformComponent, **parts: Any) -> IngestionPipeline:  # noqa: ANN401 - of the framework
    return IngestionPipeline(transformations=[parser(), *more], **parts)


def without_duplicates(*more: TransformComponent) -> IngestionPipeline:
    return pipeline_of(
        *more, docstore=SimpleDocumentStore(), docstore_strategy=DocstoreStrategy.DUPLICATES_ONLY
    )


def stored(pipeline: IngestionPipeline) -> dict[str, BaseNode]:
    assert isinstance(pipeline.docstore, SimpleDocumentStore)
    return pipeline.docstore.docs


def test_behind_another_parser_nodes_know_the_document(run: Run) -> None:
    steps = [MarkdownNodeParser(), parser(), MockEmbedding(embed_dim=8)]
    [node] = run(IngestionPipeline(transformations=steps), [document("one", "1")])
    assert node.ref_doc_id == "1"
    assert node.embedding is not None


@pytest.mark.parametrize("has_docstore", [True, False])
def test_a_pipeline_is_saved_and_loaded(tmp_path: Path, run: Run, has_docstore: bool) -> None:  # noqa: FBT001 - a parameter
    sources = [document("one", "1"), document("two", "2"), document("one", "1")]
    pipeline = without_duplicates() if has_docstore else pipeline_of()
    assert len(run(pipeline, sources)) == (2 if has_docstore else 3)
    pipeline.persist(str(tmp_path))
    again = without_duplicates() if has_docstore else pipeline_of()
    again.load(str(tmp_path))
    assert len(run(again, sources[-1:])) == (0 if has_docstore else 1)
    assert not has_docstore or set(stored(again)) == {"1", "2"}


def test_a_new_text_replaces_the_old(run: Run) -> None:
    pipeline = without_duplicates()
    assert len(run(pipeline, [document(PROSE, "1")])) > 3
    [node] = run(pipeline, [document("test", "1")])
    assert (node.get_content(), node.ref_doc_id) == ("test", "1")
    assert [kept.get_content() for kept in stored(pipeline).values()] == ["test"]


def test_new_metadata_reaches_the_nodes(run: Run) -> None:
    """Text without headings gets no keys of ours, so the metadata is the document's."""
    pipeline, lengths = without_duplicates(), set[int]()
    for category in ("code", "text"):
        data = {"file_name": "a.md", "category": category}
        nodes = run(pipeline, [document(PROSE, "1", metadata=data)])
        assert [node.metadata for node in nodes] == [data] * len(nodes)
        assert [kept.metadata for kept in stored(pipeline).values()] == [data]
        lengths.add(len(nodes))
    assert len(lengths) == 1


def test_known_documents_give_no_node(run: Run) -> None:
    pipeline = without_duplicates()
    sources = [document(text, text) for text in ("one", "two", "three")]
    assert len(run(pipeline, sources)) == 3
    assert list(run(pipeline, sources)) == []


def test_equal_documents_of_one_batch_give_one_node(run: Run) -> None:
    sources = [document("same", "a"), document("same", "b"), document("other", "c")]
    nodes = run(without_duplicates(), sources)
    assert sorted(node.get_content() for node in nodes) == ["other", "same"]


class Broken(TransformComponent):
    """Fails."""

    def __call__(self, nodes: Sequence[BaseNode], **_: object) -> Sequence[BaseNode]:
        """Raise an error."""
        msg = f"cannot take {len(nodes)} nodes"
        raise RuntimeError(msg)


def test_a_step_that_fails_leaves_no_document_behind(run: Run) -> None:
    pipeline = without_duplicates(Broken())
    with pytest.raises(RuntimeError, match="cannot take"):
        run(pipeline, [document(PROSE, "1")])
    assert pipeline.docstore is not None
    assert pipeline.docstore.get_node("1", raise_error=False) is None


def test_a_cache_holds_our_nodes_until_it_is_cleared() -> None:
    cache, source = IngestionCache(), TextNode(text="one", id_="1")
    nodes = parser()([source])
    cache.put("some", nodes)
    assert [node.to_dict() for node in cache.get("some") or []] == [n.to_dict() for n in nodes]
    cache.clear()
    assert cache.get("some") is None

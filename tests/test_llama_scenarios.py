"""Scenarios of LlamaIndex's tests of its node parsers, rewritten for treepack's parser.

Each section names the file of LlamaIndex's repository whose scenarios it uses; nothing is
copied. Where treepack differs on purpose, the test says so.
"""

import io
import pydoc
from collections.abc import Sequence
from typing import Any

import pytest
from llama_documents import PROSE, document
from llama_index.core.node_parser import (
    HierarchicalNodeParser,
    NodeParser,
    get_child_nodes,
    get_deeper_nodes,
    get_leaf_nodes,
    get_root_nodes,
)
from llama_index.core.schema import (
    BaseNode,
    MetadataMode,
    TextNode,
)
from llama_index.core.storage.docstore import SimpleDocumentStore

from treepack import TreepackNodeParser, token_counter

count = token_counter("cl100k_base")
CHINESE = "水泵应安装在平整的地面上。安全阀在十八巴时打开。每年检查一次。" * 12


def parser(size: int = 64, **more: Any) -> TreepackNodeParser:  # noqa: ANN401 - settings
    return TreepackNodeParser(chunk_size=size, **more)


def section_parser(**more: Any) -> TreepackNodeParser:  # noqa: ANN401 - settings
    """One node for each heading, as `MarkdownNodeParser` gives."""
    return parser(512, sections="separate", min_size=0, **more)


def breadcrumbs(nodes: Sequence[BaseNode]) -> list[str | None]:
    return [node.metadata.get("breadcrumb") for node in nodes]


def check_positions(nodes: Sequence[BaseNode], text: str) -> None:
    """Check that each node is a slice of the text and begins after the previous one."""
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
def test_repeated_headings_and_sentences_have_distinct_positions(text: str) -> None:
    for node_parser in (section_parser(), parser(48), parser(32, chunk_overlap=8)):
        check_positions(node_parser([document(text)]), text)


def test_positions_are_relative_to_each_document() -> None:
    sources = [document(text, key) for key, text in (("a", TWICE), ("b", PROSE), ("c", TWICE))]
    nodes = section_parser()(sources)
    for source in sources:
        own = [node for node in nodes if node.ref_doc_id == source.id_]
        assert own
        check_positions(own, source.text)


# ------------------------------------------ node_parser/test_node_parser.py


@pytest.mark.parametrize("has_metadata", [True, False])
def test_nodes_have_the_metadata_of_their_document(has_metadata: bool) -> None:  # noqa: FBT001 - a parameter
    """LlamaIndex's post-processing step changes nothing."""
    source = document(PROSE, metadata={"title": "Pumps", "year": 2024})
    node_parser = parser(include_metadata=has_metadata)
    nodes = node_parser.get_nodes_from_documents([source])
    wanted = source.metadata if has_metadata else {}
    own = {"kinds", "chunk_id"} if has_metadata else set[str]()
    for node in nodes:
        assert {k: v for k, v in node.metadata.items() if k not in own} == wanted
        assert own <= set(node.metadata)
    assert len({id(node.metadata) for node in nodes}) == len(nodes)
    before = [node.to_dict() for node in nodes]
    again = node_parser._postprocess_parsed_nodes(nodes, {source.id_: source})  # noqa: SLF001 - LlamaIndex's own step
    assert [node.to_dict() for node in again] == before


def test_nodes_know_their_document_and_their_position_in_it() -> None:
    source = document(PROSE)
    nodes = parser().get_nodes_from_documents([source])
    assert [node.source_node for node in nodes] == [source.as_related_node_info()] * len(nodes)
    check_positions(nodes, PROSE)


# ------------------------------------------ node_parser/test_file_parser_ids.py


@pytest.mark.parametrize("has_metadata", [True, False])
def test_a_docstore_keeps_all_nodes_because_their_ids_differ(has_metadata: bool) -> None:  # noqa: FBT001 - a parameter
    for more in ({}, {"id_func": numbered_id}):
        nodes = section_parser(include_metadata=has_metadata, **more)([document(TWICE)])
        store = SimpleDocumentStore()
        store.add_documents(nodes)
        assert len(store.docs) == len(nodes) == 4


def numbered_id(number: int, source: BaseNode) -> str:
    return f"{source.id_}_{number}"


# ------------------------------------------ node_parser/test_markdown.py
# `header_path` leaves out a section's own heading; treepack's breadcrumb contains it.


def test_each_heading_begins_a_node() -> None:
    nodes = section_parser()([document("# Pump\n\nText of it\n\n# Valve\nText of that\n    ")])
    assert [node.get_content() for node in nodes] == [
        "# Pump\n\nText of it",
        "# Valve\nText of that",
    ]
    assert breadcrumbs(nodes) == ["Pump", "Valve"]


def test_a_slash_in_a_heading_does_not_split_the_path() -> None:
    text = "# Pump\n\nx\n\n## Ask\ny\n\n### 24/7 Help\nz\n\n#### Letters\nw\n"
    nodes = section_parser(breadcrumb_separator="\u203a")([document(text)])
    assert breadcrumbs(nodes) == [
        "Pump",
        "Pump\u203aAsk",
        "Pump\u203aAsk\u203a24/7 Help",
        "Pump\u203aAsk\u203a24/7 Help\u203aLetters",
    ]
    assert nodes[-1].metadata["breadcrumb_json"] == '["Pump", "Ask", "24/7 Help", "Letters"]'


def test_hash_signs_in_indented_code_are_not_headings() -> None:
    """CommonMark allows fences in list items, and a closing fence with other indentation.

    LlamaIndex loses count at a fence that is indented by one space, and finds a heading in it.
    """
    text = (
        "Before.\n# One\n## Two\n### Three\n* item\n\n    ```txt\n    # code of the item\n    ```\n"
        "* item\n\n```txt\n    # code\n ```\n### Four\n ```txt\n# code too\n```\n\n## Five\nLast.\n"
    )
    nodes = section_parser()([document(text)])
    assert breadcrumbs(nodes) == [
        None,
        "One > Two > Three",
        "One > Two > Four",
        "One > Five",
    ]
    assert nodes[1].get_content().startswith("# One\n## Two\n### Three\n* item")
    assert nodes[1].get_content().endswith("# code\n ```")
    check_positions(nodes, text)


def test_hash_signs_without_a_space_or_within_text_are_not_headings() -> None:
    text = "# One\n\n#Nothing\nNor # this\n    # nor that\n    "
    [node] = section_parser()([document(text)])
    assert node.metadata["breadcrumb"] == "One"
    assert node.get_content() == text.rstrip()


def test_text_before_the_first_heading_is_a_node() -> None:
    """A heading without text shares a node with the text after it or, failing that, before it."""
    nodes = section_parser()([document("\nBefore.\n\n# One\nText.\n## Two\nMore.\n    ")])
    assert breadcrumbs(nodes) == [None, "One", "One > Two"]


def test_the_path_follows_the_heading_levels() -> None:
    nodes = section_parser()([document("# A\nx\n## B\nx\n### C\nx\n# D\nx\n")])
    assert breadcrumbs(nodes) == ["A", "A > B", "A > B > C", "D"]


def test_siblings_below_a_skipped_level_stay_siblings() -> None:
    nodes = section_parser()([document("# A\nx\n### B\nx\n### C\nx\n")])
    assert breadcrumbs(nodes) == ["A", "A > B", "A > C"]


# ------------------------------------------ node_parser/test_hierarchical.py


@pytest.fixture(params=["three parsers", "levels"])
def family(request: pytest.FixtureRequest) -> list[BaseNode]:
    """Nodes of three levels, from LlamaIndex's hierarchy of parsers or from ``levels``."""
    source = document("# Pump\n\n" + PROSE)
    if request.param == "levels":
        return parser(48, levels=(512, 128, 48)).get_nodes_from_documents([source])
    parsers: dict[str, NodeParser] = {f"s{size}": parser(size) for size in (512, 128, 48)}
    node_parser = HierarchicalNodeParser.from_defaults(
        node_parser_ids=list(parsers), node_parser_map=parsers
    )
    return node_parser.get_nodes_from_documents([source])


def test_one_root_contains_the_whole_text(family: list[BaseNode]) -> None:
    [root] = get_root_nodes(family)
    assert root.get_content() == ("# Pump\n\n" + PROSE).rstrip()


def test_no_leaf_is_a_root(family: list[BaseNode]) -> None:
    assert get_root_nodes(get_leaf_nodes(family)) == []


def test_leaves_are_within_the_smallest_cap_and_cover_the_text(family: list[BaseNode]) -> None:
    leaves = get_leaf_nodes(family)
    assert len(leaves) > len(family) // 2
    assert all(count(leaf.get_content(MetadataMode.EMBED)) <= 48 for leaf in leaves)
    assert " ".join(leaf.get_content() for leaf in leaves).split() == f"# Pump {PROSE}".split()


def test_children_of_the_root_are_the_middle_level(family: list[BaseNode]) -> None:
    children = get_child_nodes(get_root_nodes(family), all_nodes=family)
    assert 1 < len(children) == len(family) - 1 - len(get_leaf_nodes(family))


def test_get_deeper_nodes_returns_the_nodes_of_each_level(family: list[BaseNode]) -> None:
    roots = get_root_nodes(family)
    children = get_child_nodes(roots, family)
    assert get_deeper_nodes(family, depth=0) == roots
    assert get_deeper_nodes(family, depth=1) == children
    assert get_deeper_nodes(family, depth=2) == get_child_nodes(children, family)
    assert get_deeper_nodes(family, depth=2) == get_leaf_nodes(family)


def test_get_deeper_nodes_needs_a_root(family: list[BaseNode]) -> None:
    with pytest.raises(ValueError, match="There is no"):
        get_deeper_nodes(get_leaf_nodes(family))


def test_a_negative_depth_is_rejected(family: list[BaseNode]) -> None:
    with pytest.raises(ValueError, match="Depth cannot be"):
        get_deeper_nodes(family, -1)


# ------------------------------------------ node_parser/test_metadataaware_init_doc.py


def test_help_lists_the_settings() -> None:
    output_stream = io.StringIO()
    pydoc.Helper(output=output_stream)(TreepackNodeParser)
    help_text = output_stream.getvalue()
    assert "Packs documents into nodes along their heading tree" in help_text
    own = ("chunk_size", "target_size", "levels", "preset", "stable_ids", "input_format")
    assert [name for name in own if f"{name}: " not in help_text] == []


# ------------------------------------------ text_splitter/test_{sentence,token}_splitter.py


@pytest.mark.parametrize("text", [PROSE, CHINESE])
def test_positions_match_the_text(text: str) -> None:
    nodes = parser(32, chunk_overlap=0)([document(text)])
    assert len(nodes) > 1
    check_positions(nodes, text)


def test_metadata_leaves_less_room_for_text() -> None:
    data = "word " * 30
    plain, aware = parser().split_text(PROSE), parser().split_text_metadata_aware(PROSE, data)
    assert len(aware) > len(plain)
    assert max(count(f"{data}\n\n{text}") for text in aware) <= 64
    assert "".join("".join(aware).split()) == "".join(PROSE.split())


def test_a_single_text_in_a_list_is_split_as_if_alone() -> None:
    assert parser().split_texts([PROSE]) == parser().split_text(PROSE)


def test_texts_of_a_list_are_split_in_order() -> None:
    split = parser().split_text
    assert parser().split_texts([PROSE, CHINESE]) == [*split(PROSE), *split(CHINESE)]


def test_each_text_of_a_list_has_its_own_metadata() -> None:
    node_parser, data = parser(), ["title: A", "title: " + "word " * 30]
    aware = node_parser.split_text_metadata_aware
    texts = node_parser.split_texts_metadata_aware([PROSE, PROSE], data)
    assert texts == [*aware(PROSE, data[0]), *aware(PROSE, data[1])]
    assert len(texts) > 2 * len(node_parser.split_text(PROSE))


def test_a_wide_table_is_split_within_the_cap() -> None:
    """An edge case of LlamaIndex: table lines without a sentence's end, longer than the cap."""
    row = "| " + " | ".join(f"cell {i}" for i in range(40)) + " |\n"
    table = row + "|" + "---|" * 40 + "\n" + row * 6
    texts = parser(64).split_text(table)
    assert max(map(count, texts)) <= 64  # although even the header exceeds the cap
    held = "".join(f"{text} " for text in texts)
    assert all(held.count(f"cell {i} ") >= 7 for i in range(40))


@pytest.mark.parametrize("text", ["a" * 900, "漢" * 300, "word" * 250])
def test_text_without_spaces_is_split_without_loss(text: str) -> None:
    texts = parser(32).split_text(text)
    assert max(map(count, texts)) <= 32
    assert "".join(texts) == text


def test_chinese_is_cut_between_sentences() -> None:
    texts = parser(64).split_text(CHINESE)
    assert len(texts) > 2
    assert all(text.endswith("。") for text in texts)
    assert "".join(texts) == CHINESE


# ------------------------------------------ text_splitter/test_splitter_oversized_unit.py


@pytest.mark.parametrize("text", ["👩‍👩‍👧‍👦", "안녕하세요 세계", "🎉" * 9])
def test_splitting_a_unit_above_the_cap_terminates_without_loss(text: str) -> None:
    """Each character counts as three tokens here, so a single one can exceed the cap."""

    def three_each(part: str) -> int:
        return 3 * len(part)

    for size in (1, 2, 4):
        texts = parser(size, tokenizer=three_each).split_text(text)
        assert "".join("".join(texts).split()) == "".join(text.split())


# ------------------------------------------ llama-index-node-parser-docling


def test_nodes_have_exactly_the_expected_content_and_metadata() -> None:
    """Both nodes are compared in full, with ids from a function, also before post-processing."""
    source = document(
        "# Act\n\n## 5 Limits\n\nBelow 16 bar, see 5.1.\n\n### 5.1 Table\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        metadata={"file_name": "act.md"},
    )
    node_parser = section_parser(id_func=numbered_id)
    nodes = node_parser._parse_nodes([source])  # noqa: SLF001 - LlamaIndex's own step
    assert [node.to_dict() for node in nodes] == [
        node.to_dict() for node in node_parser.get_nodes_from_documents([source])
    ]
    one, two = nodes
    assert (one.id_, two.id_) == ("d_0", "d_1")
    assert one.get_content(MetadataMode.EMBED) == (
        "file_name: act.md\nbreadcrumb: Act > 5 Limits\n\n"
        "# Act\n\n## 5 Limits\n\nBelow 16 bar, see 5.1."
    )
    assert {k: v for k, v in two.metadata.items() if not k.endswith("_id")} == {
        "file_name": "act.md",
        "breadcrumb": "Act > 5 Limits > 5.1 Table",
        "breadcrumb_json": '["Act", "5 Limits", "5.1 Table"]',
        "clause": "5.1",
        "citation": "Act, 5.1",
        "heading_1": "Act",
        "heading_2": "5 Limits",
        "heading_3": "5.1 Table",
        "clauses_json": '["5", "5.1"]',
        "kinds": "text,table",
        "table_columns_json": '["a", "b"]',
        "table_row_start": 1,
        "table_row_end": 1,
        "table_row_count": 1,
    }
    check_positions(nodes, source.text)


# ------------------------------------------ llama-index-node-parser-chonkie


def test_an_empty_text_gives_no_chunks() -> None:
    """LlamaIndex's parsers give one empty part."""
    assert parser().split_text("") == []
    assert parser().split_texts(["", " \n"]) == []


def test_a_short_text_is_one_chunk() -> None:
    for text in ("A short text.", "Hello 世界! Émojis 🎉, café.", "It's $10: a@example.com"):
        assert parser().split_text(text) == [text]
        assert parser().split_text_metadata_aware(text, "title: A") == [text]


def test_empty_metadata_changes_nothing() -> None:
    assert parser().split_text_metadata_aware(PROSE, "") == parser().split_text(PROSE)


def test_metadata_longer_than_the_cap_raises_the_error_of_llama_index() -> None:
    with pytest.raises(ValueError, match=r"(?i)Metadata length.*chunk size"):
        parser().split_text_metadata_aware("Short.", "title: " + "very long title " * 40)


def test_a_split_with_metadata_does_not_change_the_cap() -> None:
    node_parser = parser()
    before, aware = (
        node_parser.split_text(PROSE),
        node_parser.split_text_metadata_aware(PROSE, "title: A"),
    )
    assert node_parser.split_text_metadata_aware(PROSE, "title: A") == aware
    assert (node_parser.split_text(PROSE), node_parser.chunk_size) == (before, 64)


def test_nodes_of_several_documents_do_not_mix_metadata() -> None:
    sources = [document(PROSE, str(n), metadata={"number": n}) for n in range(3)]
    nodes = parser().get_nodes_from_documents(sources)
    assert {(node.ref_doc_id, node.metadata["number"]) for node in nodes} == {
        ("0", 0),
        ("1", 1),
        ("2", 2),
    }


def test_a_smaller_cap_makes_more_chunks() -> None:
    sizes = [len(parser(size).split_text(PROSE)) for size in (32, 64, 128, 512)]
    assert sizes == sorted(set(sizes), reverse=True)
    overlapping = parser(64, chunk_overlap=24).split_text(PROSE)
    assert len("".join(overlapping)) > len("".join(parser(64).split_text(PROSE)))


def test_links_to_neighbours_can_be_left_out() -> None:
    linked = parser()([document(PROSE)])
    alone = parser(include_prev_next_rel=False)([document(PROSE)])
    assert all(node.prev_node for node in linked[1:])
    assert not [node for node in alone if node.prev_node or node.next_node]

"""Scenarios of LlamaIndex's tests of its node parsers, rewritten for treepack's parser.

Each section names the file of LlamaIndex's repository whose scenarios it uses; nothing is
copied. Where treepack differs on purpose, the test says so.
"""

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

from treepack import TreepackNodeParser
from treepack.tokens import token_counter

count = token_counter("cl100k_base")


def parser(size: int = 64, **more: Any) -> TreepackNodeParser:  # noqa: ANN401 - settings
    return TreepackNodeParser(chunk_size=size, **more)


def section_parser(**more: Any) -> TreepackNodeParser:  # noqa: ANN401 - settings
    """One node for each heading, as `MarkdownNodeParser` gives."""
    return parser(512, sections="separate", min_size=0, **more)


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


def numbered_id(number: int, source: BaseNode) -> str:
    return f"{source.id_}_{number}"


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


def test_leaves_are_within_the_smallest_cap_and_cover_the_text(family: list[BaseNode]) -> None:
    leaves = get_leaf_nodes(family)
    assert len(leaves) > len(family) // 2
    assert all(count(leaf.get_content(MetadataMode.EMBED)) <= 48 for leaf in leaves)
    assert " ".join(leaf.get_content() for leaf in leaves).split() == f"# Pump {PROSE}".split()


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
        "clause": "5.1",
        "citation": "Act, 5.1",
        "heading_1": "Act",
        "heading_2": "5 Limits",
        "heading_3": "5.1 Table",
        "kinds": "text,table",
        "table_columns_json": '["a", "b"]',
        "table_row_start": 1,
        "table_row_end": 1,
    }
    check_positions(nodes, source.text)


# ------------------------------------------ llama-index-node-parser-chonkie


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

"""LlamaIndex's node parser must keep the laws of packing.

LlamaIndex's own template judges the budget, and the documents' own text the positions.
"""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core.node_parser import (
    HierarchicalNodeParser,
    NodeParser,
    get_leaf_nodes,
    get_root_nodes,
)
from llama_index.core.schema import (
    BaseNode,
    Document,
    ImageDocument,
    ImageNode,
    IndexNode,
    MediaResource,
    Node,
    NodeRelationship,
    TextNode,
)
from llama_parsers import ACT, clauses, count, document, numbered_id, parser, shown_texts
from strategies import any_text, generated

from treepack import PackConfig, pack, parse
from treepack.integrations.metadata import Mode

TEMPLATES = (
    "{metadata_str}\n\n{content}",
    "Read this excerpt with care.\n{metadata_str}\n-----\n{content}\n-----",
    "{content}\n\n({metadata_str})",
)
few = settings(generated, max_examples=40)
REPEATED = (
    "# X\n\nintro again outro " + "word " * 60 + "\n\nagain\n\n" + "zeta " * 60 + "\n\nagain\n"
)


# -------------------------------------------------------------------- laws


@st.composite
def metadata(draw: st.DrawFn) -> dict[str, Any]:
    keys = st.sampled_from(("file_path", "title", "year", "breadcrumb", "clause", "kinds"))
    values = st.one_of(st.integers(), st.sampled_from(("docs/manual.md", "", "12(3)(a)", "漢字")))
    return draw(st.dictionaries(keys, values, max_size=3))


@pytest.mark.filterwarnings("ignore::treepack.integrations.metadata.OwnMetadataWarning")
@few
@given(
    any_text,
    metadata(),
    st.sampled_from((64, 100, 256)),
    st.sampled_from(TEMPLATES),
    st.sampled_from(("lean", "full", "uniform", "native")),
    st.sampled_from((0, 0, 12)),
)
def test_embedded_and_shown_text_never_exceeds_the_cap(  # noqa: PLR0913, PLR0917 - a choice each
    text: str, more: dict[str, Any], size: int, template: str, mode: Mode, overlap: int
) -> None:
    source = document(text, metadata=more, text_template=template)
    try:
        nodes = parser(size, metadata_mode=mode, chunk_overlap=overlap)([source])
    except ValueError as error:
        assert "leaves no room" in str(error)  # noqa: PT017 - not always raised
        return
    for node in nodes:
        assert max(map(count, [*shown_texts(node), node.get_content()])) <= size, shown_texts(node)


@few
@given(any_text, st.sampled_from((32, 100, 512)), st.sampled_from((0, 0, 4)))
def test_no_text_is_lost_and_positions_are_correct(text: str, size: int, share: int) -> None:
    """The core's records show which nodes are slices; positions are compared with the text."""
    overlap = size // share if share else 0
    nodes = parser(size, chunk_overlap=overlap, include_metadata=False)([document(text)])
    chunks = pack(parse(text), PackConfig(max_tokens=size, overlap_tokens=overlap))
    covered: set[int] = set()
    for start, end, _ in parse(text).skipped:
        covered.update(range(start, end))
    for node, chunk in zip(nodes, chunks, strict=True):
        assert isinstance(node, TextNode)
        assert node.text == chunk.text
        assert node.start_char_idx is not None
        assert node.end_char_idx is not None
        covered.update(range(node.start_char_idx, node.end_char_idx))
        if len(chunk.segments) == 1:
            assert text[node.start_char_idx : node.end_char_idx] == node.text
    assert not [
        i for i, character in enumerate(text) if not character.isspace() and i not in covered
    ]


@few
@given(any_text)
def test_without_metadata_the_parser_cuts_like_pack(text: str) -> None:
    config = PackConfig(max_tokens=100)
    nodes = parser(100, include_metadata=False)([document(text)])
    core = [chunk.text for chunk in pack(parse(text), config)]
    assert core == [node.get_content() for node in nodes]
    assert (core if text else [""]) == parser(100).split_text(text)  # like LlamaIndex's own


@few
@given(any_text)
def test_a_node_that_is_split_again_keeps_its_source_and_position(text: str) -> None:
    coarse = parser(200)([document(text)])
    fine = parser(64)(coarse)
    assert {node.ref_doc_id for node in fine} <= {"d"}
    for node in fine:
        assert isinstance(node, TextNode)
        assert node.start_char_idx is not None
        assert node.end_char_idx is not None
        assert node.start_char_idx < node.end_char_idx <= len(text)
        # A list item opened again, `> - ` for `>   `, is as long as the text that it replaces.
        if node.end_char_idx == node.start_char_idx + len(node.text) and node.text in text:
            assert text[node.start_char_idx : node.end_char_idx] == node.text
        assert max(map(count, shown_texts(node))) <= 64
    assert len({node.id_ for node in fine}) == len(fine)


def test_a_long_breadcrumb_is_shortened_to_leave_room_for_the_text() -> None:
    """``heading_1`` and so on keep all headings; the embedded line loses the outermost ones."""
    titles = [f"Heading number {i} with a good many words in it" for i in range(5)]
    text = "\n\n".join("#" * (i + 1) + " " + title for i, title in enumerate(titles))
    text += "\n\n" + "Some words of body. " * 60
    nodes = parser(64)([document(text)])
    assert all(max(map(count, shown_texts(node))) <= 64 for node in nodes)
    last = nodes[-1].metadata
    assert [last[f"heading_{level}"] for level in range(1, 6)] == titles
    assert last["breadcrumb"].endswith(titles[-1])
    assert titles[0] not in last["breadcrumb"]


def test_a_template_that_shows_the_text_twice_is_rejected() -> None:
    source = document(
        "# A\n\nx", metadata={"k": 1}, text_template="{content}{metadata_str}{content}"
    )
    with pytest.raises(ValueError, match="more than once"):
        parser()([source])


def test_a_kept_block_may_exceed_the_cap() -> None:
    code = "# A\n\n```\n" + "x = 1\n" * 60 + "```\n"
    [node] = parser(oversize_code="keep")([document(code)])
    assert node.metadata["breadcrumb"] == "A"


# -------------------------------------------------------------------- long metadata


def test_metadata_that_leaves_no_room_raises_an_error_with_the_remedy() -> None:
    source = document(clauses(3), metadata={"file_name": "a.md", "blob": "word " * 200})
    with pytest.raises(ValueError, match=r"Metadata length.*chunk size 64.*'blob' \(20\d\)") as e:
        parser()([source])
    assert "excluded_embed_metadata_keys" in str(e.value)


def test_excluded_metadata_takes_no_room() -> None:
    keys = ["blob"]
    source = document(
        clauses(3),
        metadata={"blob": "word " * 200},
        excluded_embed_metadata_keys=keys,
        excluded_llm_metadata_keys=keys,
    )
    plain = parser()([document(clauses(3))])
    assert [n.get_content() for n in parser()([source])] == [n.get_content() for n in plain]


def test_split_text_metadata_aware_leaves_room_for_the_metadata() -> None:
    data = "title: General terms of delivery"
    texts = parser().split_text_metadata_aware(ACT, data)
    assert max(count(f"{data}\n\n{text}") for text in texts) <= 64
    assert parser().split_texts_metadata_aware([ACT], [data]) == texts
    assert parser().split_texts([ACT]) == parser().split_text(ACT)
    with pytest.raises(ValueError, match="Metadata length"):
        parser().split_text_metadata_aware(ACT, data * 20)


# -------------------------------------------------------------------- metadata and relations


def test_nodes_have_the_metadata_of_document_and_chunk() -> None:
    source = document(
        ACT,
        metadata={"title": "T", "file_name": "f.md"},
        excluded_embed_metadata_keys=["title"],
        excluded_llm_metadata_keys=["file_name"],
        metadata_template="{key}={value}",
        metadata_separator="; ",
        text_template="{metadata_str}\n##\n{content}",
    )
    before = source.model_dump()
    nodes = parser()([source])
    for node in nodes:
        assert {"title": "T", "file_name": "f.md"}.items() <= node.metadata.items()
        assert "title" in node.excluded_embed_metadata_keys
        assert "file_name" in node.excluded_llm_metadata_keys
        assert {"citation", "chunk_id"} <= set(node.excluded_embed_metadata_keys)
        assert node.metadata_template == "{key}={value}"
    assert shown_texts(nodes[-1])[0] == (
        "file_name=f.md; breadcrumb=Act > Article 12 Duties > (4) Records\n##\n"
        "### (4) Records\n\nKeep records."
    )
    nodes[0].metadata["x"] = 1
    nodes[0].excluded_llm_metadata_keys.append("x")
    assert "x" not in nodes[1].metadata
    assert "x" not in nodes[1].excluded_llm_metadata_keys
    assert source.model_dump() == before


def test_plain_text_has_an_id_that_is_not_embedded() -> None:
    """With the id, a store finds its records again, whatever they contain."""
    [node] = parser()([document("plain text", metadata={"a": 1})])
    assert set(node.metadata) == {"a", "kinds", "chunk_id", "citation"}
    assert shown_texts(node) == ["a: 1\n\nplain text", "a: 1\ncitation: “plain text”\n\nplain text"]


def test_flags_turn_off_metadata_and_links() -> None:
    nodes = parser(include_metadata=False, include_prev_next_rel=False)(
        [document(ACT, metadata={"a": 1})]
    )
    assert all(node.metadata == {} for node in nodes)
    assert all(set(node.relationships) == {NodeRelationship.SOURCE} for node in nodes)


def test_links_contain_the_final_state_of_the_neighbours() -> None:
    """`AutoMergingRetriever` fills a gap only if one node's next equals the other's previous."""
    data = {"title": "T"}
    sources = [document(clauses(6), "a", metadata=data), document(ACT, "b", metadata=data)]
    nodes = parser()(sources)
    for source in sources:
        own = [node for node in nodes if node.ref_doc_id == source.id_]
        assert own[0].prev_node is None
        assert own[-1].next_node is None
        assert all(node.source_node and node.source_node.hash == source.hash for node in own)
        for one, two in pairwise(own):
            assert one.next_node == two.as_related_node_info()
            assert two.prev_node == one.as_related_node_info()


def test_repeated_text_is_found_at_its_own_position() -> None:
    positions = []
    for node in parser()([document(REPEATED)]):
        assert isinstance(node, TextNode)
        assert REPEATED[node.start_char_idx : node.end_char_idx] == node.text
        positions.append(node.start_char_idx or 0)
    assert positions == sorted(set(positions))


def test_nodes_do_not_inherit_the_embedding_of_the_document() -> None:
    nodes = parser()([document(ACT, embedding=[1.0])])
    assert all(node.embedding is None for node in nodes)


def test_ids_come_from_content_or_from_the_given_function() -> None:
    first, again = parser()([document(ACT)]), parser()([document(ACT)])
    assert [node.id_ for node in first] == [node.id_ for node in again]
    other = parser()([document(ACT, "other")])
    assert not {node.id_ for node in first} & {node.id_ for node in other}
    numbered = parser(id_func=numbered_id)([document(ACT), document(clauses(2), "e")])
    for key in ("d", "e"):
        own = [node.id_ for node in numbered if node.ref_doc_id == key]
        assert own == [f"{key}:{i}" for i in range(len(own))]
    random = parser(stable_ids=False)([document(ACT)])
    assert not {node.id_ for node in first} & {node.id_ for node in random}


# -------------------------------------------------------------------- kinds of input


def test_nodes_of_other_media_pass_through_unchanged(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    image = tmp_path_factory.mktemp("x") / "x.png"
    image.write_bytes(b"\x89PNG\r\n\x1a\n")
    inputs: list[BaseNode] = [
        ImageNode(text="# A\n\nfoo", image_path=str(image), id_="image"),
        document(ACT),
        IndexNode(text="# A\n\nfoo", index_id="q", id_="index"),
        Node(image_resource=MediaResource(path=image), id_="media"),
    ]
    nodes = parser()(inputs)
    assert [node for node in nodes if node.id_ in {"image", "index", "media"}] == [
        inputs[0],
        inputs[2],
        inputs[3],
    ]


def test_an_image_document_gives_image_nodes(tmp_path_factory: pytest.TempPathFactory) -> None:
    from PIL import Image  # noqa: PLC0415 - comes with LlamaIndex

    path = str(tmp_path_factory.mktemp("x") / "x.png")
    Image.new("RGB", (2, 2)).save(path)
    for text in (ACT, ""):
        nodes = parser()([ImageDocument(text=text, image_path=path)])
        assert nodes
        assert all(isinstance(node, ImageNode) and node.image_path == path for node in nodes)


@pytest.mark.parametrize("text", ["", " \n\n", "\ufeff"])
def test_a_document_without_text_gives_no_node(text: str) -> None:
    assert parser()([document(text)]) == []
    assert parser()([]) == []


# -------------------------------------------------------------------- splitting twice


def test_nodes_that_are_split_again_keep_whole_breadcrumbs() -> None:
    once = {n.get_content(): n.metadata.get("breadcrumb") for n in parser()([document(ACT)])}
    twice = parser()(parser(400)([document(ACT)]))
    same = [node for node in twice if once.get(node.get_content())]
    assert len(same) > 2
    assert all(node.metadata["breadcrumb"] == once[node.get_content()] for node in same)
    for one, two in pairwise(twice):
        assert one.next_node is not None
        assert one.next_node.node_id == two.node_id


def test_parts_of_a_table_piece_have_the_positions_of_the_piece() -> None:
    """A piece of a table repeats the header, so its parts get the positions of the whole piece."""
    table = "# Limits\n\n| Quantity | Limit |\n|---|---|\n" + "| pressure | 16 bar |\n" * 40
    coarse = parser(160)([document(table)])
    assert len(coarse) > 1
    for node in coarse[1:]:
        assert isinstance(node, TextNode)
        parts = parser(64)([node])
        assert len(parts) > 1
        for part in parts:
            assert isinstance(part, TextNode)
            position = (node.start_char_idx, node.end_char_idx)
            assert (part.start_char_idx, part.end_char_idx) == position


def test_a_text_node_without_a_source_is_its_own_source() -> None:
    nodes = parser()([TextNode(text=ACT, id_="t")])
    assert {node.ref_doc_id for node in nodes} == {"t"}


def test_three_treepack_parsers_make_a_hierarchical_parser() -> None:
    parsers: dict[str, NodeParser] = {f"s{size}": parser(size) for size in (400, 128, 64)}
    hierarchical = HierarchicalNodeParser.from_defaults(
        node_parser_ids=list(parsers), node_parser_map=parsers
    )
    nodes = hierarchical.get_nodes_from_documents([document(ACT)])
    assert get_root_nodes(nodes)
    assert {node.ref_doc_id for node in nodes} == {"d"}
    assert all(node.parent_node for node in get_leaf_nodes(nodes))
    assert len({node.id_ for node in nodes}) == len(nodes)


# -------------------------------------------------------------------- pages


def pages(*texts: str) -> list[Document]:
    return [
        document(text, f"page{i}", metadata={"file_path": "a.pdf", "page_label": str(i + 6)})
        for i, text in enumerate(texts, 1)
    ]


def test_pages_of_a_file_are_merged_into_one_document() -> None:
    """A section that continues on the next page keeps its heading and its sentence."""
    sources = pages("# A\n\nThe pump shall", "be mounted level.\n\n## B\n\nOther.", "Last words.")
    [node] = parser(merge_pages=True, sections="pack")(sources)
    assert node.get_content() == (
        "# A\n\nThe pump shall\nbe mounted level.\n\n## B\n\nOther.\n\nLast words."
    )
    assert (node.metadata["page_start"], node.metadata["page_end"]) == (7, 9)
    assert node.metadata["file_path"] == "a.pdf"
    assert node.metadata["page_label"] == "7"  # of the page on which it begins
    assert node.ref_doc_id == "page1"
    assert isinstance(node, TextNode)
    assert (node.start_char_idx, node.end_char_idx) == (0, len(sources[0].text))


def test_nodes_of_merged_pages_point_to_the_page_where_they_begin() -> None:
    body = "Some words on this page. " * 8
    sources = pages("# A\n\n" + body, "## B\n\n" + body, "## C\n\n" + body)
    others = [document(ACT, "other", metadata={"file_path": "b.md"})]
    nodes = parser(64, merge_pages=True)([*sources, *others])
    by_id = {source.id_: source for source in [*sources, *others]}
    for node in nodes:
        assert isinstance(node, TextNode)
        assert node.ref_doc_id is not None
        source = by_id[node.ref_doc_id]
        if source.id_ != "other":
            assert node.metadata["page_start"] == int(source.metadata["page_label"])
        assert source.text[node.start_char_idx : node.end_char_idx] == node.text
    of_the_file = [node for node in nodes if node.ref_doc_id != "other"]
    assert {node.metadata["page_start"] for node in of_the_file} == {7, 8, 9}
    assert all(
        one.next_node and one.next_node.node_id == two.id_ for one, two in pairwise(of_the_file)
    )

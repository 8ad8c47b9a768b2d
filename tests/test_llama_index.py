"""LlamaIndex's node parser must keep the laws of packing and the contract of its base class.

LlamaIndex's own template judges the budget, and the documents' own text the positions.
"""

import asyncio
import contextlib
import io
import json
import logging
import pickle
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core import MockEmbedding, Settings, VectorStoreIndex
from llama_index.core.callbacks import CallbackManager, CBEventType, LlamaDebugHandler
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.ingestion.pipeline import DocstoreStrategy, get_transformation_hash
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
    MetadataMode,
    Node,
    NodeRelationship,
    TextNode,
    TransformComponent,
)
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import SimpleVectorStore
from processes import printed
from strategies import any_text, generated

from treepack import PackConfig, TreepackNodeParser, pack, parse, token_counter
from treepack.config import FRAMEWORK_NAMES
from treepack.integrations.metadata import Mode

SHOWN = (MetadataMode.EMBED, MetadataMode.LLM)
TEMPLATES = (
    "{metadata_str}\n\n{content}",
    "Read this excerpt with care.\n{metadata_str}\n-----\n{content}\n-----",
    "{content}\n\n({metadata_str})",
)
ACT = (
    "# Act\n\n## Article 12 Duties\n\n### (3) Notice\n\n"
    + "The controller shall notify. " * 40
    + "\n\n### (4) Records\n\nKeep records.\n"
)
REPEATED = (
    "# X\n\nintro again outro " + "word " * 60 + "\n\nagain\n\n" + "zeta " * 60 + "\n\nagain\n"
)
few = settings(generated, max_examples=40)
count = token_counter("cl100k_base")


def clauses(number: int) -> str:
    return "# Terms\n\n" + "\n\n".join(
        f"## Clause {i}\n\n" + f"Sentence number {i} about topic {i}. " * 12
        for i in range(1, number + 1)
    )


def document(text: str, key: str = "d", **more: Any) -> Document:  # noqa: ANN401 - of the framework
    return Document(text=text, id_=key, **more)


def parser(size: int = 64, **more: Any) -> TreepackNodeParser:  # noqa: ANN401 - settings
    return TreepackNodeParser(chunk_size=size, **more)


def shown(node: BaseNode) -> list[str]:
    return [node.get_content(metadata_mode=mode) for mode in SHOWN]


def seen(nodes: Sequence[BaseNode]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(node.id_, node.get_content(), node.metadata) for node in nodes]


# -------------------------------------------------------------------- laws


@st.composite
def metadata(draw: st.DrawFn) -> dict[str, Any]:
    keys = st.sampled_from(("file_path", "title", "year", "breadcrumb", "clause", "kinds"))
    values = st.one_of(st.integers(), st.sampled_from(("docs/manual.md", "", "12(3)(a)", "漢字")))
    return draw(st.dictionaries(keys, values, max_size=3))


@few
@given(
    any_text,
    metadata(),
    st.sampled_from((64, 100, 256)),
    st.sampled_from(TEMPLATES),
    st.sampled_from(("sparse", "uniform", "native")),
    st.sampled_from((0, 0, 12)),
)
def test_what_is_embedded_or_shown_never_exceeds_the_cap(  # noqa: PLR0913, PLR0917 - a choice each
    text: str, more: dict[str, Any], size: int, template: str, mode: Mode, overlap: int
) -> None:
    source = document(text, metadata=more, text_template=template)
    packer = parser(size, metadata_mode=mode, chunk_overlap=overlap, on_long_metadata="exclude")
    for node in packer([source]):
        assert max(map(count, [*shown(node), node.get_content()])) <= size, shown(node)


@few
@given(any_text, st.sampled_from((32, 100, 512)), st.sampled_from((0, 0, 4)))
def test_nothing_is_lost_and_positions_are_true(text: str, size: int, share: int) -> None:
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
    assert not [i for i, sign in enumerate(text) if not sign.isspace() and i not in covered]


@few
@given(any_text)
def test_without_metadata_it_cuts_as_the_core_does(text: str) -> None:
    config = PackConfig(max_tokens=100)
    nodes = parser(100, include_metadata=False)([document(text)])
    core = [chunk.text for chunk in pack(parse(text), config)]
    assert core == [node.get_content() for node in nodes]
    assert core == parser(100).split_text(text)


@few
@given(any_text)
def test_a_node_that_is_split_again_keeps_source_and_place(text: str) -> None:
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
        assert max(map(count, shown(node))) <= 64
    assert len({node.id_ for node in fine}) == len(fine)


def test_a_long_breadcrumb_gives_way_before_the_text() -> None:
    """``breadcrumb_json`` keeps all headings; the embedded line loses the outermost ones."""
    titles = [f"Heading number {i} with a good many words in it" for i in range(5)]
    text = "\n\n".join("#" * (i + 1) + " " + title for i, title in enumerate(titles))
    text += "\n\n" + "Some words of body. " * 60
    nodes = parser(64)([document(text)])
    assert all(max(map(count, shown(node))) <= 64 for node in nodes)
    last = nodes[-1].metadata
    assert json.loads(last["breadcrumb_json"]) == titles
    assert last["breadcrumb"].endswith(titles[-1])
    assert titles[0] not in last["breadcrumb"]


def test_a_template_that_shows_the_text_twice_is_refused() -> None:
    source = document(
        "# A\n\nx", metadata={"k": 1}, text_template="{content}{metadata_str}{content}"
    )
    with pytest.raises(ValueError, match="more than once"):
        parser()([source])


def test_a_block_that_is_kept_may_exceed_the_cap() -> None:
    code = "# A\n\n```\n" + "x = 1\n" * 60 + "```\n"
    [node] = parser(oversize_code="keep")([document(code)])
    assert node.metadata["breadcrumb"] == "A"


# -------------------------------------------------------------------- long metadata


def test_metadata_without_room_for_text_is_an_error_that_names_the_remedy() -> None:
    source = document(clauses(3), metadata={"file_name": "a.md", "blob": "word " * 200})
    with pytest.raises(ValueError, match=r"Metadata length.*chunk size 64.*'blob' \(20\d\)") as e:
        parser()([source])
    assert "excluded_embed_metadata_keys" in str(e.value)
    assert "on_long_metadata" in str(e.value)


def test_long_metadata_can_be_excluded_from_what_is_shown() -> None:
    source = document(clauses(3), metadata={"file_name": "a.md", "blob": "word " * 200})
    nodes = parser(on_long_metadata="exclude")([source])
    assert all(node.metadata["blob"] and max(map(count, shown(node))) <= 64 for node in nodes)
    assert all("file_name: a.md" in text for node in nodes for text in shown(node))


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


def test_split_text_metadata_aware_leaves_room() -> None:
    data = "title: General terms of delivery"
    texts = parser().split_text_metadata_aware(ACT, data)
    assert max(count(f"{data}\n\n{text}") for text in texts) <= 64
    assert parser().split_texts_metadata_aware([ACT], [data]) == texts
    assert parser().split_texts([ACT]) == parser().split_text(ACT)
    with pytest.raises(ValueError, match="Metadata length"):
        parser().split_text_metadata_aware(ACT, data * 20)


# -------------------------------------------------------------------- metadata and relations


def test_metadata_of_document_and_chunk_stand_side_by_side() -> None:
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
        assert {"breadcrumb_json", "chunk_id"} <= set(node.excluded_embed_metadata_keys)
        assert node.metadata_template == "{key}={value}"
    assert shown(nodes[-1])[0] == (
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
    assert set(node.metadata) == {"a", "kinds", "chunk_id"}
    assert shown(node)[0] == "a: 1\n\nplain text"


def test_flags_turn_metadata_and_links_off() -> None:
    nodes = parser(include_metadata=False, include_prev_next_rel=False)(
        [document(ACT, metadata={"a": 1})]
    )
    assert all(node.metadata == {} for node in nodes)
    assert all(set(node.relationships) == {NodeRelationship.SOURCE} for node in nodes)


def test_links_hold_the_neighbours_as_they_are() -> None:
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


def test_repeated_text_is_found_at_its_own_place() -> None:
    places = []
    for node in parser()([document(REPEATED)]):
        assert isinstance(node, TextNode)
        assert REPEATED[node.start_char_idx : node.end_char_idx] == node.text
        places.append(node.start_char_idx or 0)
    assert places == sorted(set(places))


def test_the_documents_embedding_is_not_that_of_its_nodes() -> None:
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


def numbered_id(number: int, source: BaseNode) -> str:
    return f"{source.id_}:{number}"


def test_uniform_metadata_has_the_same_keys_everywhere() -> None:
    text = ACT + "\n## Table\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    nodes = parser(metadata_mode="uniform")([document(text), document("plain", "e")])
    assert len({tuple(node.metadata) for node in nodes}) == 1
    assert {type(value) for node in nodes for value in node.metadata.values()} == {str, int}
    assert all(": \n" not in text and not text.endswith(": ") for n in nodes for text in shown(n))


# -------------------------------------------------------------------- kinds of input


def test_other_media_pass_through(tmp_path_factory: pytest.TempPathFactory) -> None:
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


def test_breadcrumbs_of_nodes_that_are_split_again_stay_whole() -> None:
    once = {n.get_content(): n.metadata.get("breadcrumb") for n in parser()([document(ACT)])}
    twice = parser()(parser(400)([document(ACT)]))
    same = [node for node in twice if node.get_content() in once]
    assert len(same) > 2
    assert all(node.metadata["breadcrumb"] == once[node.get_content()] for node in same)
    for one, two in pairwise(twice):
        assert one.next_node is not None
        assert one.next_node.node_id == two.node_id


def test_parts_of_a_node_that_is_no_slice_stand_within_it() -> None:
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
            place = (node.start_char_idx, node.end_char_idx)
            assert (part.start_char_idx, part.end_char_idx) == place


def test_a_text_node_without_a_source_is_its_own() -> None:
    nodes = parser()([TextNode(text=ACT, id_="t")])
    assert {node.ref_doc_id for node in nodes} == {"t"}


def test_three_of_ours_make_a_hierarchical_parser() -> None:
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


def test_pages_of_a_file_are_one_document() -> None:
    """A section that continues on the next page keeps its heading and its sentence."""
    sources = pages("# A\n\nThe pump shall", "be mounted level.\n\n## B\n\nOther.", "Last words.")
    [node] = parser(merge_pages=True)(sources)
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


# -------------------------------------------------------------------- the contract of a component


def test_it_is_a_component_with_a_name_and_fields() -> None:
    assert isinstance(parser(), NodeParser | TransformComponent)
    assert TreepackNodeParser.class_name() == "TreepackNodeParser"
    some = parser(encoding_name="o200k_base")
    fields = {name: getattr(some, name) for name in TreepackNodeParser.model_fields}
    assert TreepackNodeParser(**fields).to_dict() == some.to_dict()
    defaults = TreepackNodeParser.from_defaults(callback_manager=None, id_func=None)
    assert defaults.to_dict() == TreepackNodeParser().to_dict()


def test_every_setting_of_the_core_can_be_given() -> None:
    """A setting that the core gains must reach the adapters."""
    names = {FRAMEWORK_NAMES.get(name, name) for name in PackConfig.model_fields}
    assert names <= set(TreepackNodeParser.model_fields)


@pytest.mark.parametrize(
    "wrong",
    [
        {"chunk_size": 0},
        {"chunk_size": 64, "chunk_overlap": 65},
        {"chunk_size": 64, "chunk_overlap": -1},
        {"chunk_size": 64, "target_size": 100},
        {"chunk_size": 8},
        {"metadata_mode": "other"},
        {"encoding_name": "no such"},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"chunk_|target_size|at least|metadata_mode|no such"):
        TreepackNodeParser(**wrong)


def test_it_can_be_written_and_read() -> None:
    some = parser(overlap_separator="---", chunk_overlap=8)
    record = json.loads(some.to_json())
    assert "callback_manager" not in record
    again = TreepackNodeParser.from_dict(record)
    assert again.to_dict() == some.to_dict()
    assert seen(again([document(ACT)])) == seen(some([document(ACT)]))


def words(text: str) -> list[str]:
    return text.split()


def test_a_function_is_written_by_name_and_must_be_given_again() -> None:
    some = parser(20, tokenizer=words, id_func=numbered_id)
    assert max(len(node.get_content().split()) for node in some([document(ACT)])) <= 20
    record = some.to_dict()
    with pytest.raises(ValueError, match="tokenizer"):
        TreepackNodeParser.from_dict({**record, "id_func": None})
    with pytest.raises(ValueError, match="numbered_id"):
        TreepackNodeParser.from_dict({**record, "tokenizer": None})
    again = TreepackNodeParser.from_dict(record, tokenizer=words, id_func=numbered_id)
    assert again.to_dict() == record


@pytest.mark.parametrize(
    "other",
    [
        {"chunk_size": 99},
        {"encoding_name": "o200k_base"},
        {"breadcrumb_separator": "/"},
        {"include_metadata": False},
        {"tokenizer": len},
        {"tokenizer": words},
        {"repeat_heading": True},
        {"stable_ids": False},
        {"input_format": "text"},
        {"outline": "trust"},
    ],
)
def test_the_cache_key_sees_every_setting(other: dict[str, Any]) -> None:
    node = TextNode(text="x")
    plain = get_transformation_hash([node], TreepackNodeParser())
    assert plain == get_transformation_hash([node], TreepackNodeParser())
    assert plain != get_transformation_hash([node], TreepackNodeParser(**other))
    assert " at 0x" not in str(TreepackNodeParser(**other).to_dict())


def test_the_cache_key_tells_tokenizers_of_one_name_apart() -> None:
    one, two = (parser(tokenizer=lambda text, n=n: len(text) // n) for n in (2, 3))
    node = TextNode(text="x")
    assert get_transformation_hash([node], one) != get_transformation_hash([node], two)


@pytest.mark.slow
def test_the_cache_key_is_the_same_in_any_process() -> None:
    code = (
        "from llama_index.core.ingestion.pipeline import get_transformation_hash as h;"
        "from llama_index.core.schema import TextNode;"
        "from treepack import TreepackNodeParser as P;"
        "print(h([TextNode(text='x')], P()))"
    )
    assert len(printed(code)) == 1


def test_it_pickles_small_and_whole(caplog: pytest.LogCaptureFixture) -> None:
    some = parser(id_func=numbered_id, tokenizer=words)
    with caplog.at_level(logging.WARNING):
        data = pickle.dumps(some)
    assert len(data) < 2_000
    assert not caplog.records
    assert seen(pickle.loads(data)([document(ACT)])) == seen(some([document(ACT)]))  # noqa: S301 - ours


def test_a_tokenizer_that_cannot_be_pickled_is_not_lost_silently() -> None:
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(parser(tokenizer=lambda text: text.split()))


def test_async_gives_the_same() -> None:
    async def many() -> list[list[BaseNode]]:
        return await asyncio.gather(*(parser().acall([document(ACT)]) for _ in range(3)))

    assert all(seen(nodes) == seen(parser()([document(ACT)])) for nodes in asyncio.run(many()))


def test_events_and_progress() -> None:
    handler = LlamaDebugHandler(print_trace_on_end=False)
    some = parser(callback_manager=CallbackManager([handler]))
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors):
        nodes = some.get_nodes_from_documents([document(ACT)], show_progress=True)
    [(_, end)] = handler.get_event_pairs(CBEventType.NODE_PARSING)
    assert end.payload is not None
    assert end.payload["nodes"] == nodes
    assert "Parsing nodes" in errors.getvalue()
    some.split_text(ACT)
    assert len(handler.get_event_pairs(CBEventType.CHUNKING)) == 1


def test_it_is_silent_and_takes_unknown_keywords(capsys: pytest.CaptureFixture[str]) -> None:
    assert parser()([document(ACT)], unknown=1)
    assert capsys.readouterr() == ("", "")


def test_the_global_settings_can_change_its_size() -> None:
    Settings.node_parser = parser(128, target_size=128, chunk_overlap=100)
    try:
        Settings.chunk_size = 77
        assert Settings.node_parser([document(ACT)])
        assert all(
            max(map(count, shown(node))) <= 77 for node in Settings.node_parser([document(ACT)])
        )
    finally:
        Settings.node_parser = None  # type: ignore[assignment] # back to the default


# -------------------------------------------------------------------- pipelines and indexes


def test_a_pipelines_cache_gives_back_equal_nodes() -> None:
    pipeline = IngestionPipeline(transformations=[parser()])
    sources = [document(ACT, metadata={"title": "T"})]
    first, second = pipeline.run(documents=sources), pipeline.run(documents=sources)
    assert [node.to_dict() for node in first] == [node.to_dict() for node in second]


def test_a_pipelines_docstore_takes_only_what_changed() -> None:
    pipeline = IngestionPipeline(
        transformations=[parser(), MockEmbedding(embed_dim=4)],
        docstore=SimpleDocumentStore(),
        vector_store=SimpleVectorStore(),
        docstore_strategy=DocstoreStrategy.UPSERTS,
    )
    sources = [document(ACT, "a"), document(clauses(4), "b")]
    assert len(pipeline.run(documents=sources)) > 4
    assert list(pipeline.run(documents=sources)) == []
    changed = [sources[0], document(clauses(5), "b")]
    assert {node.ref_doc_id for node in pipeline.run(documents=changed)} == {"b"}


def test_an_early_edit_leaves_nearly_all_nodes_as_they_are() -> None:
    """Law 10 through the adapter: ids and hashes of 97 in 100 nodes survive."""
    text = clauses(200)
    before = {(node.id_, node.hash) for node in parser(128)([document(text)])}
    edited = text.replace("# Terms\n\n", "# Terms\n\nA paragraph that was not there before.\n\n")
    after = {(node.id_, node.hash) for node in parser(128)([document(edited)])}
    assert len(before) >= 200
    assert len(before & after) >= 0.97 * len(before)


def test_an_index_refreshes_and_forgets_documents() -> None:
    sources = [document(ACT, "a"), document(clauses(2), "b")]
    index = VectorStoreIndex.from_documents(
        sources, transformations=[parser()], embed_model=MockEmbedding(embed_dim=4)
    )
    assert index.refresh_ref_docs(sources) == [False, False]
    index.delete_ref_doc("a", delete_from_docstore=True)
    assert set(index.ref_doc_info) == {"b"}


class _HashedDocument(Document):
    """A document that counts how often its whole text is hashed."""

    times: int = 0

    @property
    def hash(self) -> str:
        self.times += 1
        return super().hash


def test_a_document_is_hashed_equally_often_however_many_sections_it_has() -> None:
    few, many = (
        _HashedDocument(text="".join(f"# Part {i}\n\n{'Words of it. ' * 30}\n\n" for i in range(n)))
        for n in (3, 60)
    )
    parser = TreepackNodeParser(chunk_size=128)
    assert len(parser.get_nodes_from_documents([few])) < len(
        parser.get_nodes_from_documents([many])
    )
    assert few.times == many.times

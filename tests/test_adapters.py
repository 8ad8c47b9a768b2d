"""What both adapters share: the mapping of a record, pages, and levels of chunks.

Records are made by hand where packing does not fill a field yet.
"""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document as LangDocument
from llama_index.core import Document
from llama_index.core.node_parser import get_leaf_nodes, get_root_nodes
from strategies import generated

from treepack import (
    Chunk,
    PackConfig,
    Reference,
    Source,
    TableSlice,
    TreepackNodeParser,
    TreepackTextSplitter,
    pack,
    parse,
)
from treepack import Document as Parsed
from treepack.integrations import langchain, llama_nodes
from treepack.integrations.metadata import (
    KEYS,
    Style,
    chunk_metadata,
    headings_above,
    inherited,
    label_of,
)
from treepack.integrations.pages import page_number, runs_of_pages, shared_metadata, stitch
from treepack.packing.rendering import Label, narrowed

TEXT = "# Act\n\n## Duties\n\nThe controller shall notify.\n"


def rich_chunk() -> tuple[Chunk, Parsed]:
    """A record that has something to say in each field."""
    document = parse(TEXT)
    [chunk] = pack(document)
    table = TableSlice(
        id="t", caption="Table 1: Limits", columns=("A", "B"), row_start=2, row_end=3, row_count=9
    )
    reference = Reference(text="see 5.1", kind="clause", target="5.1")
    more = {
        "clause_number": "12(3)(a)",
        "clauses": ("12(3)(a)", "12(3)(b)"),
        "tables": (table,),
        "references": (reference,),
        "kinds": ("text", "table"),
        "pages": (7, 8),
        "parent_id": "p",
    }
    return chunk.model_copy(update=more), document


def described(chunk: Chunk, document: Parsed, **style: Any) -> dict[str, Any]:  # noqa: ANN401 - style
    place = label_of(chunk, document)
    return chunk_metadata(chunk, place, place.breadcrumb, "", Style(**style))


# -------------------------------------------------------------------- the mapping


def test_every_field_has_its_key() -> None:
    chunk, document = rich_chunk()
    assert described(chunk, document) == {
        "breadcrumb": "Act > Duties",
        "breadcrumb_json": '["Act", "Duties"]',
        "clause": "12(3)(a)",
        "clauses_json": '["12(3)(a)", "12(3)(b)"]',
        "references_json": '[{"text": "see 5.1", "kind": "clause", "target": "5.1", '
        '"section_id": null}]',
        "kinds": "text,table",
        "table_caption": "Table 1: Limits",
        "table_columns_json": '["A", "B"]',
        "table_id": "t",
        "table_row_start": 2,
        "table_row_end": 3,
        "table_row_count": 9,
        "page_start": 7,
        "page_end": 8,
        "chunk_id": chunk.id,
        "parent_id": "p",
    }


def test_native_values_are_lists() -> None:
    chunk, document = rich_chunk()
    native = described(chunk, document, mode="native")
    assert native["breadcrumb_list"] == ["Act", "Duties"]
    assert native["kinds"] == ["text", "table"]
    assert native["references_list"][0]["target"] == "5.1"
    assert set(native) <= KEYS


def test_uniform_metadata_says_where_there_is_nothing() -> None:
    document = parse("plain")
    [chunk] = pack(document)
    uniform = described(chunk, document, mode="uniform")
    assert (uniform["breadcrumb"], uniform["clause"], uniform["table_row_start"]) == ("", "", -1)
    assert set(uniform) == set(described(*rich_chunk(), mode="uniform"))


def test_a_clause_and_a_caption_take_their_share_of_the_cap() -> None:
    """Before the core knows of them, the breadcrumb makes room."""
    names = tuple(f"Heading {i}" for i in range(3))
    seen = list(narrowed(Label(names, "12(3)(a)", "Caption")))
    assert seen[0] == Label(names, "12(3)(a)", "Caption")
    assert seen[2] == Label(names[2:], "12(3)(a)", "Caption")
    assert seen[3] == Label(names[2:], "12(3)(a)", None)
    assert seen[-2:] == [Label((), "12(3)(a)"), Label()]


def test_bare_headings_lead_to_the_section_that_holds_the_text() -> None:
    for text, place in (
        (TEXT, ("Act", "Duties")),
        ("# Act\n\nIntro.\n\n## Duties\n\nx\n", ("Act",)),
        ("# Act\n\n## One\n\nx\n\n## Two\n\ny\n", ("Act",)),
        ("# A > B\n\n## C\n\nx\n", ("A > B", "C")),
    ):
        document = parse(text)
        [chunk] = pack(document)
        assert label_of(chunk, document).breadcrumb == place


def test_of_a_chunk_that_is_split_again_only_the_place_is_kept() -> None:
    chunk, document = rich_chunk()
    told = {"source": "a", **described(chunk, document)}
    assert inherited(told) == {"source": "a", "page_start": 7, "page_end": 8}
    assert inherited({"clause": "mine"}) == {"clause": "mine"}
    for mode in ("sparse", "native"):
        told = described(chunk, document, mode=mode)
        assert headings_above(told, parse(chunk.text)) == ()
        assert headings_above(told, parse("The controller shall notify.")) == ("Act", "Duties")
        assert headings_above(told, parse("## Duties\n\nThe")) == ("Act",)


# -------------------------------------------------------------------- pages


@generated
@given(st.lists(st.text(st.sampled_from("ab A.\n"), max_size=12), min_size=1, max_size=5))
def test_stitched_pages_stand_where_they_are_said_to(texts: list[str]) -> None:
    stitched = stitch(texts, range(7, 7 + len(texts)))
    for start, text in zip(stitched.starts, texts, strict=True):
        assert stitched.text[start:].startswith(text.rstrip())
    assert "".join(stitched.text.split()) == "".join("".join(texts).split())


def test_page_numbers() -> None:
    assert page_number({"page_label": "7", "page": 3}, 1) == 7
    assert page_number({"page_label": "iv", "page": 3}, 1) == 3
    assert page_number({"page_label": "iv"}, 4) == 4


def test_only_neighbouring_pages_of_a_file_are_merged() -> None:
    items: list[dict[str, Any]] = [
        {"source": "a", "page": 1},
        {"source": "a", "page": 2},
        {"source": "b", "page": 1},
        {"source": "a"},
        {"page": 1},
        {"page": 2},
    ]
    runs = list(runs_of_pages(items, lambda item: item))
    assert [len(run) for run in runs] == [2, 1, 1, 1, 1]
    assert shared_metadata([{"a": 1, "b": 1, "page": 1}, {"a": 1, "b": 2, "page": 2}]) == {"a": 1}


def test_a_chunk_knows_its_pages() -> None:
    text = "First page.\n\n" + "Second page. " * 12 + "\n\nThird page."
    marks = ((0, 1), (13, 2), (text.index("Third"), 3))
    config = PackConfig(max_tokens=24, min_tokens=0)
    chunks = pack(Source(text, page_marks=marks), config)
    assert chunks[0].pages[0] == 1
    assert chunks[-1].pages[-1] == 3
    assert [page for chunk in chunks for page in chunk.pages] == sorted(
        page for chunk in chunks for page in chunk.pages
    )
    assert pack(text)[0].pages == ()


# -------------------------------------------------------------------- levels


class TwoLevels:
    """Packs in two levels, as the core will: each child lies in one parent."""

    def __init__(self, config: PackConfig, **_: object) -> None:
        self.config = config

    def pack(self, document: Parsed) -> list[Chunk]:
        """Parents first, then their children."""
        parents = list(pack(document, PackConfig(max_tokens=200)))
        children = pack(document, self.config)
        found = [
            child.model_copy(update={"parent_id": self._parent(child, parents).id, "level": 1})
            for child in children
        ]
        return [*parents, *found]

    def _parent(self, child: Chunk, parents: Sequence[Chunk]) -> Chunk:
        return next(parent for parent in reversed(parents) if parent.lines[0] <= child.lines[0])


TERMS = "# Terms\n\n" + "".join(
    f"## Clause {i}\n\n" + f"Sentence number {i} about topic {i}. " * 20 + "\n\n" for i in range(6)
)


def test_levels_become_parents_and_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama_nodes, "Packer", TwoLevels)
    nodes = TreepackNodeParser(chunk_size=64)([Document(text=TERMS, id_="d")])
    leaves, roots = get_leaf_nodes(nodes), get_root_nodes(nodes)
    assert len(leaves) + len(roots) == len(nodes)
    assert len(roots) > 2
    by_id = {node.node_id: node for node in nodes}
    for leaf in leaves:
        assert leaf.parent_node is not None
        parent = by_id[leaf.parent_node.node_id]
        assert parent.child_nodes is not None
        assert leaf.as_related_node_info() in parent.child_nodes
        assert leaf.metadata["parent_id"] == parent.metadata["chunk_id"]
        assert leaf.next_node is None or by_id[leaf.next_node.node_id] in leaves
    assert {root.ref_doc_id for root in roots} == {"d"}


def test_levels_fill_a_docstore(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(langchain, "Packer", TwoLevels)
    splitter = TreepackTextSplitter(64)
    sources = [LangDocument(TERMS, metadata={"source": name}) for name in ("a", "b")]
    leaves, parents = splitter.split_with_parents(sources)
    docstore = dict(parents)
    assert len(docstore) == len(parents)
    assert all(leaf.metadata["parent_id"] in docstore for leaf in leaves)
    assert leaves == splitter.split_documents(sources)
    assert {json.dumps(parent.metadata["source"]) for parent in docstore.values()} == {'"a"', '"b"'}

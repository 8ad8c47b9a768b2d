"""LlamaIndex nodes from chunk records: budget, metadata, positions and relations."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from llama_index.core.node_parser.node_utils import build_nodes_from_splits
from llama_index.core.schema import (
    BaseNode,
    Document,
    ImageDocument,
    ImageNode,
    IndexNode,
    MetadataMode,
    NodeRelationship,
    RelatedNodeInfo,
    TextNode,
)

from treepack.config import PackConfig
from treepack.integrations.families import family_records
from treepack.integrations.formats import InputFormat
from treepack.integrations.inputs import InputText, chunk_span, read_input
from treepack.integrations.llama_index.retriever import record_node
from treepack.integrations.metadata import (
    EMBEDDED,
    FRONT_MATTER,
    ChunkLabel,
    MetadataStyle,
    clause_of,
    front_matter,
    is_named_in,
    narrowed,
    own_name,
    with_breadcrumb,
)
from treepack.integrations.pages import JoinedDocuments, MergePages, runs_of_pages
from treepack.packing import Chunk, Chunks
from treepack.packing.context import SEPARATOR
from treepack.tokens import token_counter

IdMaker = Callable[[int, BaseNode, Chunk], str]

_SHOWN_MODES: Final = (MetadataMode.EMBED, MetadataMode.LLM)
_PLACEHOLDER: Final = "\0treepack\0"  # in place of the text while a template is rendered
_WORD: Final = "x"  # in place of texts that are counted elsewhere


class MadeNode(NamedTuple):
    """A finished node, and what determines its links: the id of its document, and its level.

    A node that is passed through has no family.
    """

    node: BaseNode
    family: str | None = None
    level: int = 0


@dataclass(frozen=True)
class NodeSettings:
    """The limits of nodes, how their metadata is written, and how their ids are made.

    ``with_reserve`` returns the limits with all caps lowered by a number of tokens. ``make_id``
    makes a node's id from its number, the document it begins in, and the record.
    """

    config: PackConfig
    with_reserve: Callable[[int], PackConfig]
    style: MetadataStyle
    input_format: InputFormat
    has_metadata: bool
    make_id: IdMaker


def joined_nodes(
    nodes: Iterable[BaseNode], merge_pages: MergePages
) -> Iterator[JoinedDocuments[BaseNode]]:
    """Yield what is packed as one text; a node that has no text to be cut is alone."""

    def metadata(node: BaseNode) -> dict[str, Any]:
        is_from_split = merge_pages == "auto" and node.source_node is not None
        return node.metadata if has_text(node) and not is_from_split else {}

    return runs_of_pages(nodes, metadata, merge_pages)


def has_text(node: BaseNode) -> bool:
    """Whether a node is text to be cut; images, index nodes and other media are passed through."""
    if isinstance(node, Document):
        media = (node.image_resource, node.audio_resource, node.video_resource)
        return isinstance(node, ImageDocument) or bool(node.text.strip()) or not any(media)
    return isinstance(node, TextNode) and not isinstance(node, ImageNode | IndexNode)


class NodeMaker:
    """Makes the nodes of a document, a node that is split again, or the pages of a file.

    Templates and exclusions are those of the ``first`` page.
    """

    def __init__(self, joined: JoinedDocuments[BaseNode], settings: NodeSettings) -> None:
        self.pages, self.first = joined.items, joined.items[0]
        self.settings, self.style = settings, settings.style
        self.count = token_counter(settings.config.encoding)
        texts = [
            InputText(page.get_content(MetadataMode.NONE), page.metadata, bool(page.source_node))
            for page in joined.items
        ]
        self.input = read_input(
            texts, settings.config, settings.input_format, are_pages=joined.are_pages
        )
        front = [FRONT_MATTER, *map(str, self.input.document.metadata)]
        inherited = self.input.metadata_by_text[0]
        self.hidden = [key for key in front if key not in inherited]  # documents do not have them

    def make(self) -> list[MadeNode]:
        """Return the nodes; their only relations are to their source, parents and children."""
        chunks = self._pack()
        nodes = self._build_nodes(chunks)
        for node, chunk in zip(nodes, chunks, strict=False):  # an image may have no text
            number, span = self.input.position(chunk)
            if span is not None:
                positions = _source_span(self.pages[number], span)
                node.start_char_idx, node.end_char_idx = positions
            node.relationships = {NodeRelationship.SOURCE: self.sources[number]}
            if self.settings.has_metadata:
                self._set_metadata(node, chunk)
        _link_levels(nodes, chunks)
        family = self.sources[0].node_id
        levels = [chunk.level for chunk in chunks] or [0]
        return [MadeNode(node, family, level) for node, level in zip(nodes, levels, strict=False)]

    def records(self) -> list[TextNode]:
        """Return the records of the nodes, for the docstore of a `TreepackRetriever`."""
        families = family_records(self._pack(), self.input.key)
        return [record_node(key, text) for key, text in families]

    @cached_property
    def sources(self) -> list[RelatedNodeInfo]:
        """For each page, the document that its nodes come from."""
        return [page.source_node or page.as_related_node_info() for page in self.pages]

    def _pack(self) -> Chunks:
        reserve = self._reserve() if self.settings.has_metadata else 0
        return self.input.pack(self.settings.with_reserve(reserve))

    def _build_nodes(self, chunks: Chunks) -> list[TextNode]:
        texts = [chunk.text for chunk in chunks]
        if not texts and isinstance(self.first, ImageDocument):
            nodes = build_nodes_from_splits([""], self.first)  # an image is more than its text
            inherited = self.input.metadata_by_text[0] if self.settings.has_metadata else {}
            nodes[0].metadata = dict(inherited)
            return nodes
        pages = [self.pages[self.input.position(chunk)[0]] for chunk in chunks]

        def id_of(i: int, doc: BaseNode) -> str:  # noqa: ARG001 - LlamaIndex's signature
            return self.settings.make_id(i, pages[i], chunks[i])

        nodes = build_nodes_from_splits(texts, self.first, id_func=id_of)
        for node in nodes:
            node.embedding = None  # the document's embedding is not that of a part of it
        return nodes

    def _set_metadata(self, node: TextNode, chunk: Chunk) -> None:
        """Set a node's metadata, with as much of citation and breadcrumb as fits within the cap."""
        given = self.input
        _, clause_path = clause_of(chunk, given.document, given.clauses)
        full, front = given.label(chunk), front_matter(chunk, self.style.mode)
        values = given.own_metadata(chunk, full, self.style)
        inherited = given.metadata_by_text[given.position(chunk)[0]]
        is_in_text = chunk.embed_text == chunk.text
        for label in narrowed(full):
            shown = with_breadcrumb(values, label.breadcrumb, self.style, given.taken)
            node.metadata = {**front, **inherited, **shown}
            seen = [(label, True), (label, False)]
            if is_in_text:  # the text names the whole path: hide it, do not shorten it
                seen.append((ChunkLabel(), False))
            for each, is_cited in seen:
                self._hide(node, shown, each, clause_path, is_cited=is_cited)
                if chunk.oversize or self._fits(node, chunk):
                    return

    def _hide(
        self,
        node: TextNode,
        own: Mapping[str, Any],
        label: ChunkLabel,
        clause: tuple[str, ...] = (),
        *,
        is_cited: bool,
    ) -> None:
        """Hide treepack's keys, except breadcrumb, clause and caption, or citation for a model.

        A model sees the breadcrumb only if the citation does not repeat it.
        """
        names = {key: own_name(key, self.input.taken) for key in (*EMBEDDED, "citation")}
        embedded = {names[key] for key, value in zip(EMBEDDED, label, strict=True) if value}
        shown = embedded - {names["clause"]}
        if is_named_in(clause, label.breadcrumb):
            embedded = shown  # the clause is embedded once, in the breadcrumb
        if is_cited:
            cited = str(own.get(names["citation"], ""))
            shown = {*shown, names["citation"]}
            if SEPARATOR.join(label.breadcrumb) in cited:
                shown -= {names["breadcrumb"]}
        else:
            shown = embedded
        node.excluded_embed_metadata_keys, node.excluded_llm_metadata_keys = (
            list(dict.fromkeys([*given, *self.hidden, *(key for key in own if key not in seen)]))
            for given, seen in (
                (self.first.excluded_embed_metadata_keys, embedded),
                (self.first.excluded_llm_metadata_keys, shown),
            )
        )

    def _fits(self, node: TextNode, chunk: Chunk) -> bool:
        """Whether what is embedded or shown is within the cap."""
        cap, (start, end) = self.settings.config.cap(chunk.level), chunk_span(chunk)
        document = self.input.document
        is_slice = document.source.text[start:end] == chunk.text
        for content in {node.get_content(metadata_mode=mode) for mode in _SHOWN_MODES}:
            before, text, after = content.partition(chunk.text)
            if is_slice and text:  # counted in a tenth of the time
                tokens = document.tokens.count_slice_in(before, start, end, after)
            else:
                tokens = self.count(content)
            if tokens > cap:
                return False
        return True

    # ---------------------------------------------------------------- budget

    def _fixed_tokens(self, inherited: dict[str, Any], above: tuple[str, ...] = ()) -> int:
        """Return the tokens around a text: of the breadcrumb, its key and headings ``above``."""
        node, key = self._probe, own_name("breadcrumb", self.input.taken)
        node.set_content(_PLACEHOLDER)
        node.metadata = {**inherited, key: self.style.separator.join((*above, _WORD))}
        self._hide(node, {key: _WORD}, ChunkLabel((_WORD,)), is_cited=False)
        forms = [node.get_content(metadata_mode=mode) for mode in _SHOWN_MODES]
        if any(form.count(_PLACEHOLDER) > 1 for form in forms):
            msg = "text_template contains {content} more than once: use it once"
            raise ValueError(msg)
        shown = [form.replace(_PLACEHOLDER, _WORD) for form in forms if form != _PLACEHOLDER]
        return max(map(self.count, shown), default=0)

    @cached_property
    def _probe(self) -> TextNode:
        """One node for all pages, because LlamaIndex hashes the whole document for each node."""
        [node] = build_nodes_from_splits([""], self.first)
        return node

    def _reserve(self) -> int:
        """Return the most tokens that template and document metadata take in a node."""
        config, first, reserve = self.settings.config, self.first, 0
        longest = max(self.input.metadata_by_text, key=self._fixed_tokens)
        for above in (self.input.above, ()):  # a breadcrumb that is too long is shortened
            reserve = self._fixed_tokens(longest, above)
            if config.max_tokens - reserve >= config.least_cap:
                return reserve
        hidden = {*first.excluded_embed_metadata_keys} & {*first.excluded_llm_metadata_keys}
        sizes = {
            key: self.count(first.metadata_template.format(key=key, value=value))
            for key, value in longest.items()
            if key not in hidden
        }
        largest_keys = sorted(sizes, key=lambda key: -sizes[key])[:3]
        largest = ", ".join(f"{key!r} ({sizes[key]})" for key in largest_keys)
        msg = (
            f"Metadata length ({reserve} tokens, with text_template) leaves no room for text "
            f"within chunk size {config.max_tokens}; the largest keys are {largest}. Raise "
            "chunk_size, or put keys into excluded_embed_metadata_keys and "
            "excluded_llm_metadata_keys"
        )
        raise ValueError(msg)


def link_neighbours(nodes: list[MadeNode]) -> None:
    """Set PREVIOUS and NEXT among the nodes of one document and level.

    The nodes must be complete by now, because a link holds a neighbour's metadata and hash.
    """
    last_nodes: dict[tuple[str, int], tuple[BaseNode, RelatedNodeInfo]] = {}
    for node, family, level in nodes:
        if family is None:
            continue
        info = node.as_related_node_info()
        if (family, level) in last_nodes:
            previous, previous_info = last_nodes[family, level]
            previous.relationships[NodeRelationship.NEXT] = info
            node.relationships[NodeRelationship.PREVIOUS] = previous_info
        last_nodes[family, level] = (node, info)


def _link_levels(nodes: list[TextNode], chunks: Chunks) -> None:
    """Set PARENT and CHILD between nodes whose chunks are packed in levels."""
    by_chunk = {chunk.id: node for chunk, node in zip(chunks, nodes, strict=False)}
    for chunk, node in zip(chunks, nodes, strict=False):
        if chunk.parent_id is None:
            continue
        parent = by_chunk[chunk.parent_id]
        node.relationships[NodeRelationship.PARENT] = parent.as_related_node_info()
        children = parent.child_nodes or []
        parent.relationships[NodeRelationship.CHILD] = [*children, node.as_related_node_info()]


def _source_span(node: BaseNode, span: tuple[int, int]) -> tuple[int | None, int | None]:
    """Return where a part of a node's text is in the document that the node comes from.

    If a node that is split again is not a slice of its document, as its positions and its length
    show, the result is the node's own positions: the part is somewhere between them.
    """
    if node.source_node is None:
        return span
    if not isinstance(node, TextNode):
        return None, None
    start, end = node.start_char_idx, node.end_char_idx
    if start is None or end != start + len(node.text):
        return start, end
    return start + span[0], start + span[1]

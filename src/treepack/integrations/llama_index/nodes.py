"""LlamaIndex nodes from chunk records: budget, metadata, positions and relations."""

from collections.abc import Callable, Iterable, Iterator
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
from treepack.integrations.chunk_clauses import clause_of
from treepack.integrations.families import family_records
from treepack.integrations.formats import InputFormat
from treepack.integrations.inputs import InputText, read_input
from treepack.integrations.llama_index.retriever import record_node
from treepack.integrations.metadata import (
    EMBEDDED,
    KEYS,
    MetadataStyle,
    chunk_metadata,
    chunk_span,
    front_matter,
    is_named_in,
    label_of,
    with_breadcrumb,
)
from treepack.integrations.pages import MergePages, runs_of_pages
from treepack.packing import Chunk, Packer
from treepack.packing.templates import ChunkLabel, Form, Template, narrowed
from treepack.tokens import token_counter

IdMaker = Callable[[int, BaseNode, Chunk], str]

_SHOWN_MODES: Final = (MetadataMode.EMBED, MetadataMode.LLM)
_PLACEHOLDER: Final = "\0treepack\0"  # in place of the text while a template is rendered


class MadeNode(NamedTuple):
    """A finished node, and what determines its links: the id of its document, and its level.

    A node that is passed through has no family.
    """

    node: BaseNode
    family: str | None = None
    level: int = 0


@dataclass(frozen=True)
class NodeSettings:
    """The limits of nodes, and how their metadata is written.

    ``with_reserve`` returns the limits with all caps lowered by a number of tokens.
    """

    config: PackConfig
    with_reserve: Callable[[int], PackConfig]
    style: MetadataStyle
    input_format: InputFormat
    has_metadata: bool


@dataclass(frozen=True)
class JoinedNodes:
    """What is packed as one text: a document, a node that is split again, the pages of a file."""

    pages: tuple[BaseNode, ...]
    are_pages: bool = False

    @property
    def first(self) -> BaseNode:
        """The document that templates and exclusions are taken from."""
        return self.pages[0]

    @cached_property
    def sources(self) -> tuple[RelatedNodeInfo, ...]:
        """For each page, the document that its nodes come from."""
        return tuple(page.source_node or page.as_related_node_info() for page in self.pages)


def joined_nodes(
    nodes: Iterable[BaseNode], merge_pages: MergePages
) -> Iterator[JoinedNodes | BaseNode]:
    """Yield the pieces to pack; a node that has no text to be cut is yielded unchanged."""

    def metadata(node: BaseNode) -> dict[str, Any]:
        is_from_split = merge_pages == "auto" and node.source_node is not None
        return node.metadata if _has_text(node) and not is_from_split else {}

    for run in runs_of_pages(nodes, metadata, merge_pages):
        if _has_text(run.items[0]):
            yield JoinedNodes(tuple(run.items), run.are_pages)
        else:
            yield from run.items


def _has_text(node: BaseNode) -> bool:
    """Whether a node is text to be cut; images, index nodes and other media are passed through."""
    if isinstance(node, Document):
        media = (node.image_resource, node.audio_resource, node.video_resource)
        return isinstance(node, ImageDocument) or bool(node.text.strip()) or not any(media)
    return isinstance(node, TextNode) and not isinstance(node, ImageNode | IndexNode)


class NodeMaker:
    """Makes the nodes of one piece.

    ``make_id`` makes a node's id from its number, the document it begins in, and the record.
    """

    def __init__(self, joined: JoinedNodes, settings: NodeSettings, make_id: IdMaker) -> None:
        self.joined = joined
        self.settings = settings
        self.make_id = make_id
        self.count = token_counter(settings.config.encoding)
        texts = [
            InputText(page.get_content(MetadataMode.NONE), page.metadata, bool(page.source_node))
            for page in joined.pages
        ]
        self.input = read_input(
            texts, settings.config, settings.input_format, are_pages=joined.are_pages
        )
        self.document, self.clauses = self.input.document, self.input.clauses
        self.style = settings.style
        empty: dict[str, Any] = {}
        self.metadatas = self.input.metadata_by_text if settings.has_metadata else (empty,)
        self.above = self.input.above if settings.has_metadata else ()
        self.longest = self.metadatas[0]  # of all pages' metadata, that with the most tokens

    def make(self) -> list[MadeNode]:
        """Return the nodes; their only relations are to their source, parents and children."""
        chunks = self._pack()
        nodes = self._build_nodes(chunks)
        for node, chunk in zip(nodes, chunks, strict=False):  # an image may have no text
            self._set_position(node, chunk)
            if self.settings.has_metadata:
                self._set_metadata(node, chunk)
        _link_levels(nodes, chunks)
        family = self.joined.sources[0].node_id
        levels = [chunk.level for chunk in chunks] or [0]
        return [MadeNode(node, family, level) for node, level in zip(nodes, levels, strict=False)]

    def records(self) -> list[TextNode]:
        """Return the records of the nodes, for the docstore of a `TreepackRetriever`."""
        families = family_records(self._pack(), self.input.key)
        return [record_node(key, text) for key, text in families]

    def _pack(self) -> list[Chunk]:
        config, template = self.settings.config, None
        if self.settings.has_metadata:
            reserve = self._reserve()
            config = self.settings.with_reserve(reserve)
            template = Template(self._forms, self.above, reserve)
        packer = Packer(config, template=template)
        return list(packer.pack(self.document, clauses=self.clauses))

    def _build_nodes(self, chunks: list[Chunk]) -> list[TextNode]:
        first = self.joined.first
        texts = [chunk.text for chunk in chunks]
        if not texts and isinstance(first, ImageDocument):
            nodes = build_nodes_from_splits([""], first)  # an image is more than its text
            nodes[0].metadata = dict(self.metadatas[0])
            return nodes
        pages = [self.joined.pages[self.input.position(chunk)[0]] for chunk in chunks]

        def id_of(i: int, doc: BaseNode) -> str:  # noqa: ARG001 - LlamaIndex's signature
            return self.make_id(i, pages[i], chunks[i])

        nodes = build_nodes_from_splits(texts, first, id_func=id_of)
        for node in nodes:
            node.embedding = None  # the document's embedding is not that of a part of it
        return nodes

    def _set_position(self, node: TextNode, chunk: Chunk) -> None:
        """Set a node's source document, and its positions there as far as they are known."""
        number, span = self.input.position(chunk)
        if span is not None:
            positions = _source_span(self.joined.pages[number], span)
            node.start_char_idx, node.end_char_idx = positions
        node.relationships = {NodeRelationship.SOURCE: self.joined.sources[number]}

    def _set_metadata(self, node: TextNode, chunk: Chunk) -> None:
        """Set a node's metadata, with as much of a long breadcrumb as fits within the cap."""
        clause = clause_of(chunk, self.document, self.clauses)
        full = label_of(chunk, self.document, self.clauses, self.above)
        front = front_matter(chunk, self.style.mode)
        values = chunk_metadata(chunk, full, self.clauses, self.input.key, self.style)
        page, _ = self.input.position(chunk)
        for label in narrowed(full):
            shown = with_breadcrumb(values, label.breadcrumb, self.style)
            self._assign(node, {**front, **shown}, label, self.metadatas[page], clause.path)
            if chunk.oversize or self._fits(node, chunk):
                return

    def _assign(
        self,
        node: TextNode,
        values: dict[str, Any],
        label: ChunkLabel,
        inherited: dict[str, Any],
        clause: tuple[str, ...] = (),
    ) -> None:
        first = self.joined.first
        document_values = {key: value for key, value in values.items() if key not in KEYS}
        chunk_values = {key: value for key, value in values.items() if key in KEYS}
        node.metadata = {**document_values, **inherited, **chunk_values}
        embedded = {key for key, value in zip(EMBEDDED, label, strict=True) if value}
        if is_named_in(clause, label.breadcrumb):
            embedded.discard("clause")  # it is embedded once, in the breadcrumb
        hidden = [key for key in document_values if key not in inherited]
        hidden += [key for key in chunk_values if key not in embedded]
        node.excluded_embed_metadata_keys = _merged(first.excluded_embed_metadata_keys, hidden)
        node.excluded_llm_metadata_keys = _merged(first.excluded_llm_metadata_keys, hidden)

    def _fits(self, node: TextNode, chunk: Chunk) -> bool:
        """Whether what is embedded or shown is within the cap."""
        cap, (start, end) = self.settings.config.cap(chunk.level), chunk_span(chunk)
        is_slice = self.document.source.text[start:end] == chunk.text
        for content in {node.get_content(metadata_mode=mode) for mode in _SHOWN_MODES}:
            before, text, after = content.partition(chunk.text)
            if is_slice and text:  # counted in a tenth of the time
                tokens = self.document.tokens.count_slice_in(before, start, end, after)
            else:
                tokens = self.count(content)
            if tokens > cap:
                return False
        return True

    # ---------------------------------------------------------------- budget

    def _forms(self, label: ChunkLabel) -> tuple[Form, ...]:
        """Return what LlamaIndex puts around a text with this label."""
        values = (self.style.separator.join(label.breadcrumb), label.clause, label.caption)
        label_values = {key: value for key, value in zip(EMBEDDED, values, strict=True) if value}
        texts = [
            form.partition(_PLACEHOLDER)
            for form in self._render(_PLACEHOLDER, label_values, label, self.longest)
        ]
        if any(_PLACEHOLDER in after for _, _, after in texts):
            msg = (
                "text_template contains {content} more than once, so chunk_size cannot be kept: "
                "use it once"
            )
            raise ValueError(msg)
        return tuple(dict.fromkeys((before, after) for before, _, after in texts))

    def _render(
        self, text: str, values: dict[str, Any], label: ChunkLabel, inherited: dict[str, Any]
    ) -> list[str]:
        """Render a node with this text and metadata, as it is embedded and as a model sees it."""
        node = self._probe
        node.set_content(text)
        self._assign(node, values, label, inherited)
        return [node.get_content(metadata_mode=mode) for mode in _SHOWN_MODES]

    @cached_property
    def _probe(self) -> TextNode:
        """One node for all forms, because LlamaIndex hashes the whole document for each node."""
        [node] = build_nodes_from_splits([""], self.joined.first)
        return node

    def _reserve(self) -> int:
        """Return the most tokens that template and document metadata take in a node.

        Raises:
            ValueError: They leave no room for text.
        """
        config = self.settings.config
        self.longest = max(self.metadatas, key=self._fixed_tokens)
        reserve = self._fixed_tokens(self.longest)
        if config.max_tokens - reserve >= config.least_cap:
            return reserve
        largest = ", ".join(f"{key!r} ({tokens})" for tokens, key in self._largest_keys()[:3])
        msg = (
            f"Metadata length ({reserve} tokens, with text_template) leaves no room for text "
            f"within chunk size {config.max_tokens}; the largest keys are {largest}. Raise "
            "chunk_size, or put keys into excluded_embed_metadata_keys and "
            "excluded_llm_metadata_keys"
        )
        raise ValueError(msg)

    def _fixed_tokens(self, inherited: dict[str, Any]) -> int:
        return max(map(self.count, self._render("", {}, ChunkLabel(), inherited)))

    def _largest_keys(self) -> list[tuple[int, str]]:
        """Return the shown keys of the document's metadata with their tokens, largest first."""
        first = self.joined.first
        hidden_keys = {*first.excluded_embed_metadata_keys} & {*first.excluded_llm_metadata_keys}
        sizes = [
            (self.count(first.metadata_template.format(key=key, value=value)), key)
            for key, value in self.longest.items()
            if key not in hidden_keys
        ]
        return sorted(sizes, key=lambda size: -size[0])


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


def _link_levels(nodes: list[TextNode], chunks: list[Chunk]) -> None:
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


def _merged(keys: list[str], more: list[str]) -> list[str]:
    return list(dict.fromkeys([*keys, *more]))

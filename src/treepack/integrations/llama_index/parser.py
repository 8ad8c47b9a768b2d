"""LlamaIndex: `TreepackNodeParser`, a node parser that packs along the heading tree.

**The budget is exact.** LlamaIndex embeds, or shows to a model, a node's text in its template with
the metadata that is not excluded. Before anything is cut, LlamaIndex's own code renders a node of
the document with one word; its tokens are subtracted from the cap. The core counts the breadcrumb.
What else differs from node to node, clause, caption and citation, a finished node shows if it fits;
of a long breadcrumb, it shows as many headings as fit.
"""

import pickle
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Self, Unpack, cast

from pydantic import (
    ValidationInfo,
    WithJsonSchema,
    field_serializer,
    field_validator,
    model_validator,
)

from treepack.config import (
    FRAMEWORK_NAMES,
    PackConfig,
    Policies,
    PolicyFields,
    check_names,
    lowered,
)
from treepack.errors import missing_extra
from treepack.integrations.file_texts import read_file_text
from treepack.integrations.formats import InputFormat
from treepack.integrations.inputs import InputText, read_input
from treepack.integrations.metadata import MetadataStyle, Mode
from treepack.integrations.pages import MARKUP, MergePages
from treepack.integrations.settings import (
    REPLACED_ARGUMENTS,
    FrameworkSizes,
    FunctionCounter,
    complete_settings,
    core_settings,
    fingerprint_of_sentences,
    make_config,
)
from treepack.model.section import stable_id
from treepack.packing import Chunk
from treepack.packing.packer import ALGORITHM
from treepack.presets import Preset
from treepack.readers import ReadOptions
from treepack.readers.formats import DATA_SUFFIXES, suffixes
from treepack.sentences import SentenceSplitter
from treepack.tokens import token_counter

try:
    from llama_index.core.callbacks import CallbackManager, CBEventType, EventPayload
    from llama_index.core.node_parser.interface import MetadataAwareTextSplitter
    from llama_index.core.node_parser.node_utils import default_id_func
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import BaseNode, Document, TextNode
    from llama_index.core.utils import (
        get_tqdm_iterable,  # pyright: ignore[reportUnknownVariableType] - half typed
    )

    from treepack.integrations.llama_index.nodes import (
        MadeNode,
        NodeMaker,
        NodeSettings,
        has_text,
        joined_nodes,
        link_neighbours,
    )
except ModuleNotFoundError as error:
    raise missing_extra(error, {"llama_index"}, "TreepackNodeParser", "llama-index") from error

_DEFAULT_ID: Final = "default_id_func"

_REMEDIES: Final = {
    **REPLACED_ARGUMENTS,
    "length_function": "use tokenizer",
    "keep_separator": "no text is dropped; leave it out",
}


class ParserSettings(Policies, total=False):
    """The types of a parser's settings, for calls that take them by name."""

    chunk_size: int | None
    chunk_overlap: int | None
    target_size: int | None
    min_size: int | None
    encoding_name: str | None
    tokenizer: Callable[[str], Any] | None
    breadcrumb_separator: str | None
    metadata_mode: Mode | None
    merge_pages: MergePages | None
    input_format: InputFormat | None
    stable_ids: bool | None
    preset: Preset | None
    include_metadata: bool | None
    include_prev_next_rel: bool | None
    callback_manager: CallbackManager | None
    id_func: Callable[[int, BaseNode], str] | None


# The last base class is the first to be shown: chunk_size and chunk_overlap.
class TreepackNodeParser(PolicyFields, MetadataAwareTextSplitter, FrameworkSizes):
    """Packs documents into nodes along their heading tree; replaces any other node parser.

    Sizes are tokens of ``encoding_name``, or what ``tokenizer`` counts. Two parsers with equal
    settings give equal nodes, in any process.

    Attributes:
        chunk_size: Hard cap of what is embedded or shown to a model: text, template, metadata.
        target_size: Where a section's own long content is cut; 3/4 of ``chunk_size`` if None.
        min_size: Smaller chunks merge with a neighbour; at most 64 if None.
        chunk_overlap: The most of the previous node's end that is repeated.
        encoding_name: See `treepack.tokens.token_counter`.
        tokenizer: Counts in place of ``encoding_name``: a function that returns a text's tokens, or
            their number.
        breadcrumb_separator: Separates the headings in the metadata ``breadcrumb``.
        metadata_mode: See `treepack.integrations.metadata.Mode`.
        merge_pages: Join neighbouring documents that are pages or elements of one file. Source and
            inherited metadata of a node are those of the document in which it begins.
        input_format: The format of the documents; see `treepack.integrations.formats`. Nodes of
            HTML or DoclingDocument JSON have no positions.
        stable_ids: Give nodes ids that depend on the document's id, headings and text alone, so
            that an edit changes only the ids around it. A given ``id_func`` is used instead.
        preset: The preset to begin with; settings that are given override it.
        levels: Caps of parents and children; the last is ``chunk_size``. Parents come first.
        algorithm: Version of the packing, a part of each cache key; not to be set.

    All other settings are those of `treepack.PackConfig`. An unknown setting is refused.
    """

    preset: Preset | None = None
    tokenizer: Annotated[
        Callable[[str], Any] | None, WithJsonSchema({"type": ["string", "null"]})
    ] = None
    breadcrumb_separator: str = " > "
    metadata_mode: Mode = "lean"
    merge_pages: MergePages = "auto"
    input_format: InputFormat = "auto"
    stable_ids: bool = True
    algorithm: int = ALGORITHM

    if not TYPE_CHECKING:  # it would hide the fields from editors

        def __init__(self, **settings: Any) -> None:
            """Take settings by name: ``chunk_size=512``; see the class for all of them."""
            super().__init__(**settings)

    @classmethod
    def from_defaults(cls, **settings: Unpack[ParserSettings]) -> Self:
        """Make a parser with these settings; like in other node parsers, None means the default.

        Raises:
            ValueError: A setting does not exist, or a value makes no sense.
        """
        check_names(settings, cls.model_fields, _REMEDIES)
        given: dict[str, Any] = {**settings}
        return cls(**{name: value for name, value in given.items() if value is not None})

    @classmethod
    def class_name(cls) -> str:
        """The name under which the parser is serialised."""
        return "TreepackNodeParser"

    # ---------------------------------------------------------------- settings

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, data: Any) -> Any:
        """Fill in the preset's settings, so that a serialised parser can be read without it.

        Unknown names are refused here, because LlamaIndex's components ignore them: a misspelt cap
        would be no cap.
        """
        if not isinstance(data, dict):
            return data
        values = cast("dict[str, Any]", data)
        names = [name for name in values if name != "class_name"]  # to_dict writes it
        check_names(names, cls.model_fields, _REMEDIES)
        return complete_settings(values, values.get("preset"))

    @model_validator(mode="after")
    def _check(self) -> Self:
        token_counter(make_config(self._settings()).encoding)
        # LlamaIndex 0.13 relies on a validation of defaults that later pydantic leaves out.
        self.id_func = vars(self)["id_func"] or default_id_func
        return self

    @field_validator("algorithm")
    @classmethod
    def _current_algorithm(cls, _: int) -> int:
        return ALGORITHM  # a parser that another version wrote keeps only its settings

    @field_validator("callback_manager", mode="before")
    @classmethod
    def _default_manager(cls, manager: CallbackManager | None) -> CallbackManager:
        return manager or CallbackManager([])

    @field_validator("id_func", "tokenizer", "sentence_splitter", mode="before")
    @classmethod
    def _read_function(cls, value: object, info: ValidationInfo) -> object:
        """Read a function that was written by its name; only the default one can be found."""
        if not isinstance(value, dict):
            return value
        field = info.field_name
        name = cast("dict[str, object]", value).get(f"{field}_name")
        if name == _DEFAULT_ID:
            return default_id_func
        msg = f"only the name of {field} {name!r} was stored: give it, from_dict(data, {field}=...)"
        raise ValueError(msg)

    @field_serializer("tokenizer")
    def _write_tokenizer(self, tokenizer: Callable[[str], Any] | None) -> dict[str, Any] | None:
        """Write its name and its counts of a few texts, so that caches distinguish tokenizers."""
        return None if tokenizer is None else FunctionCounter(tokenizer).fingerprint()

    @field_serializer("sentence_splitter")
    def _write_splitter(self, splitter: str | SentenceSplitter) -> str | dict[str, Any]:
        return splitter if isinstance(splitter, str) else fingerprint_of_sentences(splitter)

    def __getstate__(self) -> dict[str, Any]:
        # Raises here: the base class would drop what cannot be pickled, and use the default.
        pickle.dumps((self.tokenizer, self.sentence_splitter))
        return super().__getstate__()

    def _settings(self) -> dict[str, Any]:
        names = [*PolicyFields.model_fields, *FRAMEWORK_NAMES.values()]
        settings = {name: getattr(self, name) for name in names}
        if self.tokenizer:
            settings["encoding_name"] = FunctionCounter(self.tokenizer)
        return settings

    def _config(self, reserve: int = 0) -> PackConfig:
        """Return the core's settings; LlamaIndex may have changed the size of a checked parser."""
        return PackConfig(**lowered(core_settings(self._settings()), reserve))

    # ---------------------------------------------------------------- nodes

    def _parse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        settings = self._node_settings()
        tracked = cast(
            "Iterable[BaseNode]", get_tqdm_iterable(nodes, show_progress, "Parsing nodes")
        )
        made: list[MadeNode] = []
        for joined in joined_nodes(tracked, self.merge_pages):
            if has_text(joined.items[0]):
                texts = [page.get_content() for page in joined.items]
                with self.callback_manager.event(
                    CBEventType.CHUNKING, payload={EventPayload.CHUNKS: texts}
                ) as event:
                    nodes_of_document = NodeMaker(joined, settings).make()
                    chunks = [each.node.get_content() for each in nodes_of_document]
                    event.on_end(payload={EventPayload.CHUNKS: chunks})
                made += nodes_of_document
            else:
                made.append(MadeNode(joined.items[0]))
        if self.include_prev_next_rel:
            link_neighbours(made)
        return [node for node, _, _ in made]

    def get_records(self, documents: Sequence[BaseNode]) -> list[TextNode]:
        """Return documents' records, for the docstore of a `TreepackRetriever`, not for an index.

        The documents are packed, the way `get_nodes_from_documents` packs them.

        Raises:
            ValueError: There are more than two levels.
        """
        settings = self._node_settings()
        return [
            record
            for joined in joined_nodes(documents, self.merge_pages)
            if has_text(joined.items[0])
            for record in NodeMaker(joined, settings).records()
        ]

    def _node_settings(self) -> NodeSettings:
        return NodeSettings(
            config=self._config(),
            with_reserve=self._config,
            style=MetadataStyle(self.metadata_mode, self.breadcrumb_separator),
            input_format=self.input_format,
            has_metadata=self.include_metadata,
            make_id=self._node_id,
        )

    def _postprocess_parsed_nodes(
        self, nodes: list[BaseNode], parent_doc_map: dict[str, Any]
    ) -> list[BaseNode]:
        """Return the nodes unchanged, because they are complete.

        The base class would search their positions by text, which finds a repeated text at the
        wrong place, and copy metadata after links to neighbours were made.
        """
        return nodes

    def _node_id(self, number: int, document: BaseNode, chunk: Chunk) -> str:
        id_func: Callable[[int, BaseNode], str] = vars(self)["id_func"]  # half typed upstream
        if self.stable_ids and id_func is default_id_func:
            return stable_id("node", document.node_id, chunk.id)
        return id_func(number, document)

    # ---------------------------------------------------------------- texts

    def split_text(self, text: str) -> list[str]:
        """Return the texts of the chunks; with ``levels``, of the finest ones; of "" only ""."""
        return self._split(text, self._config()) if text else [text]

    def split_text_metadata_aware(self, text: str, metadata_str: str) -> list[str]:
        """Like `split_text`, but leave room for metadata before each text.

        Raises:
            ValueError: The metadata leaves no room.
        """
        config = self._config()
        prefix = f"{metadata_str}\n\n" if metadata_str else ""
        reserve = token_counter(config.encoding)(prefix)
        if config.max_tokens - reserve < config.least_cap:
            msg = (
                f"Metadata length ({reserve} tokens) leaves no room for text within chunk size "
                f"{config.max_tokens}; raise chunk_size or shorten the metadata"
            )
            raise ValueError(msg)
        return self._split(text, self._config(reserve))

    def _split(self, text: str, config: PackConfig) -> list[str]:
        with self.callback_manager.event(
            CBEventType.CHUNKING, payload={EventPayload.CHUNKS: [text]}
        ) as event:
            given = read_input([InputText(text, {})], config, self.input_format)
            chunks = given.pack(config)
            parents = chunks.parent_ids
            texts = [chunk.text for chunk in chunks if chunk.id not in parents]
            event.on_end(payload={EventPayload.CHUNKS: texts})
        return texts


class TreepackReader(BaseReader):
    """Reads a file as one document with its headings, tables and pages.

    ``SimpleDirectoryReader(folder, file_extractor=TreepackReader.extractors())`` reads all formats
    with it: PDF, Word, HTML, markdown, text, JSON of Docling and unstructured. From the text,
    `TreepackNodeParser` takes headings and pages.

    Args:
        **options: Those of `treepack.read`, such as ``password`` and ``links``.
    """

    def __init__(self, **options: Unpack[ReadOptions]) -> None:
        self.options = options

    @classmethod
    def extractors(cls, **options: Unpack[ReadOptions]) -> dict[str, BaseReader]:
        """Return one reader under each suffix that can be read, except those of tables of data."""
        reader = cls(**options)
        return dict.fromkeys(sorted(suffixes() - DATA_SUFFIXES), reader)

    def load_data(
        self, file: str | Path, extra_info: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """Read a file; ``extra_info`` overrides its own metadata.

        Args:
            file: Its path, in the file system ``fs`` (fsspec) if that is given.
            extra_info: More metadata.
            **kwargs: ``fs``; others are ignored.

        Raises:
            SourceError: The file cannot be read; the message names the remedy.
        """
        path, file_system = Path(file), kwargs.get("fs")
        source = path if file_system is None else bytes(file_system.cat_file(str(file)))
        text, metadata = read_file_text(source, path.name, **self.options)
        known = {"file_name": path.name, "file_path": str(path), **metadata, **(extra_info or {})}
        hidden = [MARKUP, "file_path"]
        return [
            Document(
                text=text,
                metadata=known,
                excluded_embed_metadata_keys=hidden,
                excluded_llm_metadata_keys=hidden,
            )
        ]

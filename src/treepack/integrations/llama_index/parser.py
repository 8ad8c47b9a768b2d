"""LlamaIndex: `TreepackNodeParser`, a node parser that packs along the heading tree.

**The budget is exact.** LlamaIndex embeds, or shows to a model, a node's text in its template with
the metadata that is not excluded. Before anything is cut, LlamaIndex's own code renders an empty
node of the document; its tokens are subtracted from the cap. Breadcrumb, clause and caption differ
from node to node: they are rendered for each place in the document, in EMBED and in LLM mode, and
the core counts these forms around each text that it considers (`packing.templates`). Of a long
breadcrumb, a finished node shows as many headings as fit.
"""

import pickle
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Self, cast

from pydantic import (
    AliasChoices,
    ValidationInfo,
    field_serializer,
    field_validator,
    model_validator,
)

from treepack.config import FRAMEWORK_NAMES, PackConfig, PolicyFields, check_names
from treepack.integrations.extras import missing_extra
from treepack.integrations.formats import InputFormat
from treepack.integrations.inputs import InputText, read_input
from treepack.integrations.metadata import MetadataStyle, Mode
from treepack.integrations.pages import MergePages
from treepack.integrations.settings import (
    REPLACED_ARGUMENTS,
    FunctionCounter,
    complete_settings,
    field_of,
    fingerprint_of_sentences,
    fitting_config,
    make_config,
)
from treepack.model.section import stable_id
from treepack.packing import Chunk
from treepack.packing.packer import ALGORITHM
from treepack.packing.templates import Template
from treepack.presets import Preset
from treepack.sentences import SentenceSplitter
from treepack.tokens import token_counter

try:
    from llama_index.core.callbacks import CallbackManager, CBEventType, EventPayload
    from llama_index.core.node_parser.interface import MetadataAwareTextSplitter
    from llama_index.core.node_parser.node_utils import default_id_func
    from llama_index.core.schema import BaseNode, TextNode
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


class TreepackNodeParser(PolicyFields, MetadataAwareTextSplitter):
    """Packs documents into nodes along their heading tree; replaces any other node parser.

    Sizes are tokens of ``encoding_name``, or what ``tokenizer`` counts. Two parsers with equal
    settings give equal nodes, in any process.

    Attributes:
        chunk_size: Hard cap of what is embedded or shown to a model: text, template, metadata.
        target_size: Where a section's own long content is cut; at most 512 if None.
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
    chunk_size: int = field_of("max_tokens")
    target_size: int | None = field_of("target_tokens", optional=True)
    min_size: int | None = field_of("min_tokens", optional=True)
    chunk_overlap: int = field_of("overlap_tokens")
    encoding_name: str = field_of("encoding")
    tokenizer: Callable[[str], Any] | None = None
    breadcrumb_separator: str = " > "
    metadata_mode: Mode = "sparse"
    merge_pages: MergePages = "auto"
    input_format: InputFormat = "auto"
    stable_ids: bool = True
    algorithm: int = ALGORITHM

    @classmethod
    def from_defaults(cls, **settings: Any) -> Self:
        """Make a parser with these settings; like in other node parsers, None means the default.

        Raises:
            ValueError: A setting does not exist, or a value makes no sense.
        """
        check_names(settings, cls._names(), _REMEDIES)
        return cls(**{name: value for name, value in settings.items() if value is not None})

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
        check_names(names, cls._names(), _REMEDIES)
        return complete_settings(values, values.get("preset"))

    @classmethod
    def _names(cls) -> set[str]:
        """Return the names and the aliases of all fields, also of those of subclasses."""
        names = {*cls.model_fields}
        for field in cls.model_fields.values():
            match field.validation_alias:
                case str() as alias:
                    names.add(alias)
                case AliasChoices(choices=choices):
                    names |= {choice for choice in choices if isinstance(choice, str)}
                case _:
                    pass
        return names

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
        return fitting_config(self._settings(), reserve)

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
                made += NodeMaker(joined, settings).make()
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
        """Return the texts of the chunks; with ``levels``, of the finest ones."""
        return self._split(text, self._config(), None)

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
        template = Template(lambda _: ((prefix, ""),), reserve=reserve)
        return self._split(text, self._config(reserve), template)

    def _split(self, text: str, config: PackConfig, template: Template | None) -> list[str]:
        with self.callback_manager.event(
            CBEventType.CHUNKING, payload={EventPayload.CHUNKS: [text]}
        ) as event:
            given = read_input([InputText(text, {})], config, self.input_format)
            chunks = given.pack(config, template)
            parents = chunks.parent_ids
            texts = [chunk.text for chunk in chunks if chunk.id not in parents]
            event.on_end(payload={EventPayload.CHUNKS: texts})
        return texts

"""Makes a `PackConfig` of settings under a framework's names.

The settings in `FRAMEWORK_NAMES` take the frameworks' names, such as ``chunk_size`` and
``chunk_overlap``. All others keep treepack's names.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, SupportsIndex, get_args

from treepack.config import FRAMEWORK_NAMES, MIN_CAP, PackConfig
from treepack.errors import check_choice
from treepack.integrations.formats import InputFormat
from treepack.integrations.metadata import Mode
from treepack.integrations.pages import MergePages
from treepack.presets import with_preset
from treepack.settings import DEFAULT_TARGET, Preset, SentenceSplitter
from treepack.tokens import Engine, TokenCounter, token_counter

_NO_SEPARATORS: Final = (
    "treepack cuts at headings, blocks, rows and sentences, never at separators; leave it out"
)

REPLACED_ARGUMENTS: Final = {
    **{ours: f"use {theirs}" for ours, theirs in FRAMEWORK_NAMES.items()},
    # arguments of LlamaIndex
    "backup_separators": _NO_SEPARATORS,
    "chunk_sizes": "use levels, largest first, such as levels=(2048, 512, 128)",
    "chunking_tokenizer_fn": "use sentence_splitter, an object with a method spans",
    "header_path_separator": "use breadcrumb_separator",
    "paragraph_separator": _NO_SEPARATORS,
    "secondary_chunking_regex": _NO_SEPARATORS,
    # arguments of LangChain
    "headers_to_split_on": "all are used; sections='separate' begins a chunk at each heading",
    "is_separator_regex": _NO_SEPARATORS,
    "model_name": "use encoding_name",
    "separators": _NO_SEPARATORS,
    "tokens_per_chunk": "use chunk_size",
    # arguments of both
    "separator": _NO_SEPARATORS,
}
"""Arguments of the core and of other splitters that are refused, with what to give instead."""

_PROBE_TEXTS: Final = (
    "",
    "Article 12(3)(a): 30 cm",
    "internationalisation",
    "漢字 👩‍👩‍👧‍👦 \n\n\t|---|",
)

_PROBE_SENTENCES: Final = "See Art. 5 and No. 3. It is 3.14 m; is it? Yes! Then\nstop."


def complete_settings(given: Mapping[str, Any], preset: Preset | None) -> dict[str, Any]:
    """Return the given settings and those that follow from them, under the frameworks' names.

    Args:
        given: The user's settings, which win over all others.
        preset: The preset whose settings to begin with.

    Raises:
        UnknownPresetError: There is no preset of that name.
    """
    to_core = {theirs: ours for ours, theirs in FRAMEWORK_NAMES.items()}
    core_settings = {
        to_core.get(name, name): value for name, value in given.items() if value is not None
    }
    completed = with_preset(preset, core_settings) if preset else {}
    settings = {FRAMEWORK_NAMES.get(name, name): value for name, value in completed.items()}
    levels: Sequence[Any] | None = given.get("levels")
    if isinstance(levels, Sequence) and levels:
        settings["chunk_size"] = levels[-1]
    return {**settings, **given}


def check_options(metadata_mode: Mode, merge_pages: MergePages, input_format: InputFormat) -> None:
    """Check the options that adapters have in addition to the settings.

    Raises:
        ValueError: A value is not allowed; the message names all that are.
    """
    check_choice("metadata_mode", metadata_mode, get_args(Mode))
    check_choice("merge_pages", merge_pages, get_args(MergePages))
    check_choice("input_format", input_format, get_args(InputFormat))


@dataclass(frozen=True)
class FunctionCounter:
    """Counts with a function that returns tokens, or their number.

    It can be pickled if the function can.
    """

    tokenize: Callable[[str], Any]

    def __call__(self, text: str) -> int:
        """Return the number of tokens of a text."""
        tokens = self.tokenize(text)
        return tokens if isinstance(tokens, int) else len(tokens)

    def fingerprint(self) -> dict[str, Any]:
        """Return a record that distinguishes functions, and is the same in any process."""
        function = self.tokenize
        name = getattr(function, "__qualname__", type(function).__qualname__)
        module = getattr(function, "__module__", None) or type(function).__module__
        counts = [self(text) for text in _PROBE_TEXTS]
        return {"tokenizer_name": f"{module}.{name}", "counts": counts}


def fingerprint_of_sentences(splitter: SentenceSplitter) -> dict[str, Any]:
    """Return a record that distinguishes sentence splitters, and is the same in any process."""
    kind = type(splitter)
    name = f"{kind.__module__}.{kind.__qualname__}"
    return {"sentence_splitter_name": name, "spans": splitter.spans(_PROBE_SENTENCES)}


@dataclass(frozen=True)
class ChunkSizes:
    """The sizes of chunks, in tokens or whatever ``encoding`` counts.

    Attributes:
        size: The hard cap.
        target: Where long content is cut; if None, the smaller of 512 and the cap.
        minimum: Smaller chunks merge; if None, the smaller of 64 and half the target.
        overlap: The most of the previous chunk that is repeated.
        encoding: The encoding or the function that counts.
        policies: All other settings, by their names in `PackConfig`.

    Raises:
        TypeError: A size is not a whole number.
    """

    size: int
    target: int | None
    minimum: int | None
    overlap: int
    encoding: str | Callable[[str], int]
    policies: Mapping[str, Any]

    def __post_init__(self) -> None:
        sizes: dict[str, Any] = {
            "chunk_size": self.size,
            "chunk_overlap": self.overlap,
            "target_size": self.target or 0,
            "min_size": self.minimum or 0,
        }
        for name, size in sizes.items():
            if not isinstance(size, SupportsIndex):
                msg = f"{name} must be a whole number, not {type(size).__name__}"
                raise TypeError(msg)

    def check(self) -> "ChunkSizes":
        """Return the same limits after checking them.

        Raises:
            ValueError: Two limits contradict each other; the message names both numbers.
        """
        if self.size <= 0:
            msg = f"chunk_size must be > 0, got {self.size}"
            raise ValueError(msg)
        if not 0 <= self.overlap <= self.size:
            msg = f"chunk_overlap is {self.overlap}, but must be from 0 to chunk_size, {self.size}"
            raise ValueError(msg)
        if self.target is not None and self.target > self.size:
            msg = f"target_size is {self.target}, but must be at most chunk_size, {self.size}"
            raise ValueError(msg)
        levels = self.policies.get("levels")
        if levels is not None:
            PackConfig(levels=levels, encoding=self.encoding)
            if levels[-1] != self.size:
                msg = f"chunk_size is {self.size}, but must be the last of the levels {levels}"
                raise ValueError(msg)
        self.config()
        _ = self.counter
        return self

    @property
    def counter(self) -> TokenCounter:
        """The counter for ``encoding``.

        Raises:
            TokenizerError: The encoding is unknown, or the engine cannot count it.
            MissingExtraError: An extra that it needs is not installed.
        """
        engine: Engine = self.policies.get("engine", "default")
        return token_counter(self.encoding, engine=engine)

    def with_reserve(self, reserve: int) -> "ChunkSizes":
        """Return the limits with the caps of all levels lowered by a number of tokens."""
        levels = tuple(cap - reserve for cap in self._given_levels)
        policies = {**self.policies, "levels": levels or None}
        return replace(self, size=self.size - reserve, policies=policies)

    def config(self) -> PackConfig:
        """Return the core's settings; sizes that are too large for the cap are lowered to fit."""
        target = min(self.target if self.target is not None else DEFAULT_TARGET, self.size)
        max_overlap = max(target - 1, 0)
        settings: dict[str, Any] = {
            **self.policies,
            "max_tokens": self.size,
            "target_tokens": target,
            "overlap_tokens": min(self.overlap, max_overlap),
            "encoding": self.encoding,
        }
        if self.minimum is not None:
            settings["min_tokens"] = min(self.minimum, target)
        if self.policies.get("flat_overlap_tokens") is not None:
            settings["flat_overlap_tokens"] = min(self.policies["flat_overlap_tokens"], max_overlap)
        if self._given_levels:
            settings["levels"] = self._level_caps
        return PackConfig(**settings)

    def cap(self, level: int) -> int:
        """Return the hard cap of a level's chunks; level 0 has the largest."""
        return self._level_caps[level]

    @property
    def _given_levels(self) -> tuple[int, ...]:
        return tuple(self.policies.get("levels") or ())

    @property
    def _level_caps(self) -> tuple[int, ...]:
        """The caps of all levels; LlamaIndex may have changed only ``size``, the last one."""
        return (*(cap for cap in self._given_levels[:-1] if cap > self.size), self.size)

    @property
    def min_cap(self) -> int:
        """The smallest cap that the core accepts."""
        return MIN_CAP if isinstance(self.encoding, str) else 1

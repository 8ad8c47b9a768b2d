"""Makes a `PackConfig` of settings under a framework's names.

The settings in `FRAMEWORK_NAMES` take the frameworks' names, such as ``chunk_size`` and
``chunk_overlap``. All others keep treepack's names.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from treepack.config import FRAMEWORK_NAMES, PackConfig
from treepack.errors import check_choice
from treepack.integrations.formats import InputFormat
from treepack.integrations.metadata import Mode
from treepack.integrations.pages import MergePages
from treepack.presets import DEFAULT_CAP, Preset, default_target, with_cap, with_preset
from treepack.sentences import SentenceSplitter

_NO_SEPARATORS: Final = (
    "treepack cuts at headings, blocks, rows and sentences, never at separators; leave it out"
)

REPLACED_ARGUMENTS: Final = {
    **{ours: f"use {theirs}" for ours, theirs in FRAMEWORK_NAMES.items()},
    **dict.fromkeys(("separator", "separators", "paragraph_separator"), _NO_SEPARATORS),
    "chunk_sizes": "use levels, largest first, such as levels=(2048, 512, 128)",
    "headers_to_split_on": "all are used; sections='separate' begins a chunk at each heading",
    "model_name": "use encoding_name",
}
"""Arguments of the core and of other splitters that are refused, with what to give instead."""

_CORE_NAMES: Final = {theirs: ours for ours, theirs in FRAMEWORK_NAMES.items()}

_PROBE_TEXTS: Final = (
    "",
    "Article 12(3)(a): 30 cm",
    "internationalisation",
    "漢字 👩‍👩‍👧‍👦 \n\n\t|---|",
)

_PROBE_SENTENCES: Final = "See Art. 5 and No. 3. It is 3.14 m; is it? Yes! Then\nstop."


class FrameworkSizes(BaseModel):
    """The sizes of `PackConfig` under the frameworks' names."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    chunk_size: int = DEFAULT_CAP
    """Hard cap: no chunk is larger."""
    chunk_overlap: int = 0
    """Repeat at most this much of the previous chunk."""
    target_size: int | None = None
    """Fill chunks up to this size; three quarters of `chunk_size` if None."""
    min_size: int | None = None
    """Merge chunks smaller than this; at most 64 if None."""
    encoding_name: str = "cl100k_base"
    """The tokenizer: a tiktoken encoding, an OpenAI model, or hf:FOLDER."""


def complete_settings(given: Mapping[str, Any], preset: Preset | None) -> dict[str, Any]:
    """Return the given settings, and those of the preset and the levels that they leave open."""
    completed = with_preset(preset or "default", core_settings(given))
    return {**{FRAMEWORK_NAMES.get(name, name): completed[name] for name in completed}, **given}


def make_config(given: Mapping[str, Any]) -> PackConfig:
    """Return settings under the frameworks' names as a `PackConfig`; None is the default.

    An overlap from the target to the cap, which the frameworks allow, is lowered to fit.
    """
    settings = with_cap(core_settings(given))
    cap, overlap = settings.get("max_tokens", DEFAULT_CAP), settings.get("overlap_tokens", 0)
    if isinstance(cap, int) and isinstance(overlap, int) and overlap <= cap:
        target = settings.get("target_tokens", default_target(cap))
        if isinstance(target, int) and min(target, cap) <= overlap:
            settings["overlap_tokens"] = max(min(target, cap) - 1, 0)
    try:
        return PackConfig(**settings)
    except ValidationError as error:
        reasons = (
            ": ".join([*map(str, each["loc"][:1]), each["msg"].removeprefix("Value error, ")])
            for each in error.errors()
        )
        msg = re.sub(r"\w+", lambda word: FRAMEWORK_NAMES.get(word[0], word[0]), "; ".join(reasons))
        raise ValueError(msg) from None


def core_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that are not None under the names of `PackConfig`."""
    return {
        _CORE_NAMES.get(name, name): value for name, value in given.items() if value is not None
    }


def check_options(metadata_mode: Mode, merge_pages: MergePages, input_format: InputFormat) -> None:
    """Refuse values that the options which adapters have besides the settings do not allow."""
    check_choice("metadata_mode", metadata_mode, get_args(Mode))
    check_choice("merge_pages", merge_pages, get_args(MergePages))
    check_choice("input_format", input_format, get_args(InputFormat))


@dataclass(frozen=True)
class FunctionCounter:
    """Counts with a function that returns tokens, or their number; pickles if the function does."""

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

"""The settings of packing, checked once."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, Final, Literal, Self, TypedDict, cast

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from treepack.errors import UnknownPresetError
from treepack.sentences import SentenceSplitter
from treepack.sentences.splitter import check_splitter

MIN_CAP = 16
DEFAULT_TARGET = 512
DEFAULT_MIN = 64


Preset = Literal["default", "standards", "sections", "datasheet"]

_PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "standards": {
        "target_tokens": 500,
        "max_tokens": 1000,
        "min_tokens": 100,
        "overlap_tokens": 100,
        "overlap_separator": "---",
    },
    "sections": {
        "target_tokens": 500,
        "max_tokens": 500,
        "min_tokens": 0,
        "flat_overlap_tokens": 100,
        "sections": "separate",
        "repeat_heading": True,
    },
    "datasheet": {
        "target_tokens": 512,
        "max_tokens": 512,
        "min_tokens": 50,
        "overlap_tokens": 50,
        "oversize_table": "keep",
        "oversize_code": "keep",
    },
}


def preset_settings(name: Preset) -> dict[str, Any]:
    """What the preset of that name says otherwise than the defaults.

    Raises:
        UnknownPresetError: There is none.
    """
    if name not in _PRESETS:
        msg = f"there is no preset {name!r}; known are {', '.join(_PRESETS)}"
        raise UnknownPresetError(msg)
    return dict(_PRESETS[name])


FRAMEWORK_NAMES: Final = {
    "max_tokens": "chunk_size",
    "target_tokens": "target_size",
    "min_tokens": "min_size",
    "overlap_tokens": "chunk_overlap",
    "encoding": "encoding_name",
}
"""The settings that have another name in the adapters, where it is the frameworks' own."""

_REMEDIES: Final = {
    **{theirs: f"here it is {ours}" for ours, theirs in FRAMEWORK_NAMES.items()},
    "tokenizer": "here it is encoding",
    "length_function": "here it is encoding",
    "preset": "give PackConfig.preset(name, ...)",
}


def check_names(given: Iterable[str], known: Collection[str], remedies: Mapping[str, str]) -> None:
    """Refuse settings that do not exist.

    Args:
        given: The names that were given.
        known: The names of the settings.
        remedies: What to do instead, for names that come from elsewhere.

    Raises:
        ValueError: A name is not known; the message names what was probably meant.
    """
    unknown = [_unknown(name, known, remedies) for name in given if name not in known]
    if unknown:
        raise ValueError("; ".join(unknown))


def _unknown(name: str, known: Collection[str], remedies: Mapping[str, str]) -> str:
    if name in remedies:
        return f"there is no setting {name!r}: {remedies[name]}"
    near = get_close_matches(name, [*known, *remedies], n=1)
    if not near:
        return f"there is no setting {name!r}; there are {', '.join(sorted(known))}"
    remedy = f" ({remedies[near[0]]})" if near[0] in remedies else ""
    return f"there is no setting {name!r}; did you mean {near[0]!r}?{remedy}"


class ParseSettings(TypedDict):
    """What of the settings is for `treepack.parse`."""

    encoding: str | Callable[[str], int]
    front_matter: Literal["metadata", "text"]
    outline: Literal["auto", "trust"]
    page_pattern: str | None
    parser: Literal["scanner", "markdown-it"]
    engine: Literal["default", "fast"]


class PackConfig(BaseModel):
    r"""Limits and policies of packing. All sizes are tokens of ``encoding``.

    A limit that is not given follows from the others: ``target_tokens`` is 512 or ``max_tokens``,
    whichever is smaller, and ``min_tokens`` is 64 or half the target, whichever is smaller.

    Attributes:
        max_tokens: Hard cap of what will be embedded: breadcrumb, context, overlap and body.
        target_tokens: Up to here a section's own long content is packed.
        min_tokens: Smaller chunks merge with a neighbour where the breadcrumb stays true.
        overlap_tokens: At most so much of the previous chunk's end is repeated; 0 for none.
        flat_overlap_tokens: The overlap in a document without headings; the same when None.
        overlap_separator: A line between the overlap and the body, such as ``---``.
        levels: Caps of parents and children, largest first, such as ``(2048, 512)``: each child
            lies in exactly one parent. The last one is ``max_tokens``. None for one level.
        encoding: A tiktoken encoding, a model name, ``hf:<folder>``, ``splintr:`` and a
            bundled encoding (faster, extra ``fast``), or any callable that counts.
        sentence_splitter: ``regex``, ``sentencex`` (the extra ``sentences``), or any object that
            finds sentences; see `SentenceSplitter`.
        clauses: Find clause numbers and cross-references, and cut rather between clauses.
        outline: ``auto`` nests headings by their numbers where their levels contradict them, and
            makes page heads and entries of contents text; ``trust`` leaves all as they are.
        sections: ``pack`` puts whole neighbouring sections together, ``separate`` never does.
        oversize_table: ``split`` cuts a table above the cap by rows, ``keep`` leaves it whole.
        oversize_code: The same for code blocks.
        repeat_heading: Begin each continuation chunk with the heading line of its section.
        attach_definitions: Put footnotes and link definitions that a chunk uses behind it, as far
            as the cap allows; its `references` name those that are missing.
        front_matter: ``metadata`` takes it out of the text, ``text`` leaves it there.
        page_pattern: A regular expression for page marks beside those that are known, such as
            ``^\[page (\d+)\]$``: ``^`` and ``$`` are the ends of a line, and a group named
            ``page``, or else the first one, holds the number of the page that begins. Not looked
            for where the source tells its pages itself.
        parser: What finds blocks; chunks are the same. ``scanner`` settles plain blocks itself and
            leaves the others to markdown-it; ``markdown-it`` reads all alone, and takes longer.
        engine: What counts; chunks are the same. ``fast`` counts ``cl100k_base`` and
            ``o200k_base`` with splintr, the extra ``fast``, and refuses what it cannot count.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    max_tokens: int = Field(default=1024)
    target_tokens: int = Field(default=DEFAULT_TARGET, ge=1)
    min_tokens: int = Field(default=DEFAULT_MIN, ge=0)
    overlap_tokens: int = Field(default=0, ge=0)
    flat_overlap_tokens: int | None = Field(default=None, ge=0)
    overlap_separator: str | None = None
    levels: tuple[int, ...] | None = None
    encoding: str | Callable[[str], int] = "cl100k_base"
    sentence_splitter: Literal["regex", "sentencex"] | SentenceSplitter = "regex"
    clauses: bool = True
    outline: Literal["auto", "trust"] = "auto"
    sections: Literal["pack", "separate"] = "pack"
    oversize_table: Literal["split", "keep"] = "split"
    oversize_code: Literal["split", "keep"] = "split"
    repeat_heading: bool = False
    attach_definitions: bool = False
    front_matter: Literal["metadata", "text"] = "metadata"
    page_pattern: str | None = None
    parser: Literal["scanner", "markdown-it"] = "scanner"
    engine: Literal["default", "fast"] = "default"

    @classmethod
    def preset(cls, name: Preset, **changes: Any) -> Self:  # noqa: ANN401 - any field
        """The settings under a name, with changes.

        Args:
            name: ``default``; ``standards`` (500 / 1000 tokens, overlap of 100 behind ``---``);
                ``sections`` (each chunk in one section, its heading repeated); ``datasheet``
                (tables and code never cut, 512 tokens, overlap of 50).
            changes: Fields that are to be otherwise.

        Raises:
            UnknownPresetError: There is no preset of that name; it is a `ValueError`.
            ValueError: The limits make no sense together.
        """
        return cls.model_validate({**preset_settings(name), **changes})

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy the settings with some of them changed, whose values are not checked.

        Raises:
            ValueError: There is no setting of a name in ``update``.
        """
        check_names(update or (), type(self).model_fields, _REMEDIES)
        return super().model_copy(update=update, deep=deep)

    @property
    def parsing(self) -> ParseSettings:
        """The settings for `treepack.parse`, by the names of its arguments."""
        return {
            "encoding": self.encoding,
            "front_matter": self.front_matter,
            "outline": self.outline,
            "page_pattern": self.page_pattern,
            "parser": self.parser,
            "engine": self.engine,
        }

    def at_level(self, level: int) -> Self:
        """The settings of one level; above the last, chunks are as large as their cap allows."""
        assert self.levels is not None, "only settings with levels have them"
        if level == len(self.levels) - 1:
            return self
        cap = self.levels[level]
        return self.model_copy(
            update={"max_tokens": cap, "target_tokens": cap, "overlap_tokens": 0}
        )

    @model_validator(mode="before")
    @classmethod
    def _derive_limits(cls, values: Any) -> Any:  # noqa: ANN401 - raw input of any shape
        if not isinstance(values, dict):
            return values
        given = cast("dict[str, Any]", values).copy()
        check_names(given, cls.model_fields, _REMEDIES)
        levels = given.get("levels")
        if levels and "max_tokens" not in given and isinstance(levels, Sequence):
            last = cast("Sequence[object]", levels)[-1]
            given |= {"max_tokens": last} if isinstance(last, int) else {}
        cap = given.get("max_tokens", 1024)
        if "target_tokens" not in given and isinstance(cap, int):
            given["target_tokens"] = min(DEFAULT_TARGET, max(cap, 1))
        target = given.get("target_tokens")
        if "min_tokens" not in given and isinstance(target, int):
            given["min_tokens"] = min(DEFAULT_MIN, max(target, 0) // 2)
        return given

    @field_validator("sentence_splitter", mode="before")
    @classmethod
    def _check_splitter(cls, splitter: object) -> object:
        check_splitter(splitter)
        return splitter

    @field_validator("page_pattern")
    @classmethod
    def _check_pattern(cls, pattern: str | None) -> str | None:
        try:
            re.compile(pattern or "", re.MULTILINE)
        except re.error as error:
            msg = f"it must be a regular expression: {error}"
            raise ValueError(msg) from None
        return pattern

    @model_validator(mode="after")
    def _check_limits(self) -> Self:
        # A function may count characters, of which one is enough to go on.
        least = MIN_CAP if isinstance(self.encoding, str) else 1
        if self.max_tokens < least:
            msg = f"max_tokens is {self.max_tokens}, but must be at least {least}"
            raise ValueError(msg)
        for small, large, relation in (
            ("target_tokens", "max_tokens", "at most"),
            ("min_tokens", "target_tokens", "at most"),
            ("overlap_tokens", "target_tokens", "less than"),
            ("flat_overlap_tokens", "target_tokens", "less than"),
        ):
            low, high = getattr(self, small) or 0, getattr(self, large)
            if low > high or (relation == "less than" and low == high):
                msg = f"{small} is {low}, but must be {relation} {large}, which is {high}"
                raise ValueError(msg)
        self._check_levels()
        return self

    def _check_levels(self) -> None:
        if self.levels is None:
            return
        if any(above <= below for above, below in pairwise(self.levels)) or not self.levels:
            msg = f"levels are {self.levels}, but each must be less than the one before"
            raise ValueError(msg)
        if self.levels[-1] != self.max_tokens:
            msg = f"max_tokens is {self.max_tokens}, but must be the last of levels {self.levels}"
            raise ValueError(msg)


def given_or_default(config: object) -> PackConfig:
    """The settings that a caller gave, or the defaults when None.

    Raises:
        TypeError: It is something else; the message shows how to make a `PackConfig` of it.
    """
    if config is None:
        return PackConfig()
    if isinstance(config, PackConfig):
        return config
    kind, remedy = type(config).__name__, "PackConfig(max_tokens=512)"
    if isinstance(config, int):
        remedy = f"PackConfig(max_tokens={config})"
    elif isinstance(config, str):
        remedy = f"PackConfig.preset({config!r})"
    elif isinstance(config, Mapping):
        remedy = "PackConfig(**settings)"
    msg = f"the settings must be a PackConfig, not {kind}: give {remedy}"
    raise TypeError(msg)

"""The settings of packing, each declared once: as a field of `PackConfig`.

The adapters and the flags of the command line are made from these fields. Only the types are
written a second time, in `Settings`: type checkers read those of a call's arguments from there. A
test compares the two.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import pairwise
from typing import Annotated, Any, Final, Literal, Self, TypeAlias, TypedDict, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    NonNegativeInt,
    PositiveInt,
    WithJsonSchema,
    model_validator,
)

from treepack.presets import DEFAULT_CAP, ROOM, Preset, default_target, with_cap, with_preset
from treepack.sentences.rules import SentenceSplitter, checked_splitter
from treepack.user_patterns import compile_heading_patterns, compile_page_pattern

DEFAULT_MIN: Final = 64

Markups: TypeAlias = Literal["auto", "markdown", "plain"]
Outline: TypeAlias = Literal["auto", "trust"]
FrontMatterUse: TypeAlias = Literal["metadata", "text"]
Sections: TypeAlias = Literal["pack", "separate"]
Oversize: TypeAlias = Literal["split", "keep"]

FRAMEWORK_NAMES: Final = {
    "max_tokens": "chunk_size",
    "target_tokens": "target_size",
    "min_tokens": "min_size",
    "overlap_tokens": "chunk_overlap",
    "encoding": "encoding_name",
}
"""The settings that adapters call by another name, with the name that the frameworks use."""

REMEDIES: Final = {
    **{theirs: f"use {ours}" for ours, theirs in FRAMEWORK_NAMES.items()},
    **dict.fromkeys(("tokenizer", "length_function"), "use encoding"),
    "preset": "use PackConfig.preset(name, ...)",
}
"""What to use instead of names that are not settings here, but are used elsewhere."""

_PARSING: Final = (
    "encoding",
    "front_matter",
    "markup",
    "outline",
    "page_pattern",
    "heading_patterns",
)


class SizeFields(BaseModel):
    """The settings that frameworks call by other names; see `FRAMEWORK_NAMES`."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    max_tokens: int = DEFAULT_CAP
    """Hard cap: no chunk is larger."""
    target_tokens: PositiveInt = default_target(DEFAULT_CAP)
    """Fill chunks up to this size."""
    min_tokens: NonNegativeInt = DEFAULT_MIN
    """Merge chunks smaller than this."""
    overlap_tokens: NonNegativeInt = 0
    """Repeat at most this much of the previous chunk."""
    encoding: Annotated[str | Callable[[str], int], WithJsonSchema({"type": "string"})] = (
        "cl100k_base"
    )
    """The tokenizer: a tiktoken encoding, an OpenAI model, or hf:FOLDER."""


class PolicyFields(BaseModel):
    """The settings that have the same name everywhere."""

    model_config = ConfigDict(use_attribute_docstrings=True, arbitrary_types_allowed=True)

    flat_overlap_tokens: int | None = Field(default=None, ge=0)
    """Overlap in documents without headings."""
    overlap_separator: str | None = None
    """A line after the overlap, such as ---."""
    levels: tuple[int, ...] | None = None
    """Caps of parents and children, such as 2048,512"""
    sentence_splitter: Annotated[
        Literal["regex"] | SentenceSplitter,
        BeforeValidator(checked_splitter),
        WithJsonSchema({"type": "string"}),
    ] = "regex"
    """How sentences are found when a paragraph is cut."""
    clauses: bool = True
    """Find clause numbers and cross-references."""
    markup: Markups = "auto"
    """Read texts as markdown, as plain text, or decide for each text."""
    outline: Outline = "auto"
    """Repair heading levels that contradict their numbers, or trust all levels."""
    sections: Sections = "separate"
    """Pack small neighbouring sections into one chunk, or keep them apart."""
    oversize_table: Oversize = "split"
    """Cut a table above the limits by rows, or keep it whole."""
    oversize_code: Oversize = "split"
    """Cut a code block above the limits by lines, or keep it whole."""
    repeat_heading: bool = False
    """Repeat the heading in each later chunk of its section."""
    front_matter: FrontMatterUse = "metadata"
    """Turn front matter into metadata, or keep it in the text."""
    page_pattern: str | None = None
    """A regular expression for further page marks; a group captures the page number."""
    heading_patterns: Mapping[int, str] | None = None
    """A regular expression for the titles of each level"""


class PackConfig(PolicyFields, SizeFields):
    """Limits and policies of packing; ``docs/reference/settings.md`` explains each of them.

    All sizes are tokens of ``encoding``, which may also be any function that counts. A limit that
    is not given follows from the others: ``max_tokens`` is the last of ``levels``, or a target
    above 400; ``target_tokens`` is three quarters of ``max_tokens``; and ``min_tokens`` is 64 or
    half the target, whichever is smaller. ``flat_overlap_tokens`` is ``overlap_tokens``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    @classmethod
    def preset(cls, name: Preset, **changes: Any) -> Self:  # noqa: ANN401 - any field
        """Return the settings of a preset, with changes.

        Args:
            name: ``default`` (300 / 400 tokens, each chunk in one section); ``hierarchical`` (512 /
                1024, small neighbouring sections packed together along the tree); ``standards``
                (500 / 1000, overlap of 100 after ``---``); ``sections`` (each chunk in one section,
                its heading repeated); ``datasheet`` (tables and code never cut, 512 tokens, overlap
                of 50); ``retrieval`` (parents of 400 tokens and children of 75, each in one
                section, for `treepack.retrieval.fill_context`; see ``docs/retrieval.md``).
            changes: Fields to set differently from the preset; its sizes adapt to them.

        Raises:
            UnknownPresetError: There is no preset of that name; it is a `ValueError`.
            ValueError: The limits contradict each other.
        """
        return cls.model_validate(with_preset(name, changes))

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy the settings and change some of them; only the names of the new ones are checked."""
        check_names(update or (), type(self).model_fields, REMEDIES)
        return super().model_copy(update=update, deep=deep)

    def __repr_args__(self) -> list[tuple[str, Any]]:
        """Return what differs from the defaults, so that a repr is the shortest such call."""
        derived = default_target(self.max_tokens), min(DEFAULT_MIN, self.target_tokens // 2)
        defaults = {**dict(PackConfig()), "target_tokens": derived[0], "min_tokens": derived[1]}
        return [(name, value) for name, value in self if value != defaults[name]]

    __str__ = BaseModel.__repr__

    def __hash__(self) -> int:
        """Hash the sizes and some policies only: patterns and splitters may not be hashable."""
        sizes = (self.max_tokens, self.target_tokens, self.min_tokens, self.overlap_tokens)
        return hash((*sizes, self.levels, self.sections, self.markup, self.outline))

    @property
    def parsing(self) -> dict[str, Any]:
        """The settings for `treepack.parse`, under the names of its arguments."""
        return {name: getattr(self, name) for name in _PARSING}

    @property
    def least_cap(self) -> int:
        """The smallest cap; a function may count characters, and one of them is progress."""
        return 16 if isinstance(self.encoding, str) else 1

    def cap(self, level: int) -> int:
        """Return the hard cap of a level's chunks; level 0 has the largest."""
        return self.levels[level] if self.levels else self.max_tokens

    def at_level(self, level: int) -> Self:
        """Return the settings of one level; a parent's target is its cap, and it has no overlap."""
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
        given = with_cap(cast("dict[str, Any]", values))
        check_names(given, cls.model_fields, REMEDIES)
        cap = given.get("max_tokens", DEFAULT_CAP)
        if isinstance(cap, int):
            given.setdefault("target_tokens", default_target(cap))
        target = given.get("target_tokens")
        if isinstance(target, int):
            given.setdefault("min_tokens", min(DEFAULT_MIN, max(target, 0) // 2))
        return given

    @model_validator(mode="after")
    def _check(self) -> Self:
        compile_page_pattern(self.page_pattern or "")  # what these two raise is a ValueError
        compile_heading_patterns(self.heading_patterns)
        for contradiction in self._contradictions():
            raise ValueError(contradiction)
        return self

    def _contradictions(self) -> Iterator[str]:
        if self.max_tokens < self.least_cap:
            yield f"max_tokens is {self.max_tokens}, but must be at least {self.least_cap}"
        for smaller, room in ROOM.items():
            larger = "max_tokens" if smaller == "target_tokens" else "target_tokens"
            low, high = getattr(self, smaller) or 0, getattr(self, larger)
            if low + room > high:
                relation = "less than" if room else "at most"
                yield f"{smaller} is {low}, but must be {relation} {larger}, which is {high}"
        if self.levels is None:
            return
        if not self.levels or any(above <= below for above, below in pairwise(self.levels)):
            must = "must be one or more caps, each less than the previous one"
            yield f"levels are {self.levels}, but {must}"
        elif self.levels[-1] != self.max_tokens:
            must = f"must be the last of the levels {self.levels}"
            yield f"max_tokens is {self.max_tokens}, but {must}"


class Policies(TypedDict, total=False):
    """The types of `PolicyFields`, for calls that take them by name."""

    flat_overlap_tokens: int | None
    overlap_separator: str | None
    levels: tuple[int, ...] | None
    sentence_splitter: Literal["regex"] | SentenceSplitter
    clauses: bool
    markup: Markups
    outline: Outline
    sections: Sections
    oversize_table: Oversize
    oversize_code: Oversize
    repeat_heading: bool
    front_matter: FrontMatterUse
    page_pattern: str | None
    heading_patterns: Mapping[int, str] | None


class Settings(Policies, total=False):
    """The types of all settings, for calls that take them by name."""

    max_tokens: int
    target_tokens: int
    min_tokens: int
    overlap_tokens: int
    encoding: str | Callable[[str], int]


def lowered(settings: Mapping[str, Any], reserve: int = 0) -> dict[str, Any]:
    """Return settings with caps lowered by ``reserve`` and sizes lowered to fit the cap.

    Args:
        settings: Settings of `PackConfig`; those that are not given follow from the others.
        reserve: How many tokens of all caps are needed for something else.
    """
    given = settings.get("max_tokens", DEFAULT_CAP)
    cap = given - reserve
    target = min(settings.get("target_tokens", default_target(given)), cap)
    below = max(target - 1, 0)
    most = {"min_tokens": target, "overlap_tokens": below, "flat_overlap_tokens": below}
    fitted = {name: min(settings[name], size) for name, size in most.items() if name in settings}
    if settings.get("levels"):
        above = (level - reserve for level in settings["levels"][:-1])
        fitted["levels"] = (*(level for level in above if level > cap), cap)
    return {**settings, **fitted, "max_tokens": cap, "target_tokens": target}


def given_or_default(config: object) -> PackConfig:
    """Return the settings that a caller gave, or the defaults if ``config`` is None.

    Raises:
        TypeError: ``config`` is something else.
    """
    if isinstance(config, PackConfig | None):
        return config or PackConfig()
    remedy = f"PackConfig.preset({config!r})" if isinstance(config, str) else "PackConfig(...)"
    msg = f"the settings must be a PackConfig, not {type(config).__name__}: give {remedy}"
    raise TypeError(msg)


def check_names(given: Iterable[str], known: Collection[str], remedies: Mapping[str, str]) -> None:
    """Refuse names that are not known; ``remedies`` says what to do instead of some of them.

    Raises:
        ValueError: A name is not known; the message shows what was probably meant.
    """
    for name in given:
        if name in known:
            continue
        near = get_close_matches(name, [*known, *remedies], n=1)
        if name in remedies:
            hint = f": {remedies[name]}"
        elif near:
            remedy = f" ({remedies[near[0]]})" if near[0] in remedies else ""
            hint = f"; did you mean {near[0]!r}?{remedy}"
        else:
            hint = f"; the settings are {', '.join(sorted(known))}"
        msg = f"there is no setting {name!r}{hint}"
        raise ValueError(msg)

"""The settings of packing, checked once."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, Literal, Self, cast

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from treepack.presets import PRESETS, shown_as_call, with_preset
from treepack.sentences.splitter import check_splitter
from treepack.settings import (
    DEFAULT_CAP,
    DEFAULT_MIN,
    DEFAULT_TARGET,
    SETTINGS,
    Engine,
    FrontMatterUse,
    Markups,
    Outline,
    Oversize,
    ParseSettings,
    Preset,
    Sections,
    SentenceSplitter,
    check_names,
)
from treepack.user_patterns import compile_heading_patterns, compile_page_pattern

MIN_CAP = 16

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
    "tokenizer": "use encoding",
    "length_function": "use encoding",
    "preset": "use PackConfig.preset(name, ...)",
}
"""What to use instead of names that are not settings here, but are used elsewhere."""


def field_of(name: str, **overrides: Any) -> Any:  # noqa: ANN401 - like `Field`
    """Return the field of a setting as `SETTINGS` declares it, with some parts replaced."""
    setting = SETTINGS[name]
    declared: dict[str, Any] = {
        "default": setting.default,
        "description": setting.help,
        "ge": setting.least,
    }
    return Field(**{**declared, **overrides})


class SizeFields(BaseModel):
    """The fields of `treepack.settings.Sizes`."""

    max_tokens: int = field_of("max_tokens")
    target_tokens: int = field_of("target_tokens")
    min_tokens: int = field_of("min_tokens")
    overlap_tokens: int = field_of("overlap_tokens")
    encoding: str | Callable[[str], int] = field_of("encoding")


class PolicyFields(BaseModel):
    """The fields of `treepack.settings.Policies`."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    flat_overlap_tokens: int | None = field_of("flat_overlap_tokens")
    overlap_separator: str | None = field_of("overlap_separator")
    levels: tuple[int, ...] | None = field_of("levels")
    sentence_splitter: Literal["regex"] | SentenceSplitter = field_of("sentence_splitter")
    clauses: bool = field_of("clauses")
    markup: Markups = field_of("markup")
    outline: Outline = field_of("outline")
    sections: Sections = field_of("sections")
    oversize_table: Oversize = field_of("oversize_table")
    oversize_code: Oversize = field_of("oversize_code")
    repeat_heading: bool = field_of("repeat_heading")
    name_in_breadcrumb: bool = field_of("name_in_breadcrumb")
    front_matter: FrontMatterUse = field_of("front_matter")
    page_pattern: str | None = field_of("page_pattern")
    heading_patterns: Mapping[int, str] | None = field_of("heading_patterns")
    engine: Engine = field_of("engine")


class PackConfig(PolicyFields, SizeFields):
    r"""Limits and policies of packing. All sizes are tokens of ``encoding``.

    A limit that is not given follows from the others: ``target_tokens`` is 512 or ``max_tokens``,
    whichever is smaller, and ``min_tokens`` is 64 or half the target, whichever is smaller.

    Attributes:
        max_tokens: Hard cap of what will be embedded: breadcrumb, context, overlap and body.
        target_tokens: Long content of a section is packed into chunks of up to this size.
        min_tokens: A chunk below this merges with a neighbour if one breadcrumb still describes
            both.
        overlap_tokens: At most this much of the previous chunk's end is repeated; 0 for no overlap.
        flat_overlap_tokens: The overlap in a document without headings; if None,
            ``overlap_tokens``.
        overlap_separator: A line between the overlap and the body, such as ``---``.
        levels: Caps of parents and children, largest first, such as ``(2048, 512)``: each child
            lies in exactly one parent. The last one is ``max_tokens``. None for one level.
        encoding: A tiktoken encoding, a model name, ``hf:<folder>``, ``splintr:`` followed by a
            bundled encoding (faster, extra ``fast``), or any callable that counts tokens.
        sentence_splitter: ``regex`` (the built-in rules), or any object that finds sentences; see
            `SentenceSplitter`.
        clauses: Find clause numbers and cross-references, and prefer cutting between clauses.
        markup: Whether a text is ``markdown`` or ``plain``: paragraphs and lists without markup.
            ``auto`` decides by the document's name and, for a ``.txt`` and the like, by headings,
            links and tables of markdown in it; `Document.markup_reason` says why.
        outline: ``auto`` nests headings by their numbers where their levels contradict the numbers.
            It also turns headings that are running headers or entries of a table of contents
            into text, and finds titles in documents that have no heading markup. ``trust`` uses
            only the heading markup, with the levels as written.
        sections: ``pack`` puts whole neighbouring sections into one chunk, ``separate`` never does.
        oversize_table: ``split`` cuts a table above the cap by rows, ``keep`` leaves it whole.
        oversize_code: The same for code blocks.
        repeat_heading: Begin each continuation chunk with the heading line of its section.
        name_in_breadcrumb: Begin each breadcrumb with the document's name.
        front_matter: ``metadata`` takes it out of the text, ``text`` leaves it there.
        page_pattern: A regular expression for page marks besides the known ones, such as
            ``^\[page (\d+)\]$``: ``^`` and ``$`` match at the ends of a line, and a group named
            ``page``, or else the first group, holds the number of the page that begins. Ignored
            if the source itself says where its pages are. A mark has at most 200 characters.
        heading_patterns: Which lines without heading markup are titles: levels from 1, each with a
            regular expression, such as ``{1: r"^ARTICLE [IVXLC]+", 2: r"^Section \d+\.\d+"}``.
            If one matches, no other titles are looked for. A pattern that takes too long on a text
            is an error, as is such a ``page_pattern``.
        engine: What counts tokens; the chunks are the same. ``fast`` counts ``cl100k_base`` and
            ``o200k_base`` with splintr (the extra ``fast``), and refuses other tokenizers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    @classmethod
    def preset(cls, name: Preset, **changes: Any) -> Self:  # noqa: ANN401 - any field
        """Return the settings of a preset, with changes.

        Args:
            name: ``default``; ``standards`` (500 / 1000 tokens, overlap of 100 after ``---``);
                ``sections`` (each chunk in one section, its heading repeated); ``datasheet``
                (tables and code never cut, 512 tokens, overlap of 50); ``retrieval`` (parents of
                400 tokens and children of 75, each in one section, for
                `treepack.retrieval.fill_context`; measured, see ``docs/retrieval.md``).
            changes: Fields to set differently from the preset; its sizes adapt to them.

        Raises:
            UnknownPresetError: There is no preset of that name; it is a `ValueError`.
            ValueError: The limits contradict each other.
        """
        return cls.model_validate(with_preset(name, changes))

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy the settings and change some of them; the new values are not checked.

        Raises:
            ValueError: A name in ``update`` is not a setting.
        """
        check_names(update or (), type(self).model_fields, REMEDIES)
        return super().model_copy(update=update, deep=deep)

    def __repr__(self) -> str:
        """Return the call that makes these settings: the nearest preset and the differences."""
        presets = {str(name): dict(PackConfig.preset(name)) for name in PRESETS}
        return shown_as_call(dict(self), presets)

    __str__ = __repr__

    def __hash__(self) -> int:
        """Hash the sizes and some policies only: patterns and splitters may not be hashable."""
        sizes = (self.max_tokens, self.target_tokens, self.min_tokens, self.overlap_tokens)
        return hash((*sizes, self.levels, self.sections, self.markup, self.outline))

    @property
    def parsing(self) -> ParseSettings:
        """The settings for `treepack.parse`, under the names of its arguments."""
        return {
            "encoding": self.encoding,
            "front_matter": self.front_matter,
            "markup": self.markup,
            "outline": self.outline,
            "page_pattern": self.page_pattern,
            "heading_patterns": self.heading_patterns,
            "engine": self.engine,
        }

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
        given = cast("dict[str, Any]", values).copy()
        check_names(given, cls.model_fields, REMEDIES)
        levels = given.get("levels")
        if levels and "max_tokens" not in given and isinstance(levels, Sequence):
            last = cast("Sequence[object]", levels)[-1]
            given |= {"max_tokens": last} if isinstance(last, int) else {}
        cap = given.get("max_tokens", DEFAULT_CAP)
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
        compile_page_pattern(pattern or "")  # what it raises is a ValueError
        return pattern

    @field_validator("heading_patterns")
    @classmethod
    def _check_heading_patterns(
        cls, patterns: Mapping[int, str] | None
    ) -> Mapping[int, str] | None:
        compile_heading_patterns(patterns)  # what it raises is a ValueError
        return patterns

    @model_validator(mode="after")
    def _check_limits(self) -> Self:
        # A function may count characters, and a chunk of one character is still progress.
        least = MIN_CAP if isinstance(self.encoding, str) else 1
        if self.max_tokens < least:
            msg = f"max_tokens is {self.max_tokens}, but must be at least {least}"
            raise ValueError(msg)
        for smaller, larger, relation in (
            ("target_tokens", "max_tokens", "at most"),
            ("min_tokens", "target_tokens", "at most"),
            ("overlap_tokens", "target_tokens", "less than"),
            ("flat_overlap_tokens", "target_tokens", "less than"),
        ):
            low, high = getattr(self, smaller) or 0, getattr(self, larger)
            if low > high or (relation == "less than" and low == high):
                msg = f"{smaller} is {low}, but must be {relation} {larger}, which is {high}"
                raise ValueError(msg)
        self._check_levels()
        return self

    def _check_levels(self) -> None:
        if self.levels is None:
            return
        if any(above <= below for above, below in pairwise(self.levels)) or not self.levels:
            must = "must be one or more caps, each less than the previous one"
            msg = f"levels are {self.levels}, but {must}"
            raise ValueError(msg)
        if self.levels[-1] != self.max_tokens:
            must = f"must be the last of the levels {self.levels}"
            msg = f"max_tokens is {self.max_tokens}, but {must}"
            raise ValueError(msg)


def given_or_default(config: object) -> PackConfig:
    """Return the settings that a caller gave, or the defaults if ``config`` is None.

    Raises:
        TypeError: ``config`` is something else; the message shows how to make a `PackConfig`.
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

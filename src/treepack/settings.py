"""The settings of packing: declared here once, with their defaults, and by name for calls.

`PackConfig` and both adapters take fields, types and defaults from here. Two things are said again,
and held against the fields by tests: the types, because the type checkers take those of a call's
arguments from no model (`Settings`); and the flags, because help is shown without an import of
pydantic (`cli.flags`).
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Final, Literal, TypeAlias, TypedDict

from pydantic import BaseModel, ConfigDict, Field

from treepack.sentences import SentenceSplitter

DEFAULT_CAP: Final = 1024
DEFAULT_TARGET: Final = 512
DEFAULT_MIN: Final = 64

Markups: TypeAlias = Literal["auto", "markdown", "plain"]
Outline: TypeAlias = Literal["auto", "trust"]
FrontMatterUse: TypeAlias = Literal["metadata", "text"]
Sections: TypeAlias = Literal["pack", "separate"]
Oversize: TypeAlias = Literal["split", "keep"]
Sentences: TypeAlias = Literal["regex", "sentencex"]

Parser: TypeAlias = Literal["scanner", "markdown-it"]
"""How blocks are found: ``scanner`` reads plain blocks itself and leaves the others to markdown-it;
``markdown-it`` reads all blocks and takes longer. The blocks are the same."""

Engine: TypeAlias = Literal["default", "fast"]
"""What counts tokens: ``fast`` is splintr, a third-party package. The counts are the same."""


class SizeFields(BaseModel):
    """The settings that frameworks call by names of their own, see `config.FRAMEWORK_NAMES`."""

    max_tokens: int = Field(default=DEFAULT_CAP, description="Never go above this.")
    target_tokens: int = Field(default=DEFAULT_TARGET, ge=1, description="Fill chunks up to here.")
    min_tokens: int = Field(default=DEFAULT_MIN, ge=0, description="Merge smaller chunks.")
    overlap_tokens: int = Field(
        default=0, ge=0, description="Repeat at most this much of the previous chunk."
    )
    encoding: str | Callable[[str], int] = Field(
        default="cl100k_base", description="A tiktoken encoding, a model, or hf:FOLDER."
    )


class PolicyFields(BaseModel):
    """The settings that have the same name everywhere: `treepack.PackConfig` explains them.

    Here they are declared, with what flags say of them.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    flat_overlap_tokens: int | None = Field(
        default=None, ge=0, description="The overlap in documents without headings."
    )
    overlap_separator: str | None = Field(
        default=None, description="A line after the overlap, such as ---."
    )
    levels: tuple[int, ...] | None = Field(
        default=None, description="Caps of parents and children, such as 2048,512"
    )
    sentence_splitter: Sentences | SentenceSplitter = Field(
        default="regex", description="What finds sentences where a paragraph is cut."
    )
    clauses: bool = Field(default=True, description="Find clause numbers and cross-references.")
    markup: Markups = Field(
        default="auto", description="Take texts as markdown or as plain text, or as each looks."
    )
    outline: Outline = Field(
        default="auto", description="Repair heading levels that contradict their numbers, or not."
    )
    sections: Sections = Field(
        default="pack", description="Put small neighbouring sections into one chunk, or never."
    )
    oversize_table: Oversize = Field(
        default="split", description="Cut a table above the limits by rows, or leave it whole."
    )
    oversize_code: Oversize = Field(default="split", description="The same for code blocks.")
    repeat_heading: bool = Field(
        default=False, description="Repeat the heading in each later chunk of its section."
    )
    name_in_breadcrumb: bool = Field(
        default=True, description="Begin breadcrumbs with the document's name."
    )
    breadcrumb_tokens: int | None = Field(
        default=None, ge=0, description="Embed at most this much of the breadcrumb."
    )
    attach_definitions: bool = Field(
        default=False, description="Append footnotes, link targets and terms that it uses."
    )
    front_matter: FrontMatterUse = Field(
        default="metadata",
        description="Take front matter out as metadata, or leave it in the text.",
    )
    page_pattern: str | None = Field(
        default=None,
        description="Page marks besides the known ones; a group holds the number of the page.",
    )
    heading_patterns: Mapping[int, str] | None = Field(
        default=None, description="Lines that are titles of a level"
    )
    parser: Parser = Field(
        default="scanner", description="What finds blocks; the chunks are the same."
    )
    engine: Engine = Field(
        default="default", description="What counts tokens; the chunks are the same."
    )


class Sizes(TypedDict, total=False):
    """The types of `SizeFields`, for calls."""

    max_tokens: int
    target_tokens: int
    min_tokens: int
    overlap_tokens: int
    encoding: str | Callable[[str], int]


class Policies(TypedDict, total=False):
    """The types of `PolicyFields`, for calls: settings of `treepack.PackConfig`."""

    flat_overlap_tokens: int | None
    overlap_separator: str | None
    levels: tuple[int, ...] | None
    sentence_splitter: Sentences | SentenceSplitter
    clauses: bool
    markup: Markups
    outline: Outline
    sections: Sections
    oversize_table: Oversize
    oversize_code: Oversize
    repeat_heading: bool
    name_in_breadcrumb: bool
    breadcrumb_tokens: int | None
    attach_definitions: bool
    front_matter: FrontMatterUse
    page_pattern: str | None
    heading_patterns: Mapping[int, str] | None
    parser: Parser
    engine: Engine


class Settings(Sizes, Policies, total=False):
    """The settings of `treepack.PackConfig`, which explains them; those not given are defaults."""


class ParseSettings(TypedDict):
    """The settings that `treepack.parse` takes."""

    encoding: str | Callable[[str], int]
    front_matter: FrontMatterUse
    markup: Markups
    outline: Outline
    page_pattern: str | None
    heading_patterns: Mapping[int, str] | None
    parser: Parser
    engine: Engine


_SIZES: Final = {"levels", *(name for name in Settings.__annotations__ if "tokens" in name)}


def shown_as_call(values: Mapping[str, object], presets: Mapping[str, Mapping[str, object]]) -> str:
    """The settings as a call that makes them, from the preset that leaves least to say.

    A preset is named only if nothing but sizes differs from it; ``default`` may always be.

    Args:
        values: The settings.
        presets: The settings of each preset, ``default`` first.
    """
    changes = {
        name: {key: value for key, value in values.items() if value != begun[key]}
        for name, begun in presets.items()
    }
    named = [name for name, changed in changes.items() if changed.keys() <= _SIZES]
    best = min(["default", *named], key=lambda name: len(changes[name]))
    words = [f"{key}={value!r}" for key, value in changes[best].items()]
    if best == "default":
        return f"PackConfig({', '.join(words)})"
    return f"PackConfig.preset({', '.join([repr(best), *words])})"


def check_names(given: Iterable[str], known: Collection[str], remedies: Mapping[str, str]) -> None:
    """Refuse settings that do not exist.

    Args:
        given: The names that were given.
        known: The names of the settings.
        remedies: What to do instead, for names that other tools use.

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

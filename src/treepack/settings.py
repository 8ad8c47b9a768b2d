"""The settings of packing, declared once: names, types, defaults, bounds and help texts.

`PackConfig`, the adapters and the command line take the settings from here. Only the types are
written twice, here and in the fields of `config`: type checkers read the types of a model's fields
and those of a call's arguments from different places. A test compares the two. This module imports
nothing that the help of the command line does not need.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    Protocol,
    TypeAlias,
    TypedDict,
    get_type_hints,
    runtime_checkable,
)

DEFAULT_CAP: Final = 1024
DEFAULT_TARGET: Final = 512
DEFAULT_MIN: Final = 64

Preset: TypeAlias = Literal["default", "standards", "sections", "datasheet", "retrieval"]
Markups: TypeAlias = Literal["auto", "markdown", "plain"]
Outline: TypeAlias = Literal["auto", "trust"]
FrontMatterUse: TypeAlias = Literal["metadata", "text"]
Sections: TypeAlias = Literal["pack", "separate"]
Oversize: TypeAlias = Literal["split", "keep"]

Engine: TypeAlias = Literal["default", "fast"]
"""What counts tokens: ``fast`` is splintr, a third-party package. The counts are the same."""


@runtime_checkable
class SentenceSplitter(Protocol):
    """Finds the sentences of a text; any object with this method can be used."""

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the sentences, in order, as half-open spans of characters of ``text``.

        Spans do not overlap. Together they cover the text, except whitespace at its start and
        between spans. Other text between two spans is added to the sentence before it. A
        sentence that begins inside a grapheme cluster is joined to the sentence before it.

        Args:
            text: A paragraph or more, with its line ends and inline markup, unchanged from call
                to call. Block quote markers at the start of lines are replaced by spaces.
        """
        ...


@dataclass(frozen=True)
class Setting:
    """A setting's help text, default and lower bound.

    Attributes:
        help: What it does, in one line.
        default: Its value if none is given.
        least: The smallest allowed value; None if there is no bound.
    """

    help: str
    default: Any = None
    least: int | None = None


class Sizes(TypedDict, total=False):
    """The settings that frameworks call by other names; see `config.FRAMEWORK_NAMES`."""

    max_tokens: Annotated[int, Setting("Hard cap: no chunk is larger.", default=DEFAULT_CAP)]
    target_tokens: Annotated[
        int, Setting("Fill chunks up to this size.", default=DEFAULT_TARGET, least=1)
    ]
    min_tokens: Annotated[
        int, Setting("Merge chunks smaller than this.", default=DEFAULT_MIN, least=0)
    ]
    overlap_tokens: Annotated[
        int, Setting("Repeat at most this much of the previous chunk.", default=0, least=0)
    ]
    encoding: Annotated[
        str | Callable[[str], int],
        Setting(
            "The tokenizer: a tiktoken encoding, an OpenAI model, or hf:FOLDER.",
            default="cl100k_base",
        ),
    ]


class Policies(TypedDict, total=False):
    """The settings that have the same name everywhere: `treepack.PackConfig` explains them."""

    flat_overlap_tokens: Annotated[
        int | None, Setting("Overlap in documents without headings.", least=0)
    ]
    overlap_separator: Annotated[str | None, Setting("A line after the overlap, such as ---.")]
    levels: Annotated[
        tuple[int, ...] | None, Setting("Caps of parents and children, such as 2048,512")
    ]
    sentence_splitter: Annotated[
        Literal["regex"] | SentenceSplitter,
        Setting("How sentences are found when a paragraph is cut.", default="regex"),
    ]
    clauses: Annotated[bool, Setting("Find clause numbers and cross-references.", default=True)]
    markup: Annotated[
        Markups,
        Setting("Read texts as markdown, as plain text, or decide for each text.", default="auto"),
    ]
    outline: Annotated[
        Outline,
        Setting(
            "Repair heading levels that contradict their numbers, or trust all levels.",
            default="auto",
        ),
    ]
    sections: Annotated[
        Sections,
        Setting(
            "Pack small neighbouring sections into one chunk, or keep them apart.", default="pack"
        ),
    ]
    oversize_table: Annotated[
        Oversize,
        Setting("Cut a table above the limits by rows, or keep it whole.", default="split"),
    ]
    oversize_code: Annotated[
        Oversize,
        Setting("Cut a code block above the limits by lines, or keep it whole.", default="split"),
    ]
    repeat_heading: Annotated[
        bool, Setting("Repeat the heading in each later chunk of its section.", default=False)
    ]
    name_in_breadcrumb: Annotated[
        bool, Setting("Begin breadcrumbs with the document's name.", default=True)
    ]
    front_matter: Annotated[
        FrontMatterUse,
        Setting("Turn front matter into metadata, or keep it in the text.", default="metadata"),
    ]
    page_pattern: Annotated[
        str | None,
        Setting("A regular expression for further page marks; a group captures the page number."),
    ]
    heading_patterns: Annotated[
        Mapping[int, str] | None, Setting("A regular expression for the titles of each level")
    ]
    engine: Annotated[
        Engine, Setting("How tokens are counted; the chunks are the same.", default="default")
    ]


class Settings(Sizes, Policies, total=False):
    """The settings of `treepack.PackConfig`, which explains them; all are optional."""


TYPES: Final[Mapping[str, Any]] = get_type_hints(Settings)
"""The type of each setting."""

SETTINGS: Final[Mapping[str, Setting]] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Settings, include_extras=True).items()
}
"""The declaration of each setting."""


class ParseSettings(TypedDict):
    """The settings that `treepack.parse` takes."""

    encoding: str | Callable[[str], int]
    front_matter: FrontMatterUse
    markup: Markups
    outline: Outline
    page_pattern: str | None
    heading_patterns: Mapping[int, str] | None
    engine: Engine


def check_names(given: Iterable[str], known: Collection[str], remedies: Mapping[str, str]) -> None:
    """Refuse settings that do not exist.

    Args:
        given: The names that were given.
        known: The names of the settings.
        remedies: What to do instead, for names that are used elsewhere.

    Raises:
        ValueError: A name is not known; the message shows what was probably meant.
    """
    unknown = [_unknown(name, known, remedies) for name in given if name not in known]
    if unknown:
        raise ValueError("; ".join(unknown))


def _unknown(name: str, known: Collection[str], remedies: Mapping[str, str]) -> str:
    if name in remedies:
        return f"there is no setting {name!r}: {remedies[name]}"
    near = get_close_matches(name, [*known, *remedies], n=1)
    if not near:
        return f"there is no setting {name!r}; the settings are {', '.join(sorted(known))}"
    remedy = f" ({remedies[near[0]]})" if near[0] in remedies else ""
    return f"there is no setting {name!r}; did you mean {near[0]!r}?{remedy}"

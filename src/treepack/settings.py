"""The settings of packing by their names, for calls that take them as arguments."""

from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Final, Literal, TypedDict

from treepack.sentences import SentenceSplitter


class ParseSettings(TypedDict):
    """The settings that `treepack.parse` takes."""

    encoding: str | Callable[[str], int]
    front_matter: Literal["metadata", "text"]
    markup: Literal["auto", "markdown", "plain"]
    outline: Literal["auto", "trust"]
    page_pattern: str | None
    heading_patterns: Mapping[int, str] | None
    parser: Literal["scanner", "markdown-it"]
    engine: Literal["default", "fast"]


class Settings(TypedDict, total=False):
    """The settings of `treepack.PackConfig`, which explains them; those not given are defaults."""

    max_tokens: int
    target_tokens: int
    min_tokens: int
    overlap_tokens: int
    flat_overlap_tokens: int | None
    overlap_separator: str | None
    levels: tuple[int, ...] | None
    encoding: str | Callable[[str], int]
    sentence_splitter: Literal["regex", "sentencex"] | SentenceSplitter
    clauses: bool
    markup: Literal["auto", "markdown", "plain"]
    outline: Literal["auto", "trust"]
    sections: Literal["pack", "separate"]
    oversize_table: Literal["split", "keep"]
    oversize_code: Literal["split", "keep"]
    repeat_heading: bool
    name_in_breadcrumb: bool
    breadcrumb_tokens: int | None
    attach_definitions: bool
    front_matter: Literal["metadata", "text"]
    page_pattern: str | None
    heading_patterns: Mapping[int, str] | None
    parser: Literal["scanner", "markdown-it"]
    engine: Literal["default", "fast"]


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

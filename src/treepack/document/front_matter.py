"""Front matter: YAML between ``---`` lines, or TOML between ``+++`` lines, at the very top."""

import re
import tomllib
from collections.abc import Callable
from datetime import date, datetime, time
from typing import Any, Final, cast

from treepack.document.source import LINE_END

_FRONT_MATTER: Final = re.compile(
    r"""
    \ufeff?
    (?P<fence>---|\+\+\+) [ \t]* (?:\r\n?|\n)
    (?P<body> (?: (?!(?:---|\.\.\.|\+\+\+)[ \t]*(?:[\r\n]|\Z)) [^\r\n]* (?:\r\n?|\n) |)*+ )
    (?P<close>---|\.\.\.|\+\+\+) [ \t]* (?=[\r\n]|\Z)
    """,
    re.VERBOSE,
)

# What stands between two rules is meant as YAML when the first line that says something has a key.
# Of prose, any later line may look like one ("Note: ...").
_KEY: Final = re.compile(
    r"""(?:[ \t]*(?:\#[^\r\n]*)?[\r\n]|)*+ [ \t]*
        (?: \{ | ["']?\w[\w ./-]*["']?[ \t]*:(?:\s|\Z) )""",
    re.VERBOSE,
)


def find_front_matter(text: str) -> tuple[int, dict[str, Any] | None] | None:
    """Find front matter at the top of a text.

    Returns:
        The offset behind the closing line, and the mapping; the mapping is None when the front
        matter cannot be read (then it stays in the text, and nothing is lost). None when the text
        does not begin with front matter.
    """
    match = _FRONT_MATTER.match(text)
    if match is None:
        return None
    is_toml = match["fence"] == "+++"
    if is_toml != (match["close"] == "+++"):
        return None
    values = _load(tomllib.loads if is_toml else _load_yaml, LINE_END.sub("\n", match["body"]))
    if values is None and not is_toml and not _KEY.match(match["body"]):
        return None  # rules with prose between them
    return match.end(), values


def _load_yaml(text: str) -> object:
    # Few documents have front matter; those without it need not wait for the import.
    from treepack.document.yaml_values import load_yaml  # noqa: PLC0415

    return load_yaml(text)


def _load(loader: Callable[[str], object], text: str) -> dict[str, Any] | None:
    try:
        values = loader(text)
    except (ValueError, RecursionError):
        return None  # not front matter after all; the caller keeps it as text
    if values is None:
        return {}
    return _plain(values) if isinstance(values, dict) else None


def _plain_mapping(mapping: dict[Any, Any]) -> dict[str, Any]:
    return {str(key): _plain(item) for key, item in mapping.items()}


def _plain(value: Any) -> Any:  # noqa: ANN401 - any YAML or TOML value
    """Turn keys into text and TOML's dates into ISO text, so that the value is JSON."""
    match value:
        case dict():
            return _plain_mapping(value)  # pyright: ignore[reportUnknownArgumentType] - any keys
        case list() | tuple() | set():
            return [_plain(item) for item in cast("list[Any]", value)]
        case datetime() | date() | time():
            return value.isoformat()
        case bytes():
            return value.decode("utf-8", "replace")
        case _:
            return value

"""Front matter: YAML between ``---`` lines, or TOML between ``+++`` lines, at the very top."""

import re
import tomllib
from collections.abc import Callable
from datetime import date, datetime, time
from math import isfinite
from typing import Any, Final, cast

from treepack.model.source import ANY_LINE_END, LINE_END

LONGEST_FRONT_MATTER: Final = 10_000
"""Characters; longer metadata, copied to each chunk, would be many times as long as the text."""

_DEEPEST: Final = 32  # levels of nested values; JSON readers accept some hundreds
_LARGEST_INTEGER: Final = 2**63  # the largest that all JSON readers agree on
_FRONT_MATTER: Final = re.compile(
    rf"""
    \ufeff?
    (?P<fence>---|\+\+\+) [ \t]* {ANY_LINE_END}
    (?P<body> (?: (?!(?:---|\.\.\.|\+\+\+)[ \t]*(?:[\r\n]|\Z)) [^\r\n]* {ANY_LINE_END} |)*+ )
    (?P<close>---|\.\.\.|\+\+\+) [ \t]* (?=[\r\n]|\Z)
    """,
    re.VERBOSE,
)

# Text between two rules is YAML if its first line with content has a key. Any later line of prose
# may look like a key ("Note: ...").
_KEY: Final = re.compile(
    r"""(?:[ \t]*(?:\#[^\r\n]*)?[\r\n]|)*+ [ \t]*
        (?: \{ | ["']?\w[\w ./-]*["']?[ \t]*:(?:\s|\Z) )""",
    re.VERBOSE,
)


def find_front_matter(text: str) -> tuple[int, dict[str, Any] | None] | None:
    """Find front matter at the top of a text.

    Returns:
        The offset of the end of the closing line, and the mapping. The mapping is None if the front
        matter cannot be read; it then stays in the text, so that nothing is lost. The result is
        None if the text does not begin with front matter.
    """
    match = _FRONT_MATTER.match(text)
    if match is None:
        return None
    is_toml = match["fence"] == "+++"
    if is_toml != (match["close"] == "+++"):
        return None
    values = _mapping_in(
        tomllib.loads if is_toml else _load_yaml, LINE_END.sub("\n", match["body"])
    )
    if values is None and not is_toml and not _KEY.match(match["body"]):
        return None  # prose between two rules
    return match.end(), values


def _load_yaml(text: str) -> object:
    from treepack.markdown.yaml_values import load_yaml  # noqa: PLC0415 - few texts need it

    return load_yaml(text)


def _mapping_in(loader: Callable[[str], object], text: str) -> dict[str, Any] | None:
    """Return the mapping in a text, or None if it contains none or is too long."""
    if len(text) > LONGEST_FRONT_MATTER:
        return None
    try:
        values = loader(text)
        if values is None:
            return {}
        return _json_value(values, 0) if isinstance(values, dict) else None
    except (ValueError, RecursionError):
        return None  # not front matter; the caller keeps it as text


def _json_value(value: Any, depth: int) -> Any:  # noqa: ANN401 - any YAML or TOML value
    """Convert to JSON values; dates, large integers and non-finite numbers become text.

    Raises:
        ValueError: JSON has no form for the value.
    """
    if depth > _DEEPEST:
        msg = f"values are nested deeper than {_DEEPEST}"
        raise ValueError(msg)
    match value:
        case dict():
            pairs = cast("dict[str, Any]", value).items()
            return {_encodable(key): _json_value(item, depth + 1) for key, item in pairs}
        case list():
            return [_json_value(item, depth + 1) for item in value]  # pyright: ignore[reportUnknownVariableType] - any items
        case datetime() | date() | time():
            return value.isoformat()
        case str():
            return _encodable(value)
        case float() | int() if not _is_json_number(value):
            return str(value)
        case float() | int() | None:
            return value
        case _:
            msg = f"JSON has no {type(value).__name__}"
            raise ValueError(msg)


def _is_json_number(number: float) -> bool:
    """Whether every JSON reader reads a number as exactly this value."""
    if isinstance(number, int):
        return -_LARGEST_INTEGER <= number < _LARGEST_INTEGER
    return isfinite(number)


def _encodable(text: str) -> str:
    text.encode()  # raises UnicodeEncodeError, a ValueError, at a lone surrogate
    return text

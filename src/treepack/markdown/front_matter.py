"""Front matter: YAML between ``---`` lines, or TOML between ``+++`` lines, at the top of a page."""

import re
import tomllib
from collections.abc import Callable
from datetime import date, datetime, time
from math import isfinite
from typing import Any, Final, cast

from treepack.model.blocks import Span
from treepack.model.source import ANY_LINE_END, LINE_END

LONGEST_FRONT_MATTER: Final = 10_000
"""Characters; longer metadata, copied to each chunk, would be many times as long as the text."""

_DEEPEST: Final = 32  # levels of nested values; JSON readers accept some hundreds
# ``--- abstract`` and other names of parts close the front matter of Internet-Drafts.
_CLOSE: Final = r"(?: --- (?:[ \t]+\w+)? | \.\.\. | \+\+\+ ) [ \t]* (?=[\r\n]|\Z)"
_FRONT_MATTER: Final = re.compile(
    rf"""
    \ufeff?
    (?P<fence>---|\+\+\+) [ \t]* {ANY_LINE_END}
    (?P<body> (?: (?!{_CLOSE}) [^\r\n]* {ANY_LINE_END} |)*+ )
    (?P<close>{_CLOSE})
    """,
    re.VERBOSE,
)
# Only metadata has a key in small letters, no blank line, and a heading right below. A pattern that
# begins with "---" is searched ten times faster than one that begins with a look behind.
_INNER: Final = re.compile(
    rf"""
    --- (?<=[\r\n]---) [ \t]* {ANY_LINE_END} (?: [ \t]* {ANY_LINE_END} |)*+
    (?P<body> (?=[a-z_][\w-]*:\s) (?: (?!{_CLOSE}) [ \t]*+ \S [^\r\n]* {ANY_LINE_END} |)*+ )
    --- [ \t]* (?=[\r\n]) (?= \s*+ (?: \#{{1,6}}[ \t] | <[Hh][1-6][\s>] ) )
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
        The offset where it ends, and the mapping. The mapping is None if the front
        matter cannot be read; it then stays in the text, so that nothing is lost. The result is
        None if the text does not begin with front matter.
    """
    match = _FRONT_MATTER.match(text)
    if match is None:
        return None
    is_toml = match["fence"] == "+++"
    if is_toml != match["close"].startswith("+"):
        return None
    values = _mapping_in(
        tomllib.loads if is_toml else _load_yaml, LINE_END.sub("\n", match["body"])
    )
    if values is None and not is_toml and not _KEY.match(match["body"]):
        return None  # prose between two rules
    has_name = match["close"][-1].isalnum()  # then the line belongs to the text
    return match.end("body" if has_name else "close"), values


def find_inner_front_matter(text: str, start: int) -> list[Span]:
    """Find the front matter of further pages in a text of joined pages.

    Files for language models (``llms-full.txt``) join the pages of a website like this.

    Returns:
        The spans from the first rule to the second, in order.
    """
    return [
        match.span()
        for match in _INNER.finditer(text, start)
        if _mapping_in(_load_yaml, LINE_END.sub("\n", match["body"]))
    ]


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
        case int() | float():  # as text, unless every JSON reader reads exactly this value
            limit = 2**63
            is_exact = -limit <= value < limit if isinstance(value, int) else isfinite(value)
            return value if is_exact else str(value)
        case None:
            return None
        case _:
            msg = f"JSON has no {type(value).__name__}"
            raise ValueError(msg)


def _encodable(text: str) -> str:
    text.encode()  # raises UnicodeEncodeError, a ValueError, at a lone surrogate
    return text

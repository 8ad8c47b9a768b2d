r"""Shows text from documents in terminals, in HTML, and in the small tables of notebooks.

A document may contain anything: markup, control characters, characters that change the writing
direction. All of it is shown as text, and invisible characters are made visible.

>>> print(visible("a window's title: \x1b]0;owned\x07"))
a window's title: \u001b]0;owned\u0007
>>> escaped("<b>&amp;")
'&lt;b&gt;&amp;amp;'
"""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

SHOWN_ROWS: Final = 20
SHOWN_CHARACTERS: Final = 100

# HTML allows no other control characters; the others are replaced by pictures of them.
_PICTURES: Final = {
    **{code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n\r"},
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
    **dict.fromkeys(range(0xD800, 0xE000), 0xFFFD),  # surrogates have no UTF-8 form
    0x7F: 0x2421,
}
_DIRECTION: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Characters that embed, override or isolate a writing direction and may reorder later text."""

_CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Characters that control a terminal, all direction marks, and surrogates (no UTF-8 form)."""


def visible(text: str) -> str:
    r"""Return the text for a terminal, with an escape for each character that would control it.

    The escapes are those of JSON, so a line of JSON keeps its meaning.

    Returns:
        The text in which C0 and C1 control characters (except tab and line feed), direction marks
        (Unicode standard annex 9, section 2) and lone surrogates are written like ``\u202e``.
    """
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def visible_line(text: str) -> str:
    """Like `visible`, but on one line, for names and messages."""
    return visible(text).replace("\n", "\\u000a")


def harmless(text: str) -> str:
    """Return the text with a picture for each control character except tabs and line ends."""
    return text.translate(_PICTURES)


def escaped(text: str) -> str:
    """Return the text as HTML that looks the same as the text.

    A direction mark is kept, but inside an element of its own, so that it affects nothing else.
    """
    plain = escape(harmless(text), quote=True)
    return _DIRECTION.sub(_isolated, plain) if _DIRECTION.search(plain) else plain


def one_line(text: str, limit: int = SHOWN_CHARACTERS) -> str:
    """Return the start of the text as one line without direction marks, for titles and cells."""
    # Read little more than can be shown, because the text may be long.
    folded = " ".join(_DIRECTION.sub("\ufffd", harmless(text[: 8 * limit])).split())
    return folded if len(folded) <= limit else f"{folded[: limit - 1]}…"


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[str]], total: int) -> str:
    """Return an HTML table for a notebook: the first of ``total`` rows, and how many are left out.

    Caption, columns and cells are plain text.
    """
    shown = [_row("td", [one_line(cell) for cell in row]) for row in rows]
    left_out = total - len(shown)
    more = f'<tr><td colspan="{len(columns)}">… and {left_out} more</td></tr>' * (left_out > 0)
    return (
        f'<table><caption style="text-align:left"><bdi>{escaped(one_line(caption))}</bdi>'
        f"</caption><thead>{_row('th', columns)}</thead><tbody>{''.join(shown)}{more}</tbody>"
        "</table>"
    )


def counted(number: int, name: str) -> str:
    """Return the number and the name of the counted things: ``1 chunk``, ``1,024 tokens``."""
    return f"{number:,} {name}" if number == 1 else f"{number:,} {name}s"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines of aligned columns, with two spaces between the columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def ranged(first: object, last: object, name: str = "") -> str:
    """Return a range after its plural name, or one number (``page 3``) if both are equal."""
    if first == last:
        return f"{name} {first}".lstrip()
    return f"{name}s {first}–{last}" if name else f"{first}–{last}"


def _row(tag: str, cells: Sequence[str]) -> str:
    style = 'style="text-align:left;vertical-align:top"'
    inner = "".join(f"<{tag} {style}><bdi>{escaped(cell)}</bdi></{tag}>" for cell in cells)
    return f"<tr>{inner}</tr>"


def _isolated(match: re.Match[str]) -> str:
    return f'<bdi class="mark" title="U+{ord(match[0]):04X}">{match[0]}</bdi>'

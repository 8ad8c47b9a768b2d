"""Characters that Word writes as elements: tabs, breaks, hyphens, characters of symbol fonts."""

import re
from typing import Final
from xml.etree.ElementTree import Element

SPECIAL_CHARACTERS: Final = {
    "tab": "\t", "ptab": "\t", "cr": "\n", "br": "\n", "noBreakHyphen": "-", "softHyphen": "",
    "sym": "",
}  # fmt: skip
"""The characters that elements of a run represent, by the name of the element."""

# The private use area that symbol fonts are mapped to; the font defines what its characters mean.
_PRIVATE_USE_START: Final = 0xF000
_HEX_CODE: Final = re.compile(r"[0-9A-Fa-f]{1,4}\Z")
_CHECK_BOXES: Final = {
    ("wingdings", 0xA8): "☐", ("wingdings", 0xFE): "☒", ("wingdings", 0xFD): "☒",
    ("wingdings", 0xFC): "✓", ("wingdings 2", 0x52): "☑", ("wingdings 2", 0xA3): "☐",
}  # fmt: skip
_SYMBOL_FONT_CHARACTERS: Final = {
    0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xA3: "≤", 0xB4: "×", 0xB7: "·", 0xB8: "÷", 0xB9: "≠",
    0xA5: "∞", 0xAE: "→", 0xAC: "←", 0xD7: "⋅", 0x57: "Ω", 0x61: "α", 0x62: "β", 0x64: "δ",
    0x44: "Δ", 0x65: "ε", 0x67: "γ", 0x6C: "λ", 0x6D: "μ", 0x70: "π", 0x72: "ρ", 0x73: "σ",
    0x53: "Σ", 0x71: "θ", 0x74: "τ", 0x66: "φ", 0x77: "ω", 0xD6: "√", 0xBB: "≈", 0xA2: "′",
}  # fmt: skip


def character_of(element: Element) -> str:
    """Return the character that an element represents; a page or column break is a space."""
    if element.tag == "br" and element.get("type", "textWrapping") != "textWrapping":
        return " "
    return _symbol(element) if element.tag == "sym" else SPECIAL_CHARACTERS[element.tag]


def _symbol(element: Element) -> str:
    """Return a character of a symbol font; U+FFFD if only the font defines its meaning."""
    hex_code = element.get("char", "")
    if not _HEX_CODE.match(hex_code):
        return ""
    code = int(hex_code, 16)
    font = element.get("font", "").casefold()
    if code >= _PRIVATE_USE_START and code < _PRIVATE_USE_START + 0x100:
        code -= _PRIVATE_USE_START
        table = _SYMBOL_FONT_CHARACTERS if font == "symbol" else {}
        return _CHECK_BOXES.get((font, code)) or table.get(code) or "�"
    return chr(code) if not 0xD800 <= code <= 0xDFFF else ""  # noqa: PLR2004 - surrogates

"""Writes Word's math (OMML, ISO/IEC 29500-1 chapter 22) as TeX: the common elements.

Other elements give the text inside them, so that no character is lost.
"""

from collections.abc import Mapping
from typing import Final
from xml.etree.ElementTree import Element

# The TeX of each element, with the names of its parts and properties.
_FORMS: Final[Mapping[str, str]] = {
    "m_f": "{frac}{{{num}}}{{{den}}}",
    "m_sSup": "{base}{above}",
    "m_sSub": "{base}{below}",
    "m_sSubSup": "{base}{below}{above}",
    "m_sPre": "{{}}{below}{above}{base}",
    "m_limLow": "{e}_{{{lim}}}",
    "m_limUpp": "{e}^{{{lim}}}",
    "m_rad": "\\sqrt{degree}{{{e}}}",
    "m_bar": "\\overline{{{e}}}",
    "m_acc": "{accent}{{{e}}}",
    "m_func": "{fName} {e}",
    "m_nary": "{chr}{below}{above} {e}",
    "m_d": "{begChr}{e}{endChr}",
    "m_eqArr": "{e}",
    "m_m": "\\begin{{matrix}} {mr} \\end{{matrix}}",
    "m_mr": "{e}",
}
# Parts in braces or brackets that are not written if they are empty.
_OPTIONAL: Final = {
    "below": ("sub", "_{{{}}}"),
    "above": ("sup", "^{{{}}}"),
    "degree": ("deg", "[{}]"),
}
_DEFAULTS: Final = {"chr": "∫", "begChr": "(", "sepChr": "|", "endChr": ")"}
_COMMANDS: Final = {
    "∑": "\\sum", "∏": "\\prod", "∫": "\\int", "∮": "\\oint",
    "\u0302": "\\hat", "\u0303": "\\tilde", "\u0305": "\\bar", "\u20d7": "\\vec",
}  # fmt: skip
_FUNCTIONS: Final = frozenset({
    "sin", "cos", "tan", "cot", "sinh", "cosh", "tanh", "log", "ln", "lim", "max", "min", "exp",
    "det", "arg", "sup", "inf", "gcd", "arcsin", "arccos", "arctan",
})  # fmt: skip
_LEFT_OUT: Final = frozenset({"rPr", "del", "moveFrom"})
_SEPARATORS: Final = {"m_eqArr": "\\\\", "m_m": "\\\\", "m_mr": "&"}  # of lines and columns
_ESCAPED: Final = str.maketrans({character: f"\\{character}" for character in "{}%#&_"})


class _Parts(dict[str, str]):
    """The TeX of an element's parts and properties, by their names."""

    def __missing__(self, name: str) -> str:
        if name == "base":
            return self["e"] if len(self["e"]) == 1 else f"{{{self['e']}}}"
        if name == "frac":
            return "\\binom" if self["type"] == "noBar" else "\\frac"
        if name == "accent":
            return _COMMANDS["\u0302"] if "chr" not in self else self["chr"]
        if name in _OPTIONAL:
            part, form = _OPTIONAL[name]
            return form.format(self[part]) if self[part] else ""
        return _COMMANDS.get(_DEFAULTS.get(name, ""), _DEFAULTS.get(name, ""))


def to_tex(element: Element) -> str:
    """Return the TeX of an ``m:oMath`` or of anything inside one."""
    return " ".join(_children_tex(element).split())


def _children_tex(element: Element) -> str:
    return "".join(map(_element_tex, element))


def _element_tex(element: Element) -> str:
    tag = element.tag
    if tag in ("m_t", "t"):
        return (element.text or "").translate(_ESCAPED if tag == "m_t" else {})
    if tag in _LEFT_OUT or _is_property(element):
        return ""
    form = _FORMS.get(tag)
    return _children_tex(element) if form is None else form.format_map(_parts(element))


def _is_property(element: Element) -> bool:
    return element.tag.startswith("m_") and element.tag.endswith("Pr")


def _parts(element: Element) -> _Parts:
    parts = _Parts()
    for child in element:
        if _is_property(child):
            for inner in child:
                character = inner.get("m_val", "")
                parts[inner.tag[2:]] = _COMMANDS.get(character, character.translate(_ESCAPED))
    separator = _SEPARATORS.get(element.tag) or parts["sepChr"]
    for child in element:
        if not _is_property(child):
            name, text = child.tag[2:], _element_tex(child).strip()
            if text.partition("_")[0].partition("^")[0] in _FUNCTIONS and name in ("fName", "e"):
                text = f"\\{text}"
            parts[name] = f"{parts[name]} {separator} {text}" if name in parts else text
    return parts

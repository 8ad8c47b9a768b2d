"""Writes Word's math (OMML, ISO/IEC 29500-1 chapter 22) as TeX: the common elements.

Other elements give the text inside them, so that no character is lost.
"""

from collections.abc import Callable
from typing import Final
from xml.etree.ElementTree import Element

_OPERATORS: Final = {
    "∑": "\\sum", "∏": "\\prod", "∫": "\\int", "∬": "\\iint", "∭": "\\iiint", "∮": "\\oint",
    "⋃": "\\bigcup", "⋂": "\\bigcap", "∐": "\\coprod", "⋁": "\\bigvee", "⋀": "\\bigwedge",
}  # fmt: skip
_HAT: Final = "\\hat"
_ACCENTS: Final = {
    "̂": _HAT, "̃": "\\tilde", "̅": "\\bar", "̇": "\\dot", "̈": "\\ddot",
    "⃗": "\\vec", "̄": "\\bar",
}  # fmt: skip
_FUNCTIONS: Final = frozenset({
    "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "log", "ln", "lim", "max",
    "min", "exp", "det", "arg", "sup", "inf", "gcd", "arcsin", "arccos", "arctan",
})  # fmt: skip
_ESCAPED: Final = {"{": "\\{", "}": "\\}", "%": "\\%", "#": "\\#", "&": "\\&", "_": "\\_"}


def to_tex(element: Element) -> str:
    """Return the TeX of an ``m:oMath`` or of anything inside one."""
    return " ".join(_children_tex(element).split())


def _children_tex(element: Element) -> str:
    return "".join(_element_tex(child) for child in element)


def _element_tex(element: Element) -> str:
    if handler := _HANDLERS.get(element.tag):
        return handler(element)
    is_property = element.tag.startswith("m_") and element.tag.endswith("Pr")
    return "" if is_property else _children_tex(element)


def _math_text(element: Element) -> str:
    return "".join(_ESCAPED.get(character, character) for character in element.text or "")


def _fraction(element: Element) -> str:
    is_bare = _property(element, "m_fPr", "m_type") == "noBar"
    top, bottom = _part_tex(element, "m_num"), _part_tex(element, "m_den")
    return f"\\{'binom' if is_bare else 'frac'}{{{top}}}{{{bottom}}}"


def _large_operator(element: Element) -> str:
    operator = _property(element, "m_naryPr", "m_chr") or "∫"
    return f"{_OPERATORS.get(operator, operator)}{_limits(element)} {_part_tex(element, 'm_e')}"


def _root(element: Element) -> str:
    degree = _part_tex(element, "m_deg")
    return f"\\sqrt{f'[{degree}]' if degree else ''}{{{_part_tex(element, 'm_e')}}}"


def _accent(element: Element) -> str:
    accent = _property(element, "m_accPr", "m_chr")
    return f"{_ACCENTS.get(accent, _HAT)}{{{_part_tex(element, 'm_e')}}}"


def _matrix(element: Element) -> str:
    rows = [" & ".join(_children_tex(cell) for cell in row) for row in element.iterfind("m_mr")]
    return _environment("matrix", rows)


def _equations(element: Element) -> str:
    lines = [_children_tex(line) for line in element.iterfind("m_e")]
    return lines[0] if len(lines) == 1 else _environment("aligned", lines)


def _environment(name: str, lines: list[str]) -> str:
    inner = " \\\\ ".join(lines)
    return f"\\begin{{{name}}} {inner} \\end{{{name}}}"


def _part_tex(element: Element, name: str) -> str:
    part = element.find(name)
    return _children_tex(part).strip() if part is not None else ""


def _base(element: Element) -> str:
    base = _part_tex(element, "m_e")
    return base if len(base) == 1 else f"{{{base}}}"


def _limits(element: Element) -> str:
    below, above = _part_tex(element, "m_sub"), _part_tex(element, "m_sup")
    return (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")


def _named(element: Element, part: str) -> str:
    """Return the TeX of a part, as a command if it begins with the name of a function."""
    name = _part_tex(element, part)
    head = name.partition("_")[0].partition("^")[0]
    return f"\\{name}" if head in _FUNCTIONS else name


def _delimited(element: Element) -> str:
    begin = _property(element, "m_dPr", "m_begChr", "(")
    end = _property(element, "m_dPr", "m_endChr", ")")
    separator = _property(element, "m_dPr", "m_sepChr", "|")
    inner = f" {separator} ".join(_children_tex(e).strip() for e in element.iterfind("m_e"))
    return f"{_ESCAPED.get(begin, begin)}{inner}{_ESCAPED.get(end, end)}"


def _property(element: Element, properties: str, name: str, default: str = "") -> str:
    property_element = element.find(f"{properties}/{name}")
    return property_element.get("m_val", "") if property_element is not None else default


_HANDLERS: Final[dict[str, Callable[[Element], str]]] = {
    "m_t": _math_text,
    "t": lambda element: element.text or "",
    "m_sSup": lambda element: f"{_base(element)}^{{{_part_tex(element, 'm_sup')}}}",
    "m_sSub": lambda element: f"{_base(element)}_{{{_part_tex(element, 'm_sub')}}}",
    "m_sSubSup": lambda element: _base(element) + _limits(element),
    "m_sPre": lambda element: "{}" + _limits(element) + _base(element),
    "m_limLow": lambda element: f"{_named(element, 'm_e')}_{{{_part_tex(element, 'm_lim')}}}",
    "m_limUpp": lambda element: f"{_named(element, 'm_e')}^{{{_part_tex(element, 'm_lim')}}}",
    "m_bar": lambda element: f"\\overline{{{_part_tex(element, 'm_e')}}}",
    "m_f": _fraction,
    "m_nary": _large_operator,
    "m_d": _delimited,
    "m_rad": _root,
    "m_func": lambda element: f"{_named(element, 'm_fName')} {_part_tex(element, 'm_e')}",
    "m_acc": _accent,
    "m_m": _matrix,
    "m_eqArr": _equations,
    **dict.fromkeys(("rPr", "del", "moveFrom"), lambda _: ""),
}

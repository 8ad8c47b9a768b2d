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
_SPECIAL: Final = {"{": "\\{", "}": "\\}", "%": "\\%", "#": "\\#", "&": "\\&", "_": "\\_"}


def to_tex(element: Element) -> str:
    """Return the TeX of an ``m:oMath`` or of anything inside one."""
    return " ".join(_children(element).split())


def _children(element: Element) -> str:
    return "".join(_one(child) for child in element)


def _one(element: Element) -> str:
    if handler := _HANDLERS.get(element.tag):
        return handler(element)
    if form := _FORMS.get(element.tag):
        return form.format_map(_Parts(element))
    is_property = element.tag.startswith("m_") and element.tag.endswith("Pr")
    return "" if is_property else _children(element)


class _Parts(dict[str, str]):
    """The parts of an element as TeX, by name; each is made when a form asks for it."""

    def __init__(self, element: Element) -> None:
        super().__init__()
        self._element = element

    def __missing__(self, name: str) -> str:
        match name:
            case "base":
                return _base(self._element)
            case "limits":
                return _limits(self._element)
            case "named":
                return _named(_part(self._element, "m_e"))
            case _:
                return _part(self._element, f"m_{name}")


def _math_text(element: Element) -> str:
    return "".join(_SPECIAL.get(sign, sign) for sign in element.text or "")


def _fraction(element: Element) -> str:
    is_bare = _property(element, "m_fPr", "m_type") == "noBar"
    top, bottom = _part(element, "m_num"), _part(element, "m_den")
    return f"\\{'binom' if is_bare else 'frac'}{{{top}}}{{{bottom}}}"


def _large_operator(element: Element) -> str:
    sign = _property(element, "m_naryPr", "m_chr") or "∫"
    return f"{_OPERATORS.get(sign, sign)}{_limits(element)} {_part(element, 'm_e')}"


def _root(element: Element) -> str:
    degree = _part(element, "m_deg")
    return f"\\sqrt{f'[{degree}]' if degree else ''}{{{_part(element, 'm_e')}}}"


def _function(element: Element) -> str:
    return f"{_named(_part(element, 'm_fName'))} {_part(element, 'm_e')}"


def _accent(element: Element) -> str:
    sign = _property(element, "m_accPr", "m_chr")
    return f"{_ACCENTS.get(sign, _HAT)}{{{_part(element, 'm_e')}}}"


def _matrix(element: Element) -> str:
    rows = [" & ".join(_children(cell) for cell in row) for row in element.iterfind("m_mr")]
    return _environment("matrix", rows)


def _equations(element: Element) -> str:
    lines = [_children(line) for line in element.iterfind("m_e")]
    return lines[0] if len(lines) == 1 else _environment("aligned", lines)


def _environment(name: str, lines: list[str]) -> str:
    inner = " \\\\ ".join(lines)
    return f"\\begin{{{name}}} {inner} \\end{{{name}}}"


def _part(element: Element, name: str) -> str:
    found = element.find(name)
    return _children(found).strip() if found is not None else ""


def _base(element: Element) -> str:
    base = _part(element, "m_e")
    return base if len(base) == 1 else f"{{{base}}}"


def _limits(element: Element) -> str:
    below, above = _part(element, "m_sub"), _part(element, "m_sup")
    return (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")


def _named(name: str) -> str:
    head = name.partition("_")[0].partition("^")[0]
    return f"\\{name}" if head in _FUNCTIONS else name


def _delimited(element: Element) -> str:
    properties = element.find("m_dPr")
    signs = {"m_begChr": "(", "m_endChr": ")", "m_sepChr": "|"}
    for name in signs:
        found = properties.find(name) if properties is not None else None
        if found is not None:
            signs[name] = found.get("m_val", "")
    inner = f" {signs['m_sepChr']} ".join(_children(e).strip() for e in element.iterfind("m_e"))
    begin, end = (_SPECIAL.get(signs[name], signs[name]) for name in ("m_begChr", "m_endChr"))
    return f"{begin}{inner}{end}"


def _property(element: Element, properties: str, name: str) -> str:
    found = element.find(f"{properties}/{name}")
    return found.get("m_val", "") if found is not None else ""


# Elements whose TeX is a format string filled with their parts.
_FORMS: Final = {
    "m_sSup": "{base}^{{{sup}}}",
    "m_sSub": "{base}_{{{sub}}}",
    "m_sSubSup": "{base}{limits}",
    "m_sPre": "{{}}{limits}{base}",
    "m_limLow": "{named}_{{{lim}}}",
    "m_limUpp": "{named}^{{{lim}}}",
    "m_bar": "\\overline{{{e}}}",
}
_HANDLERS: Final[dict[str, Callable[[Element], str]]] = {
    "m_t": _math_text,
    "t": lambda element: element.text or "",
    "m_f": _fraction,
    "m_nary": _large_operator,
    "m_d": _delimited,
    "m_rad": _root,
    "m_func": _function,
    "m_acc": _accent,
    "m_m": _matrix,
    "m_eqArr": _equations,
    **dict.fromkeys(("rPr", "del", "moveFrom"), lambda _: ""),
}

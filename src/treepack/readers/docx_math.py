"""Word's math (OMML, ISO/IEC 29500-1 chapter 22) as TeX: what is usual in documents.

Elements that are not known here give the text inside them, so that no sign is lost.
"""

from collections.abc import Iterable
from typing import Final
from xml.etree.ElementTree import Element

_OPERATORS: Final = {
    "∑": "\\sum", "∏": "\\prod", "∫": "\\int", "∬": "\\iint", "∭": "\\iiint", "∮": "\\oint",
    "⋃": "\\bigcup", "⋂": "\\bigcap", "∐": "\\coprod", "⋁": "\\bigvee", "⋀": "\\bigwedge",
}  # fmt: skip
_ACCENTS: Final = {
    "̂": "\\hat", "̃": "\\tilde", "̅": "\\bar", "̇": "\\dot", "̈": "\\ddot",
    "⃗": "\\vec", "̄": "\\bar",
}  # fmt: skip
_FUNCTIONS: Final = frozenset({
    "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "log", "ln", "lim", "max",
    "min", "exp", "det", "arg", "sup", "inf", "gcd", "arcsin", "arccos", "arctan",
})  # fmt: skip
_SPECIAL: Final = {"{": "\\{", "}": "\\}", "%": "\\%", "#": "\\#", "&": "\\&", "_": "\\_"}


def to_tex(element: Element) -> str:
    """The TeX of an ``m:oMath`` or anything inside one."""
    return " ".join(_children(element).split())


def _children(element: Element) -> str:
    return "".join(_one(child) for child in element)


def _one(element: Element) -> str:  # noqa: C901, PLR0911, PLR0912 - one line for each kind
    match element.tag:
        case "m_t":
            return "".join(_SPECIAL.get(sign, sign) for sign in element.text or "")
        case "t":
            return element.text or ""
        case "m_f":
            bar = _property(element, "m_fPr", "m_type")
            top, bottom = _part(element, "m_num"), _part(element, "m_den")
            return (
                f"\\binom{{{top}}}{{{bottom}}}"
                if bar == "noBar"
                else (f"\\frac{{{top}}}{{{bottom}}}")
            )
        case "m_sSup":
            return f"{_base(element)}^{{{_part(element, 'm_sup')}}}"
        case "m_sSub":
            return f"{_base(element)}_{{{_part(element, 'm_sub')}}}"
        case "m_sSubSup":
            return f"{_base(element)}{_limits(element)}"
        case "m_sPre":
            return f"{{}}{_limits(element)}{_base(element)}"
        case "m_nary":
            sign = _property(element, "m_naryPr", "m_chr") or "∫"
            return f"{_OPERATORS.get(sign, sign)}{_limits(element)} {_part(element, 'm_e')}"
        case "m_d":
            return _delimited(element)
        case "m_rad":
            degree = _part(element, "m_deg")
            return f"\\sqrt{f'[{degree}]' if degree else ''}{{{_part(element, 'm_e')}}}"
        case "m_func":
            name = _part(element, "m_fName")
            return f"{_named(name)} {_part(element, 'm_e')}"
        case "m_limLow":
            return f"{_named(_part(element, 'm_e'))}_{{{_part(element, 'm_lim')}}}"
        case "m_limUpp":
            return f"{_named(_part(element, 'm_e'))}^{{{_part(element, 'm_lim')}}}"
        case "m_acc":
            sign = _property(element, "m_accPr", "m_chr") or "̂"
            return f"{_ACCENTS.get(sign, chr(92) + 'hat')}{{{_part(element, 'm_e')}}}"
        case "m_bar":
            return f"\\overline{{{_part(element, 'm_e')}}}"
        case "m_m":
            rows = (" & ".join(_children(e) for e in row) for row in element.iterfind("m_mr"))
            return _environment("matrix", rows)
        case "m_eqArr":
            lines = (_children(line) for line in element.iterfind("m_e"))
            return _environment("aligned", lines)
        case "rPr" | "del" | "moveFrom":
            return ""
        case tag if tag.startswith("m_") and tag.endswith("Pr"):
            return ""
        case _:
            return _children(element)


def _environment(name: str, lines: Iterable[str]) -> str:
    lines = list(lines)
    if name == "aligned" and len(lines) == 1:
        return lines[0]
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

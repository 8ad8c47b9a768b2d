"""The text of one Word paragraph: runs, fields, tracked changes, notes, pictures, text boxes."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from posixpath import basename
from typing import Final
from xml.etree.ElementTree import Element

from treepack.readers.docx.math import to_tex
from treepack.readers.docx.package import Relationship
from treepack.readers.docx.styles import RunFormat, Styles, switch, value
from treepack.readers.inlines import InlinePiece, has_words
from treepack.readers.links_and_emphasis import KeepOptions, link_target, linked, merged

# Elements without text: properties, deleted and moved text, field codes, ruby readings, comments.
_LEFT_OUT: Final = frozenset({
    "pPr", "rPr", "del", "moveFrom", "delText", "delInstrText", "instrText", "fldData", "sdtPr",
    "sdtEndPr", "rt", "rubyPr", "annotationRef", "commentReference", "customXmlPr", "smartTagPr",
})  # fmt: skip
_PICTURES: Final = frozenset({"drawing", "pict", "object"})
_CHARTS: Final = frozenset({"c_chart", "cx_chart"})
_READABLE: Final = frozenset({"t", "txbxContent", "m_t", "a_blip", "sym", "numFmt"}) | _CHARTS
_LONGEST_NAME: Final = 255  # characters of a picture's file name, which many drawings may refer to
NOTE_REFERENCE: Final = re.compile(r"\[\^e?[0-9]+\]")
_LINK_FIELD: Final = re.compile(r'\s*HYPERLINK\s+"([^"]+)"(?:\s+\\l\s+"([^"]*)")?')
_EXPONENT: Final = frozenset("0123456789n-+−–")
_SPECIAL_CHARACTERS: Final = {
    "tab": "\t", "ptab": "\t", "cr": "\n", "br": "\n", "noBreakHyphen": "-", "softHyphen": "",
    "sym": "",
}  # fmt: skip
"""The characters that elements of a run represent, by the name of the element."""

# The private use area that symbol fonts are mapped to; the font defines what its characters mean.
_PRIVATE_USE: Final = range(0xF000, 0xF100)
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
_UNKNOWN: Final = "\ufffd"


@dataclass(slots=True)
class ParagraphText:
    """What was read from one paragraph.

    Attributes:
        parts: Text and pieces.
        boxes: The contents of text boxes that are anchored in it.
        charts: The names of the parts of charts that are anchored in it.
        run_formats: How its runs with letters or digits are formatted.
    """

    parts: list[str | InlinePiece] = field(default_factory=list[str | InlinePiece])
    boxes: list[Element] = field(default_factory=list[Element])
    charts: list[str] = field(default_factory=list[str])
    run_formats: set[RunFormat] = field(default_factory=set[RunFormat])


@dataclass(slots=True)
class _Field:
    """An open complex field: its code comes first, then its result."""

    code: list[str] = field(default_factory=list[str])
    is_toc: bool = False
    paragraph: ParagraphText | None = None  # where its result begins; None in its code
    start: int = 0  # the number of parts before its result


class TextReader:
    """Reads the paragraphs of one story (the body, a note, a text box) in their order.

    Complex fields may extend over several paragraphs, so a story has one reader.

    Args:
        styles: The document's styles.
        relationships: What the part refers to: pictures, charts and links.
        note: Returns the text of a reference to a note, by the note's kind and id.
        keep: Whether links and emphasis are kept.
    """

    def __init__(
        self,
        styles: Styles,
        relationships: Mapping[str, Relationship],
        note: Callable[[str, str], str],
        keep: KeepOptions,
    ) -> None:
        self._styles = styles
        self.relationships = relationships
        self._note = note
        self._keep = keep
        self._run_properties: Element | None = None  # of the current run
        self._fields: list[_Field] = []
        self._hiding = 0  # how many of them are in their code, or are tables of contents
        self._result = ParagraphText()
        self._style = ""

    def end_toc(self) -> None:
        """At a heading, forget fields that hide text: one that never ends must not hide it all."""
        if self._hiding:
            self._fields.clear()
            self._hiding = 0

    def read(self, paragraph: Element, style: str) -> ParagraphText:
        """Read the text of a paragraph that has a style."""
        self._result = ParagraphText()
        self._style = style
        self._children(paragraph)
        self._result.parts = merged(self._result.parts)
        return self._result

    # ---------------------------------------------------------------- inside a paragraph

    def _children(self, parent: Element) -> None:
        for child in parent:
            self._element(child)

    def _element(self, element: Element) -> None:  # noqa: C901 - one case for each kind
        match element.tag:
            case tag if tag in _LEFT_OUT:
                return
            case "r":
                self._run(element)
            case "t":
                self._text(element.text or "")
            case tag if tag in _SPECIAL_CHARACTERS:
                self._add(_character_of(element))
            case "footnoteReference" | "endnoteReference":
                kind = element.tag.removesuffix("Reference")
                self._add(self._note(kind, element.get("id", "")))
            case tag if tag in _PICTURES:
                self._picture(element)
            case "fldSimple":
                code = element.get("instr", "")
                if not _is_toc(code):
                    self._link(element, _field_target(code))
            case "hyperlink":
                self._link(element, self._external_target(element))
            case "m_oMathPara" | "m_oMath":
                self._add(InlinePiece(to_tex(element), "math"))
            case "mc_AlternateContent":
                self._children(chosen_branch(element))
            case _:  # insertions, content controls, smart tags, ruby bases ...
                self._children(element)

    def _run(self, run: Element) -> None:
        outer, self._run_properties = self._run_properties, run.find("rPr")
        is_hidden = self._styles.is_hidden(self._run_properties, self._style)
        for child in run:
            if child.tag in ("fldChar", "instrText"):
                self._field(child)
            elif not (is_hidden or self._hiding):
                self._element(child)
        self._run_properties = outer

    def _text(self, text: str) -> None:
        """Add text; superscript digits after a digit are an exponent: 10³ is not 103."""
        properties, style = self._run_properties, self._style
        if has_words(text):
            self._result.run_formats.add(self._styles.run_format(properties, style))
        last = self._result.parts[-1] if self._result.parts else ""
        is_after_number = isinstance(last, str) and last[-1:].isdecimal()
        is_raised = is_after_number and value(properties, "vertAlign") == "superscript"
        if is_raised and _EXPONENT.issuperset(text.strip()):
            self._add(InlinePiece(text, "sup"))
            return
        emphasis = self._styles.emphasis(properties, style) if self._keep.emphasis else None
        self._add(InlinePiece(text, emphasis) if emphasis else text)

    def _add(self, part: str | InlinePiece) -> None:
        if part:
            self._result.parts.append(part)

    # ---------------------------------------------------------------- links and fields

    def _external_target(self, element: Element) -> str:
        """Return the target of a link that leaves the document; empty for places inside it."""
        link = self.relationships.get(element.get("r_id", ""))
        if link is None or not link.is_external:
            return ""
        anchor = element.get("anchor", "")
        return f"{link.target}#{anchor}" if anchor and "#" not in link.target else link.target

    def _link(self, element: Element, target: str) -> None:
        start = len(self._result.parts)
        self._children(element)
        self._make_link(start, target)

    def _make_link(self, start: int, target: str) -> None:
        """Make the parts from ``start`` on a link; references to notes stay outside of it."""
        target = link_target(target) if self._keep.links else ""
        if not target:
            return
        parts = self._result.parts
        inside = parts[start:]
        del parts[start:]
        for is_note, group in groupby(inside, key=_is_note):
            grouped = list(group)
            parts += grouped if is_note else linked(merged(grouped), target)

    def _field(self, element: Element) -> None:
        kind = element.get("fldCharType")
        if kind == "begin":
            self._fields.append(_Field())
            self._hiding += 1
        elif not self._fields:
            return  # the field began in text that was left out
        elif element.tag == "instrText" and self._fields[-1].paragraph is None:
            self._fields[-1].code.append(element.text or "")
        elif kind == "separate":
            self._end_code(self._fields[-1])
        elif kind == "end":
            ended = self._fields.pop()
            self._end_code(ended)
            self._hiding -= ended.is_toc
            if ended.paragraph is self._result:
                self._make_link(ended.start, _field_target("".join(ended.code)))

    def _end_code(self, open_field: _Field) -> None:
        if open_field.paragraph is None:
            open_field.is_toc = _is_toc("".join(open_field.code))
            open_field.paragraph, open_field.start = self._result, len(self._result.parts)
            self._hiding -= not open_field.is_toc

    # ---------------------------------------------------------------- pictures and boxes

    def _picture(self, element: Element) -> None:
        anchored = list(_anchored(element))
        boxes = [anchor for anchor in anchored if anchor.tag not in _CHARTS]
        related = (self.relationships.get(anchor.get("r_id", "")) for anchor in anchored)
        charts = [part.target for part in related if part]
        self._result.boxes += boxes
        self._result.charts += charts
        if boxes:
            return
        alt_text = _alternative_text(element)
        names = [basename(charts[0])] if alt_text and charts else []
        for reference in _embedded(element):
            target = self.relationships.get(reference)
            names.append(basename(target.target)[-_LONGEST_NAME:] if target else "")
        for name in names:
            self._add(InlinePiece(alt_text, "image", name))


def has_text(parts: Iterable[str | InlinePiece]) -> bool:
    """Return whether parts have anything visible."""
    return any(not isinstance(part, str) or part.strip() for part in parts)


def _is_note(part: str | InlinePiece) -> bool:
    return isinstance(part, str) and NOTE_REFERENCE.fullmatch(part) is not None


def _is_toc(code: str) -> bool:
    return code.split()[:1] == ["TOC"]


def _field_target(code: str) -> str:
    """Return the target of a field, by its code; empty if it is not a link out of the document."""
    match = _LINK_FIELD.match(code)
    return "#".join(filter(None, match.groups())) if match else ""


def chosen_branch(element: Element) -> Element:
    """Return the branch of ``mc:AlternateContent`` to read: a readable choice, or the fallback.

    A choice holds a drawing, with or without a text box; the fallback holds the same in the old
    form.
    """
    choices = [child for child in element if child.tag == "mc_Choice" and len(child)]
    fallback = element.find("mc_Fallback")
    for choice in choices:
        if fallback is None or any(inner.tag in _READABLE for inner in choice.iter()):
            return choice
    return fallback if fallback is not None else element


def is_deleted_mark(properties: Element | None) -> bool:
    """Whether a paragraph's end is deleted or moved away: its text continues in the next one."""
    mark = properties.find("rPr") if properties is not None else None
    return mark is not None and any(mark.find(name) is not None for name in ("del", "moveFrom"))


def is_never_numbered(properties: Element | None) -> bool:
    """Whether a paragraph has no number if it is empty: a hidden end, or a section break."""
    if properties is None:
        return False
    return bool(switch(properties.find("rPr"), "vanish")) or properties.find("sectPr") is not None


def _anchored(element: Element) -> Iterator[Element]:
    """Yield the contents of text boxes, and charts; the reader of a box finds those inside it."""
    stack = [element]
    while stack:
        inner = stack.pop()
        if inner.tag == "txbxContent" or inner.tag in _CHARTS:
            yield inner
        elif inner.tag == "mc_AlternateContent":
            stack.append(chosen_branch(inner))
        else:
            stack.extend(reversed(inner))


def _alternative_text(element: Element) -> str:
    """Return what a picture shows, as its author describes it."""
    properties = next(element.iter("wp_docPr"), None)
    shape = next(element.iter("v_shape"), None)
    text = shape.get("alt", "") if shape is not None else ""
    if properties is not None:
        text = properties.get("descr") or properties.get("title") or ""
    return " ".join(text.split())


def _embedded(element: Element) -> Iterator[str]:
    """Yield the relationship ids of the pictures in a drawing."""
    for blip in element.iter("a_blip"):
        yield blip.get("r_embed") or blip.get("r_link") or ""
    for data in element.iter("v_imagedata"):
        yield data.get("r_id", "")


def _character_of(element: Element) -> str:
    """Return the character that an element represents; a page or column break is a space."""
    if element.tag == "br" and element.get("type", "textWrapping") != "textWrapping":
        return " "
    return _symbol(element) if element.tag == "sym" else _SPECIAL_CHARACTERS[element.tag]


def _symbol(element: Element) -> str:
    """Return a character of a symbol font; U+FFFD if only the font defines its meaning."""
    try:
        code = ord(chr(int(element.get("char", ""), 16)))
    except (ValueError, OverflowError):
        return ""
    font = element.get("font", "").casefold()
    if code in _PRIVATE_USE:
        code -= _PRIVATE_USE.start
        table = _SYMBOL_FONT_CHARACTERS if font == "symbol" else {}
        return _CHECK_BOXES.get((font, code)) or table.get(code) or _UNKNOWN
    return chr(code) if not 0xD800 <= code <= 0xDFFF else ""  # noqa: PLR2004 - surrogates

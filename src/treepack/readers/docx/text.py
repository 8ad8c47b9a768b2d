"""The text of one Word paragraph: runs, fields, tracked changes, notes, pictures, text boxes."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from posixpath import basename
from typing import Final, Literal
from xml.etree.ElementTree import Element

from treepack.readers.docx.math import to_tex
from treepack.readers.docx.package import Relationship
from treepack.readers.docx.styles import Fonts, RunFormat, Styles, switch, value
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
_ENDS_IN_DIGIT: Final = re.compile(r"[0-9]\Z")
NOTE_REFERENCE: Final = re.compile(r"\[\^e?[0-9]+\]")
_LINK_FIELD: Final = re.compile(r'\s*HYPERLINK\s+"([^"]*)"(?:\s+\\l\s+"([^"]*)")?')
_EXPONENT: Final = re.compile(r"[-+−–]?[0-9n]+\Z")
_SPECIAL_CHARACTERS: Final = {
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


@dataclass(slots=True)
class Field:
    """An open complex field: its code comes first, then its result."""

    code: list[str] = field(default_factory=list[str])
    has_result: bool = False
    is_toc: bool = False
    paragraph: "ParagraphText | None" = None  # where its result begins
    start: int = 0  # the number of parts before its result


@dataclass(slots=True)
class ParagraphText:
    """What was read from one paragraph.

    Attributes:
        parts: Text and pieces.
        boxes: The contents of text boxes that are anchored in it.
        charts: The names of the parts of charts that are anchored in it.
        fields: The codes of its fields, as words.
        run_formats: How its runs with letters or digits are formatted.
    """

    parts: list[str | InlinePiece] = field(default_factory=list[str | InlinePiece])
    boxes: list[Element] = field(default_factory=list[Element])
    charts: list[str] = field(default_factory=list[str])
    fields: list[list[str]] = field(default_factory=list[list[str]])
    run_formats: set[RunFormat] = field(default_factory=set[RunFormat])

    @property
    def has_text(self) -> bool:
        """Whether the paragraph has anything visible."""
        return any(not isinstance(part, str) or part.strip() for part in self.parts)


class TextReader:
    """Reads the paragraphs of one story (the body, a note, a text box) in their order.

    Complex fields may extend over several paragraphs, so a story has one reader.

    Args:
        styles: The document's styles.
        fonts: How its text is formatted.
        relationships: What the part refers to: pictures, charts and links.
        note: Returns the text of a reference to a note, by the note's kind and id.
        keep: Whether links and emphasis are kept.
    """

    def __init__(
        self,
        styles: Styles,
        fonts: Fonts,
        relationships: Mapping[str, Relationship],
        note: Callable[[str, str], str],
        keep: KeepOptions,
    ) -> None:
        self._styles = styles
        self._fonts = fonts
        self.relationships = relationships
        self._note = note
        self._keep = keep
        self._emphasis: Literal["strong", "em"] | None = None  # of the current run
        self._fields: list[Field] = []
        self._fields_in_code = 0  # how many of them are still in their code
        self._fields_in_toc = 0  # how many are tables of contents, in their result
        self._result = ParagraphText()
        self._style = ""

    @property
    def is_in_toc(self) -> bool:
        """Whether the reader is inside the result of a table of contents."""
        return self._fields_in_toc > 0

    def end_toc(self) -> None:
        """Forget all open fields: a field that never ends must not swallow the document."""
        self._fields.clear()
        self._fields_in_code = self._fields_in_toc = 0

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

    def _element(self, element: Element) -> None:
        match element.tag:
            case tag if tag in _LEFT_OUT:
                return
            case "r":
                self._run(element)
            case "fldSimple":
                self._simple_field(element)
            case "hyperlink":
                start = len(self._result.parts)
                self._children(element)
                self._make_link(start, self._external_target(element))
            case "m_oMathPara" | "m_oMath":
                self._add(InlinePiece(to_tex(element), "math"))
            case "mc_AlternateContent":
                self._children(chosen_branch(element))
            case _:  # insertions, content controls, smart tags, ruby bases ...
                self._children(element)

    def _simple_field(self, element: Element) -> None:
        words = element.get("instr", "").split()
        self._result.fields.append(words)
        if words[:1] != ["TOC"]:
            start = len(self._result.parts)
            self._children(element)
            self._make_link(start, _field_target(element.get("instr", "")))

    def _run(self, run: Element) -> None:
        properties = run.find("rPr")
        is_hidden = self._styles.is_hidden(properties, (self._style,))
        has_text = False
        is_superscript = value(properties, "vertAlign") == "superscript"
        if self._keep.emphasis:
            self._emphasis = self._fonts.emphasis(properties, self._style)
        for child in run:
            if child.tag == "fldChar":
                self._field(child.get("fldCharType", ""))
            elif child.tag == "instrText":
                if self._fields and not self._fields[-1].has_result:
                    self._fields[-1].code.append(child.text or "")
            elif not (is_hidden or self._fields_in_code or self._fields_in_toc):
                self._child_of_run(child, is_superscript=is_superscript)
                has_text = has_text or (child.tag == "t" and has_words(child.text or ""))
        if has_text:
            self._result.run_formats.add(self._fonts.run_format(properties, self._style))

    def _child_of_run(self, child: Element, *, is_superscript: bool) -> None:
        match child.tag:
            case "t":
                self._text(child.text or "", is_superscript=is_superscript)
            case tag if tag in _SPECIAL_CHARACTERS:
                self._add(_character_of(child))
            case "footnoteReference" | "endnoteReference":
                kind = child.tag.removesuffix("Reference")
                self._add(self._note(kind, child.get("id", "")))
            case tag if tag in _PICTURES:
                self._picture(child)
            case "ruby":
                self._children(child)
            case "mc_AlternateContent":
                for inner in chosen_branch(child):
                    self._child_of_run(inner, is_superscript=is_superscript)
            case _:
                pass  # elements without text

    def _text(self, text: str, *, is_superscript: bool) -> None:
        """Add text; superscript digits after a digit are an exponent: 10³ is not 103."""
        last = self._result.parts[-1] if self._result.parts else ""
        is_after_number = isinstance(last, str) and _ENDS_IN_DIGIT.search(last)
        is_exponent = is_superscript and is_after_number and _EXPONENT.match(text.strip())
        if is_exponent:
            self._add(InlinePiece(text, "sup"))
        else:
            self._add(InlinePiece(text, self._emphasis) if self._emphasis else text)

    def _add(self, part: str | InlinePiece) -> None:
        if part:
            self._result.parts.append(part)

    # ---------------------------------------------------------------- links

    def _external_target(self, element: Element) -> str:
        """Return the target of a link that leaves the document; empty for places inside it."""
        link = self.relationships.get(element.get("r_id", ""))
        if link is None or not link.is_external:
            return ""
        anchor = element.get("anchor", "")
        return f"{link.target}#{anchor}" if anchor and "#" not in link.target else link.target

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

    # ---------------------------------------------------------------- fields

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(Field())
            self._fields_in_code += 1
        elif not self._fields:
            return  # the field began in text that was left out
        elif kind == "separate":
            self._end_code()
        elif kind == "end":
            self._end_code()
            ended = self._fields.pop()
            self._fields_in_toc -= ended.is_toc
            if ended.paragraph is self._result:
                self._make_link(ended.start, _field_target("".join(ended.code)))

    def _end_code(self) -> None:
        open_field = self._fields[-1]
        if not open_field.has_result:
            words = "".join(open_field.code).split()
            open_field.has_result, open_field.is_toc = True, words[:1] == ["TOC"]
            open_field.paragraph, open_field.start = self._result, len(self._result.parts)
            self._fields_in_code -= 1
            self._fields_in_toc += open_field.is_toc
            self._result.fields.append(words)

    # ---------------------------------------------------------------- pictures and boxes

    def _picture(self, element: Element) -> None:
        anchored = list(_anchored(element))
        boxes = [anchor for anchor in anchored if anchor.tag not in _CHARTS]
        self._result.boxes += boxes
        charts = [
            part.target
            for anchor in anchored
            if anchor.tag in _CHARTS and (part := self.relationships.get(anchor.get("r_id", "")))
        ]
        self._result.charts += charts
        if boxes:
            return
        properties = next(element.iter("wp_docPr"), None)
        shape = next(element.iter("v_shape"), None)
        alt_text = (
            (properties.get("descr") or properties.get("title") or "")
            if properties is not None
            else (shape.get("alt", "") if shape is not None else "")
        )
        alt_text = " ".join(alt_text.split())
        if alt_text and charts:
            self._add(InlinePiece(alt_text, "image", basename(charts[0])))
        for reference in _embedded(element):
            target = self.relationships.get(reference)
            name = basename(target.target)[-_LONGEST_NAME:] if target else ""
            self._add(InlinePiece(alt_text, "image", name))


def _is_note(part: str | InlinePiece) -> bool:
    return isinstance(part, str) and NOTE_REFERENCE.fullmatch(part) is not None


def _field_target(code: str) -> str:
    """Return the target of a field, by its code; empty if it is not a link out of the document."""
    match = _LINK_FIELD.match(code)
    if match is None or not match[1]:
        return ""
    return f"{match[1]}#{match[2]}" if match[2] else match[1]


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


def is_hidden_mark(properties: Element | None) -> bool:
    """Whether a paragraph's end is hidden; a style separator (``specVanish``) does not count."""
    mark = properties.find("rPr") if properties is not None else None
    return bool(switch(mark, "vanish")) and not switch(mark, "specVanish")


def is_section_end(properties: Element | None) -> bool:
    """Whether a paragraph carries a section break."""
    return properties is not None and properties.find("sectPr") is not None


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

"""Small PDFs that tests write themselves: positioned text, rules, bookmarks, page labels."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

_FONTS = {
    "F": "Helvetica",
    "B": "Helvetica-Bold",
    "I": "Times-Italic",
    "M": "Courier",
    "S": "Symbol",
}


@dataclass
class PdfPage:
    """What is drawn on one page of 612 x 792 points."""

    operators: list[str] = field(default_factory=list[str])
    figures: list[tuple[float, float, str]] = field(default_factory=list[tuple[float, float, str]])
    box: str = "/MediaBox [0 0 612 792]"

    def text(self, x: float, y: float, text: str, size: float = 10, font: str = "F") -> "PdfPage":
        """Write a line of text."""
        escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        self.operators.append(f"BT /{font} {size} Tf {x} {y} Td ({escaped}) Tj ET")
        return self

    def lines(
        self, x: float, y: float, *texts: str, size: float = 10, font: str = "F"
    ) -> "PdfPage":
        """Write lines below each other."""
        for number, text in enumerate(texts):
            self.text(x, y - 1.2 * size * number, text, size, font)
        return self

    def words(self, *words: tuple[float, float, str], font: str = "F") -> "PdfPage":
        """Write texts at positions."""
        for x, y, text in words:
            self.text(x, y, text, font=font)
        return self

    def rotated_text(self, x: float, y: float, text: str) -> "PdfPage":
        """Write text that runs upwards."""
        self.operators.append(f"BT /F 10 Tf 0 1 -1 0 {x} {y} Tm ({text}) Tj ET")
        return self

    def rule(self, x0: float, y0: float, x1: float, y1: float) -> "PdfPage":
        """Draw a line."""
        self.operators.append(f"0.5 w {x0} {y0} m {x1} {y1} l S")
        return self

    def rules(self, x0: float, x1: float, *ys: float) -> "PdfPage":
        """Draw lines from left to right."""
        for y in ys:
            self.rule(x0, y, x1, y)
        return self

    def grid(self, xs: Sequence[float], ys: Sequence[float]) -> "PdfPage":
        """Draw all rules of a table."""
        for x in xs:
            self.rule(x, min(ys), x, max(ys))
        return self.rules(min(xs), max(xs), *ys)

    def figure(  # noqa: PLR0913, PLR0917 - where it is, and what it shows
        self, x: float, y: float, width: float, height: float, text: str, size: float, font: str
    ) -> "PdfPage":
        """Draw a form with a word in its middle, the way programs embed figures."""
        self.operators.append(f"q 1 0 0 1 {x} {y} cm /X{len(self.figures)} Do Q")
        drawn = f"0 0 {width} {height} re S BT /{font} {size} Tf 20 {height / 2} Td ({text}) Tj ET"
        self.figures.append((width, height, drawn))
        return self

    def image(self) -> "PdfPage":
        """Draw a picture over the page."""
        self.operators.append("q 600 0 0 780 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q")
        return self


def pdf_bytes(
    *pages: PdfPage,
    bookmarks: Sequence[tuple[int, str, int, float | str]] = (),
    labels: str = "",
    title: str = "",
    deflate: bool = False,
) -> bytes:
    """A PDF.

    Args:
        pages: Its pages.
        bookmarks: Level, title, page from 0, and height or view (``/FitH 700``) of each.
        labels: The /Nums of page labels.
        title: Its title.
        deflate: Whether the drawing operators are compressed.
    """
    writer = _Writer()
    first_page = 4 + len(_FONTS)
    page_at = [first_page + 2 * number for number in range(len(pages))]
    after = first_page + 2 * len(pages)
    marks = _outline_objects(bookmarks, page_at, after)
    catalog = "<</Type/Catalog /Pages 2 0 R"
    catalog += f" /Outlines {after} 0 R" if marks else ""
    catalog += f" /PageLabels <</Nums [{labels}]>>" if labels else ""
    writer.add(catalog + ">>")
    kids = " ".join(f"{at} 0 R" for at in page_at)
    writer.add(f"<</Type/Pages /Kids [{kids}] /Count {len(pages)}>>")
    writer.add_with_text("<</Title ", title, ">>")
    for name in _FONTS.values():
        encoding = "" if name == "Symbol" else " /Encoding/WinAnsiEncoding"
        writer.add(f"<</Type/Font /Subtype/Type1 /BaseFont/{name}{encoding}>>")
    fonts = " ".join(f"/{key} {4 + at} 0 R" for at, key in enumerate(_FONTS))
    figure_at = after + len(marks)
    for number, page in enumerate(pages):
        forms = " ".join(f"/X{at} {figure_at + at} 0 R" for at in range(len(page.figures)))
        figure_at += len(page.figures)
        used = f"/Font <<{fonts}>>" + f" /XObject <<{forms}>>" * bool(forms)
        writer.add(
            f"<</Type/Page /Parent 2 0 R {page.box} /Resources <<{used}>>"
            f" /Contents {page_at[number] + 1} 0 R>>"
        )
        writer.add_stream("\n".join(page.operators).encode("cp1252"), deflate=deflate)
    for before_text, title_text, after_text in marks:
        writer.add_with_text(before_text, title_text, after_text)
    for width, height, drawn in (figure for page in pages for figure in page.figures):
        entries = f" /Type/XObject /Subtype/Form /BBox [0 0 {width} {height}]"
        entries += f" /Resources <</Font <<{fonts}>>>>"
        writer.add_stream(drawn.encode("cp1252"), deflate=deflate, entries=entries)
    return writer.finish()


def _outline_objects(
    bookmarks: Sequence[tuple[int, str, int, float | str]], page_at: Sequence[int], root: int
) -> list[tuple[str, str, str]]:
    if not bookmarks:
        return []
    parents = [0] * len(bookmarks)
    children: dict[int, list[int]] = {}
    open_marks: list[int] = []
    for at, (level, *_) in enumerate(bookmarks):
        del open_marks[level - 1 :]
        parents[at] = root + 1 + open_marks[-1] if open_marks else root
        children.setdefault(parents[at], []).append(root + 1 + at)
        open_marks.append(at)

    def ends(number: int) -> str:
        own = children.get(number, [])
        return f" /First {own[0]} 0 R /Last {own[-1]} 0 R /Count {len(own)}" if own else ""

    made = [("<</Type/Outlines" + ends(root), "", ">>")]
    for at, (_, title, page, y) in enumerate(bookmarks):
        number = root + 1 + at
        beside = children[parents[at]]
        position = beside.index(number)
        links = f" /Prev {beside[position - 1]} 0 R" if position else ""
        links += f" /Next {beside[position + 1]} 0 R" if position + 1 < len(beside) else ""
        view = y if isinstance(y, str) else f"/XYZ 0 {y} 0"
        goal = f" /Dest [{page_at[page]} 0 R {view}]{ends(number)}{links}>>"
        made.append((f"<</Parent {parents[at]} 0 R /Title ", title, goal))
    return made


class _Writer:
    """Writes numbered objects and the table of their offsets."""

    def __init__(self) -> None:
        self._parts = [b"%PDF-1.7\n"]
        self._offsets: list[int] = []

    def add(self, text: str) -> None:
        self._object(text.encode())

    def add_with_text(self, before_text: str, text: str, after_text: str) -> None:
        if text:
            self.add(f"{before_text}<feff{text.encode('utf-16-be').hex()}>{after_text}")
        else:
            self.add(f"{before_text} {after_text}".replace("/Title  ", ""))

    def add_stream(self, data: bytes, *, deflate: bool, entries: str = "") -> None:
        written = zlib.compress(data) if deflate else data
        how = entries.encode() + (b" /Filter/FlateDecode" if deflate else b"")
        self._object(b"<</Length %d%s>>\nstream\n%s\nendstream" % (len(written), how, written))

    def finish(self) -> bytes:
        size = len(self._offsets) + 1
        start = sum(map(len, self._parts))
        table = "".join(f"{offset:010} 00000 n \n" for offset in self._offsets)
        end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n"
        end += f"<</Size {size} /Root 1 0 R /Info 3 0 R>>\nstartxref\n{start}\n%%EOF\n"
        return b"".join(self._parts) + end.encode()

    def _object(self, data: bytes) -> None:
        self._offsets.append(sum(map(len, self._parts)))
        self._parts.append(b"%d 0 obj\n%s\nendobj\n" % (len(self._offsets), data))

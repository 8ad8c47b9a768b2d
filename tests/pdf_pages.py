"""Pages of prose for tests of PDFs, and what is read from them."""

from pdf_files import PdfPage, pdf_bytes

from treepack import parse, read

PROSE = (
    "The pump shall stand on a level floor that carries its weight,",
    "and no pipe shall press on its flanges when the bolts are drawn",
    "to the torque that the table of this manual names for each size.",
)


def text_of(*pages: PdfPage) -> str:
    return read(pdf_bytes(*pages)).text


def prose(*, y: float = 700, number: int = 0) -> PdfPage:
    words = ("no", "alpha", "beta", "gamma", "delta", "eta", "theta", "kappa", "zeta")
    return PdfPage().lines(72, y, *(f"{line} {words[number]}" for line in PROSE))


def titles_of(*pages: PdfPage) -> list[str]:
    root = parse(read(pdf_bytes(*pages))).root
    return [section.heading.text for section in root.walk() if section.heading]

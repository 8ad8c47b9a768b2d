"""Limits for reading a PDF, and messages that explain why a PDF cannot be read and what to do."""

import shlex
from dataclasses import asdict, dataclass, fields
from typing import Final

from treepack.errors import SourceError

LIMIT: Final = "limit"
"""The code of problems with a limit."""

_REASONS: Final = {
    "password": "it is encrypted and needs a password: read(file, password=...)"
    " (--password on the command line)",
    "wrong password": "it is encrypted, and the password given is wrong",
    "security": "it is encrypted by a method that is not supported; save it without encryption:"
    " qpdf --decrypt {file} decrypted.pdf",
    "format": "it is damaged, or not a PDF; repair it: mutool clean {file} repaired.pdf,"
    " or: qpdf {file} repaired.pdf",
}
_LIMITS: Final = {
    "pages": "it has more than {value:,} pages",
    "characters": "page {page} has more than {value:,} characters",
    "objects": "page {page} draws more than {value:,} objects",
    "megabytes": "it needs more than {value:,} MiB of memory",
    "seconds": "reading takes longer than {value:g} seconds",
    "page_seconds": "{place} takes longer than {value:g} seconds",
}


@dataclass(frozen=True, slots=True)
class PdfLimits:
    """Limits for reading a PDF; if one is exceeded, reading ends with an error that names it.

    Attributes:
        seconds: Seconds for the whole file.
        page_seconds: Seconds for one page, and for opening the file.
        megabytes: Memory of the process that reads, in MiB, without that for the file; not
            enforced on Windows and macOS, which offer no such limit.
        pages: Pages of the file.
        characters: Characters on one page.
        objects: Texts, paths and images drawn on one page, those in forms included.
    """

    seconds: float = 600.0
    page_seconds: float = 20.0
    megabytes: int = 512
    pages: int = 20_000
    characters: int = 200_000
    objects: int = 200_000

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
                msg = f"PdfLimits: {field.name} is {value!r}, but must be a number above 0"
                raise ValueError(msg)

    def as_record(self) -> dict[str, float]:
        """Return the limits by name, for the worker."""
        return asdict(self)


class PdfProblem(Exception):  # noqa: N818 - becomes a SourceError with the file's name
    """What went wrong in a worker.

    Args:
        code: The kind of problem.
        detail: Details of the problem; for a limit, its name.
        page: The page, from 1; 0 before the first.
    """

    def __init__(self, code: str, detail: str = "", page: int = 0) -> None:
        super().__init__(code, detail, page)
        self.code = code
        self.detail = detail
        self.page = page

    def error(self, name: str, limits: PdfLimits, *, has_password: bool) -> SourceError:
        """Return the error for the caller."""
        file = shlex.quote(name)
        place = f"page {self.page}" if self.page else "opening it"
        if self.code == LIMIT:
            value = getattr(limits, self.detail)
            why = _LIMITS[self.detail].format(value=value, page=self.page, place=place)
            remedy = f"if you trust the file, raise it: pdf_limits=PdfLimits({self.detail}=...)"
            return SourceError(f"{name}: {why}; {remedy}")
        if self.code == "password" and has_password:
            return SourceError(f"{name}: {_REASONS['wrong password']}")
        if self.code in _REASONS:
            return SourceError(f"{name}: {_REASONS[self.code].format(file=file)}")
        why = f"the process that reads it {self.detail}" if self.code == "crash" else self.detail
        failed = f"{place} cannot be read" if self.page else "it cannot be opened"
        return SourceError(
            f"{name}: {failed}: {why}; the file is damaged or hostile, or needs more"
            f" memory: pdf_limits=PdfLimits(megabytes=...), or repair it: mutool clean {file}"
            " repaired.pdf"
        )


def no_text(name: str, pages: int, *, has_images: bool) -> SourceError:
    """Return the error for a PDF that has only images, or nothing at all."""
    why = "has text, only images: it needs OCR"
    if not has_images:
        why = (
            "has text or an image; if a viewer shows text, its letters are drawn as shapes and"
            " need OCR"
        )
    file = shlex.quote(name)
    return SourceError(f"{name}: none of its {pages} pages {why}: docling --to json {file}")


def pages_without_text(name: str, pages: list[int]) -> str:
    """Return the warning for a PDF with some pages whose text cannot be read."""
    shown = ", ".join(map(str, pages[:20])) + (f" and {len(pages) - 20} more" * (len(pages) > 20))  # noqa: PLR2004 - as many as are shown
    file = shlex.quote(name)
    return (
        f"{name}: no text on page{'s' * (len(pages) > 1)} {shown}, but images or drawings, or text"
        f" that cannot be read, such as vertical lines: they need OCR:"
        f" docling --to json {file}; the other pages are read"
    )

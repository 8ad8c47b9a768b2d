"""What reading one PDF may take."""

from dataclasses import asdict, dataclass, fields
from typing import Final

_MEGABYTE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class PdfLimits:
    """Limits within which a PDF is read; beyond one, reading ends with an error that names it.

    Attributes:
        seconds: Seconds for the whole file.
        page_seconds: Seconds for one page, and for opening the file.
        megabytes: Memory of the process that reads, in MiB, beside the file; not enforced on
            Windows and macOS, whose systems offer no such limit.
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

    @property
    def bytes_of_memory(self) -> int:
        """The memory limit in bytes."""
        return int(self.megabytes * _MEGABYTE)

    def as_record(self) -> dict[str, float]:
        """The limits by name, for the worker."""
        return asdict(self)

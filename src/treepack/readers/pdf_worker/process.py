"""The worker process as its caller sees it: files go in, and nothing but pages comes out.

A worker serves many files, one at a time; a thread of the caller borrows it for each. If a file
hangs or crashes a worker, the worker is killed, and the next file gets a new one.
"""

import atexit
import importlib.util
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields
from threading import Timer
from time import monotonic
from typing import BinaryIO, Final

from treepack.errors import SourceError, needs_extra
from treepack.readers.pdf_worker.messages import (
    Message,
    PageContent,
    PdfInfo,
    info_of,
    page_content,
    receive,
    send,
)

_PATIENCE: Final = 5.0  # seconds that a process may take to end once it is killed
_LIMIT: Final = "limit"
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


class PdfProblem(Exception):  # noqa: N818 - becomes a SourceError with the file's name
    """What went wrong in a worker.

    Args:
        code: The kind of problem: a key of `_REASONS`, or limit, crash or failed.
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
        if self.code == _LIMIT:
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


# -------------------------------------------------------------------- the process


class PdfProcess:
    """A worker process.

    Attributes:
        owes_messages: Whether it has not sent all messages for its last file.
    """

    def __init__(self) -> None:
        self.owes_messages = False
        if importlib.util.find_spec("pypdfium2") is None:
            raise needs_extra(user="reading PDF", extra="pdf")
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "treepack.readers.pdf_worker.main"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert self._process.stdin is not None, "a pipe was asked for"
        assert self._process.stdout is not None, "a pipe was asked for"
        self._input: BinaryIO = self._process.stdin  # type: ignore[assignment] # IO[bytes]
        self._output: BinaryIO = self._process.stdout  # type: ignore[assignment] # IO[bytes]

    def document(
        self, data: bytes, password: str | None, limits: PdfLimits
    ) -> Generator[PdfInfo | PageContent, None, None]:
        """Yield the content of a file: first what is known of the whole, then page after page.

        Raises:
            PdfProblem: The file cannot be read, or exceeds a limit.
        """
        end = monotonic() + limits.seconds
        self.owes_messages = True
        memory = int(limits.megabytes * 2**20)
        request = {**asdict(limits), "memory": memory, "password": password}
        with self._watched(0, end, limits):
            send(self._input, request, [data])
        first = info_of(self._next(0, end, limits).header)
        self.owes_messages = first.pages > 0
        yield first
        for number in range(1, first.pages + 1):
            content = page_content(self._next(number, end, limits))
            self.owes_messages = number < first.pages
            yield content

    def _next(self, page: int, end: float, limits: PdfLimits) -> Message:
        with self._watched(page, end, limits):
            message = receive(self._output)
            if message is None:
                raise EOFError
        if "error" in message.header:
            raise PdfProblem(
                message.header["error"],
                detail=message.header.get("detail", ""),
                page=message.header["page"],
            )
        return message

    @contextmanager
    def _watched(self, page: int, end: float, limits: PdfLimits) -> Generator[None, None, None]:
        """Kill the process if it takes too long.

        Raises:
            PdfProblem: The process took too long, or died.
        """
        now = monotonic()
        latest = min(now + limits.page_seconds, end)
        timer = Timer(max(0.0, latest - now), self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        except (EOFError, OSError):
            if monotonic() < latest:
                raise self._crash_problem(page, limits) from None
        finally:
            timer.cancel()
        if monotonic() >= latest:
            raise PdfProblem(_LIMIT, "seconds" if latest == end else "page_seconds", page)

    def _crash_problem(self, page: int, limits: PdfLimits) -> PdfProblem:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        code = self._process.returncode
        if code is not None and code < 0:
            names = {number.value: number.name for number in signal.Signals}
            description = f"was ended by {names.get(-code, f'signal {-code}')}"
        else:
            description = f"ended with status {code}"
        return PdfProblem("crash", f"{description}; limit: {limits.megabytes} MiB", page)

    @property
    def is_alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        for stream in (self._input, self._output):
            with suppress(OSError):  # unsent bytes are given up
                stream.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)


# Worker processes that wait for a file. Threads share them without a lock: `pop` and `append` are
# atomic. A forked process does not use its parent's workers.
_idle: Final[list[PdfProcess]] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)


@contextmanager
def borrowed_process() -> Generator[PdfProcess, None, None]:
    """Lend a worker process for one file; if the file is not read to its end, end the process."""
    for process in _taken():
        if process.is_alive:
            break
        process.close()
    else:
        process = PdfProcess()
    try:
        yield process
    finally:
        if process.is_alive and not process.owes_messages:
            _idle.append(process)
        else:
            process.close()


def close_idle() -> None:
    """End the processes that wait for files."""
    for process in _taken():
        process.close()


atexit.register(close_idle)


def _taken() -> Generator[PdfProcess, None, None]:
    """Take the processes that wait for files, one after another."""
    with suppress(IndexError):
        while True:
            yield _idle.pop()

"""The worker process as its caller sees it: files go in, and nothing but pages comes out.

A worker serves many files, one at a time; a thread of the caller borrows it for each. If a file
hangs or crashes a worker, the worker is killed, and the next file gets a new one.
"""

import atexit
import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from threading import Timer
from time import monotonic
from typing import BinaryIO, Final

from treepack.errors import needs_extra
from treepack.readers.pdf_worker.limits import LIMIT, PdfLimits, PdfProblem
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
        request = {**limits.as_record(), "memory": memory, "password": password}
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
            raise PdfProblem(LIMIT, "seconds" if latest == end else "page_seconds", page)

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

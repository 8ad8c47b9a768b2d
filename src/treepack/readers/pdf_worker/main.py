"""The process that reads PDFs: ``python -m treepack.readers.pdf_worker.main``.

It takes files from its standard input and writes their pages to its standard output, until the
input ends. `treepack.readers.pdf_worker.process` starts, watches and ends it.
"""

import os
import sys
from typing import Any, BinaryIO

from treepack.readers.pdf_worker.messages import Header, Message, message_of, receive, send
from treepack.readers.pdf_worker.pdfium import (
    PAGES,
    LimitError,
    open_document,
    read_bookmarks,
    read_page,
)

DAMAGED = "format"
_SHOWN_METADATA = ("Title", "Author", "Subject", "Keywords", "CreationDate")


def main() -> None:
    """Serve the files on standard input; nothing but messages reaches standard output."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    serve_all(sys.stdin.buffer, output)


def serve_all(requests: BinaryIO, output: BinaryIO) -> None:
    """Serve files until there are no more."""
    while (message := receive(requests)) is not None:
        serve(message, output)


def serve(message: Message, output: BinaryIO) -> None:
    """Read one file and send its content; if reading fails, send the error."""
    page = -1
    try:
        limit_memory(int(message.header["memory"]) + 2 * len(message.arrays[0]))
        document = open_document(message.arrays[0], message.header["password"])
        try:
            send(output, _opening(document, message.header))
            limits = message.header["characters"], message.header["objects"]
            for page in range(len(document)):
                send(output, *message_of(read_page(document[page], *limits)))
        finally:
            document.close()
    except LimitError as limit:
        send(output, {"error": "limit", "detail": str(limit), "page": page + 1})
    except ValueError as why:
        send(output, {"error": str(why), "page": page + 1})
    except MemoryError:
        send(output, {"error": "limit", "detail": "megabytes", "page": page + 1})
    except Exception as problem:  # noqa: BLE001 - the caller raises it, with the file's name
        detail = f"{type(problem).__name__}: {problem}"
        send(output, {"error": "failed", "detail": detail, "page": page + 1})


def _opening(document: Any, limits: Header) -> Header:  # noqa: ANN401 - PDFium's
    count = len(document)
    if count > limits["pages"]:
        raise LimitError(PAGES)
    if not count:
        raise ValueError(DAMAGED)
    known = document.get_metadata_dict()
    return {
        "pages": count,
        "bookmarks": read_bookmarks(document),
        "labels": [document.get_page_label(number) for number in range(count)],
        "metadata": {key: known[key] for key in _SHOWN_METADATA if known.get(key)},
    }


def limit_memory(size: int) -> None:
    """Limit the memory of this process to ``size`` bytes, if the system supports it."""
    try:
        import resource  # noqa: PLC0415 - not there on Windows
    except ModuleNotFoundError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = size if hard == resource.RLIM_INFINITY else min(size, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (allowed, hard))
    except (OSError, ValueError):  # macOS refuses; the time limit still holds
        return


if __name__ == "__main__":
    main()

"""Two thousand documents for the tests of engines, one of which raises, and the expected rows.

The expected rows are those of the plain loop, document after document in this process.
"""

import os
import signal
from functools import cache
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from treepack import Chunks, PackConfig, Source
from treepack.integrations.arrow import SCHEMA, to_arrow
from treepack.packing import Packer
from treepack.tokens import vocabulary

COUNT: Final = 2000
BAD: Final = 1234
CONFIG: Final = PackConfig(max_tokens=120, target_tokens=80, min_tokens=10)


class Failing(Packer):
    """Fails for a text with the word "poison"."""

    def pack(self, source: Any, **options: Any) -> Chunks:  # noqa: ANN401 - a packer's sources
        """Pack, or raise an error."""
        if "poison" in source.text:
            msg = "no good"
            raise RuntimeError(msg)
        return super().pack(source, **options)


class Killed(Packer):
    """Kills its process at one document, once: only while a marker file does not exist."""

    def __init__(self, config: PackConfig, marker: Path, name: str) -> None:
        super().__init__(config)
        self.marker = marker
        self.name = name

    def pack(self, source: Any, **options: Any) -> Chunks:  # noqa: ANN401 - a packer's sources
        """Pack, or kill the process."""
        if source.name == self.name and not self.marker.exists():
            self.marker.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return super().pack(source, **options)


class Counting(Packer):
    """Notes, in a file for each process, when it reads a vocabulary and when it packs."""

    def __init__(self, config: PackConfig, folder: Path) -> None:
        super().__init__(config)
        self.folder = folder

    def pack(self, source: Any, **options: Any) -> Chunks:  # noqa: ANN401 - a packer's sources
        """Pack, and note it."""
        if vocabulary.unpack_vocabulary.__name__ != "noted":
            read = vocabulary.unpack_vocabulary

            def noted(packed: bytes) -> list[bytes]:
                self.note("read")
                return read(packed)

            vocabulary.unpack_vocabulary = noted
        self.note("pack")
        return super().pack(source, **options)

    def note(self, what: str) -> None:
        """Add a line to the file of this process."""
        with (self.folder / str(os.getpid())).open("a") as file:
            file.write(f"{what}\n")

    def notes(self) -> list[list[str]]:
        """Return what each process noted."""
        return [file.read_text().split() for file in self.folder.iterdir()]


def text_of(number: int) -> str:
    """Return a document; every seventh is empty, and their sizes differ widely."""
    if number % 7 == 0:
        return ""
    rows = "".join(f"| P{row} | {row * number} bar |\n" for row in range(number % 40))
    return f"""\
---
number: {number}
---
# Pump {number}

## 1 Limits

See 2 and Table 1. {"The pump must be level. " * (number % 50)}

Table 1: Limits

| Quantity | Limit |
|---|---|
{rows}
## 2 Care

Clean it every week.
"""


def documents() -> pa.Table:
    """Return the documents, with metadata in columns of their own."""
    texts = [text_of(number) if number != BAD else "poison" for number in range(COUNT)]
    years = [2000 + number % 30 if number % 3 else None for number in range(COUNT)]
    names = [f"{number}.md" for number in range(COUNT)]
    tags = [[f"t{number}"] for number in range(COUNT)]
    return pa.table({"doc_id": names, "text": texts, "year": years, "tags": tags})


@cache
def expected() -> list[dict[str, Any]]:
    """Return the rows that the plain loop gives for the documents."""
    return rows_of_plain_loop(documents())


def rows_of_plain_loop(table: pa.Table) -> list[dict[str, Any]]:
    """Return the rows that the plain loop gives, and one row for a document that raises."""
    packer = Packer(CONFIG)
    rows: list[dict[str, Any]] = []
    for document in table.to_pylist():
        name, text = document["doc_id"], document.pop("text")
        if text == "poison":
            bad = dict.fromkeys(SCHEMA.names)
            rows.append({**bad, "document": name, "error": "RuntimeError: no good", **document})
            continue
        chunks = to_arrow(packer.pack(Source(text, name)))
        rows += [{**row, **document} for row in chunks.to_pylist()]
    return rows

"""Local stand-ins for what the integration tests need: vectors, and files of several formats."""

import hashlib
import json
import math
import re
from collections.abc import Sequence
from typing import Any

from langchain_core.embeddings import Embeddings
from llama_index.core.embeddings import BaseEmbedding
from pydantic import Field

SIZE = 64
_WORD = re.compile(r"\w+")


def vector(text: str) -> list[float]:
    """Return a bag of hashed words as a unit vector: texts that share words are near."""
    values = [0.0] * SIZE
    for word in _WORD.findall(text.lower()):
        values[hashlib.sha256(word.encode()).digest()[0] % SIZE] += 1.0
    length = math.hypot(*values) or 1.0
    return [value / length for value in values]


class LlamaVectors(BaseEmbedding):
    """The vectors above, for LlamaIndex; remembers what it was asked to embed."""

    asked: list[str] = Field(default_factory=list[str])

    def _get_text_embedding(self, text: str) -> list[float]:
        self.asked.append(text)
        return vector(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        return vector(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return vector(query)


class LangVectors(Embeddings):
    """The vectors above, for LangChain."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return a vector for each text."""
        return [vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a query."""
        return vector(text)


def pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """Return a PDF with some lines of text on each page."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for i, lines in enumerate(pages):
        drawn = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
        stream = f"BT /F1 12 Tf 72 720 Td {drawn}ET".encode()
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * i} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream))
    return _numbered(objects)


def _numbered(objects: list[bytes]) -> bytes:
    data = b"%PDF-1.4\n"
    places: list[int] = []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    total = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n" % total
    tail = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (total, len(data))
    return data + head + table + tail


MANUAL = """\
# Pump manual

## 1 Installation

Mount the pump on a level floor. Leave 30 cm of free space around it. The floor must carry 80 kg.

## 2 Limits

### 2.1 Pressure

The pressure must never exceed 16 bar. A relief valve opens at 18 bar. Check it once a year.

### 2.2 Temperature

| Quantity | Limit |
|---|---|
| Ambient temperature | 40 °C |
| Water temperature | 110 °C |
| Motor temperature | 90 °C |

## 3 Disposal

Bring the pump to a collecting point. Drain the oil before that, and hand it in apart.
"""

TERMS = "# Terms\n\n" + "\n\n".join(
    f"## Clause {i}\n\n"
    + " ".join(f"Sentence {n} of clause {i} speaks of subject {i}." for n in range(6))
    for i in range(1, 13)
)


PAGE = """\
<!DOCTYPE html>
<html lang="en"><head><title>Valve manual</title></head><body>
<nav><a href="/">Home</a></nav>
<h1>Valve manual</h1><h2>1 Storage</h2><p>Store the valve in a dry room.</p>
<h2>2 Opening</h2><p>The valve opens at 18 bar &amp; closes at 16 bar.</p>
</body></html>
"""


def docling() -> str:
    """Return a short document of two pages, as docling writes it."""
    lines = (("section_header", "1 Hose"), ("text", "Replace the hose every five years."))
    texts = [
        {
            "self_ref": f"#/texts/{n}",
            "label": label,
            "text": text,
            "prov": [{"page_no": n + 3, "charspan": [0, len(text)]}],
        }
        for n, (label, text) in enumerate(lines)
    ]
    body = {"self_ref": "#/body", "children": [{"$ref": text["self_ref"]} for text in texts]}
    head = {"schema_name": "DoclingDocument", "version": "1.3.0", "name": "hose"}
    return json.dumps({**head, "body": body, "texts": texts})


def files(folder: Any) -> None:  # noqa: ANN401 - a path
    (folder / "manual.md").write_text(MANUAL, encoding="utf-8")
    (folder / "terms.md").write_text(TERMS, encoding="utf-8")


def other_formats(folder: Any) -> None:  # noqa: ANN401 - a path
    """Write an HTML page, and a document of docling, into a folder."""
    (folder / "valve.html").write_text(PAGE, encoding="utf-8")
    (folder / "hose.json").write_text(docling(), encoding="utf-8")

"""Documents of LlamaIndex for tests of the node parser."""

from typing import Any

from llama_index.core.schema import Document

PROSE = "The pump stands on a level floor. Its valve opens at 18 bar. Check both once a year. " * 12


def document(text: str, key: str = "d", **more: Any) -> Document:  # noqa: ANN401 - of the framework
    """Return a document with an id."""
    return Document(text=text, id_=key, **more)

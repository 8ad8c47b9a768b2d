"""Documents and node parsers of LlamaIndex, for tests."""

from typing import Any

from llama_documents import document
from llama_index.core.schema import BaseNode, MetadataMode

from treepack import TreepackNodeParser
from treepack.tokens import token_counter

__all__ = ["ACT", "clauses", "count", "document", "numbered_id", "parser", "shown_texts"]

SHOWN = (MetadataMode.EMBED, MetadataMode.LLM)
ACT = (
    "# Act\n\n## Article 12 Duties\n\n### (3) Notice\n\n"
    + "The controller shall notify. " * 40
    + "\n\n### (4) Records\n\nKeep records.\n"
)
count = token_counter("cl100k_base")


def clauses(number: int) -> str:
    return "# Terms\n\n" + "\n\n".join(
        f"## Clause {i}\n\n" + f"Sentence number {i} about topic {i}. " * 12
        for i in range(1, number + 1)
    )


def parser(size: int = 64, **more: Any) -> TreepackNodeParser:  # noqa: ANN401 - settings
    return TreepackNodeParser(chunk_size=size, **more)


def shown_texts(node: BaseNode) -> list[str]:
    return [node.get_content(metadata_mode=mode) for mode in SHOWN]


def numbered_id(number: int, source: BaseNode) -> str:
    return f"{source.id_}:{number}"

"""Texts with clauses, and the numbers of the clauses that the parser finds in them."""

from collections.abc import Iterator

from treepack.clauses.walk import find_clauses
from treepack.document.build import parse
from treepack.document.document import Document
from treepack.references.finder import FoundReference, find_references


def references_of(document: Document) -> tuple[FoundReference, ...]:
    """All references of a document."""
    return find_references(document, find_clauses(document))


def numbers(text: str) -> list[str]:
    """The numbers of all clauses, as cited."""
    return [clause.number for clause in find_clauses(parse(text))]


def blocks(*texts: str) -> str:
    """Join blocks with blank lines between them."""
    return "\n\n".join(texts) + "\n"


LAW_WORDS = "The parties to this agreement settle warranties, liability and jurisdiction."


def table(header: str, *rows: str) -> str:
    """A table with two columns."""
    return "\n".join(
        [f"| {header} | Text |", "|---|---|", *(f"| {row} | Do it. |" for row in rows)]
    )


def numbered(nodes: list[object], above: str = "") -> Iterator[str]:
    """Yield the dotted number of each node of a tree of lists, in order."""
    for place, node in enumerate(nodes, 1):
        number = f"{above}.{place}".lstrip(".")
        yield number
        assert isinstance(node, list)
        yield from numbered(node, number)

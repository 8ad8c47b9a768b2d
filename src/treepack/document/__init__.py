"""Build: what a document is. No opinion about chunk sizes."""

from treepack.document.build import parse
from treepack.document.source import DecodingWarning, Source, decode
from treepack.document.tree import Document, Section

__all__ = ["DecodingWarning", "Document", "Section", "Source", "decode", "parse"]

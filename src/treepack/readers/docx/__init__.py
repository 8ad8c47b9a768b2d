"""Reads Word documents as markdown.

Enters: the bytes of a ``.docx`` file. Leaves: a `Source`. ``package`` opens the file within limits,
``styles`` and ``numbering`` compute what Word computes when it prints, ``text``, ``tables`` (with
charts) and ``math`` read content, ``blocks`` puts it in order, ``reader`` writes it.
"""

from treepack.readers.docx.reader import read_docx

__all__ = ["read_docx"]

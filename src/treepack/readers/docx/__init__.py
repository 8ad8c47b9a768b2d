"""Word documents become markdown.

Enters: the bytes of a ``.docx`` file. Leaves: a `Source`. ``package`` opens the file under its
limits, ``styles`` and ``numbering`` resolve what Word computes when it prints (``number_formats``
writes the numerals), ``text``, ``tables`` and ``math`` read what a paragraph holds, ``blocks`` puts
them in order, ``reader`` writes them.
"""

from treepack.readers.docx.reader import read_docx

__all__ = ["read_docx"]

"""PDF (extra ``pdf``): pages, headings from bookmarks, tags or fonts, tables between rules.

``worker``    PDFium in a process of its own, which sends what pages hold
``lines``     characters become lines; ``order`` puts them in reading order
``contents``  lists of contents
``furniture`` running heads and page numbers
``tables``    tables between rules
``bookmarks`` headings that the outline names; ``tags`` those that tags name
``blocks``    lines become blocks; ``title_signs`` how titles are set
``whole_tables`` captions of tables, and tables over several pages
``writing``   writes blocks; ``wording`` what lines begin with
``reader``    all of this in order

Its names are imported when they are asked for: the worker imports this package and needs none.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treepack.readers.pdf.reader import PagesWithoutTextWarning, read_pdf
    from treepack.readers.pdf.worker.limits import PdfLimits

__all__ = ["PagesWithoutTextWarning", "PdfLimits", "read_pdf"]

_HOMES = {
    "PagesWithoutTextWarning": "treepack.readers.pdf.reader",
    "PdfLimits": "treepack.readers.pdf.worker.limits",
    "read_pdf": "treepack.readers.pdf.reader",
}


def __getattr__(name: str) -> object:
    """A public name, when it is first asked for.

    Raises:
        AttributeError: There is no such name.
    """
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value: object = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value

"""PDF (extra ``pdf``): pages, headings from bookmarks, tags or fonts, tables between rules.

``process``   the worker process, its limits and its death
``worker``    what runs there; ``pdfium`` alone speaks to PDFium, ``wire`` is how they talk
``content``   what a page holds, as it is sent
``lines``     characters become lines
``furniture`` running heads and page numbers
``tables``    tables between rules
``bookmarks`` headings that the outline names; ``tags`` those that tags name
``blocks``    lines become blocks; ``writing`` writes them; ``wording`` what lines begin with
``problems``  errors in words
"""

from treepack.readers.pdf.limits import PdfLimits
from treepack.readers.pdf.reader import PagesWithoutTextWarning, read_pdf

__all__ = ["PagesWithoutTextWarning", "PdfLimits", "read_pdf"]

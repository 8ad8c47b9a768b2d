"""PDF (extra ``pdf``): pages, headings from bookmarks, tags or fonts, tables between rules.

``lines``     characters become lines; ``order`` puts them in reading order
``contents``  lists of contents
``furniture`` running heads and page numbers
``tables``    tables between rules
``bookmarks`` headings that the outline names; ``tags`` those that tags name
``blocks``    lines become blocks; ``title_signs`` how titles are set
``whole_tables`` captions of tables, and tables over several pages
``writing``   writes blocks; ``wording`` what lines begin with
``reader``    all of this in order
"""

from treepack.readers.pdf.reader import PagesWithoutTextWarning, read_pdf
from treepack.readers.pdf_worker.limits import PdfLimits

__all__ = ["PagesWithoutTextWarning", "PdfLimits", "read_pdf"]

"""PDF (extra ``pdf``): pages, headings from bookmarks or fonts, tables.

``lines``     characters become lines; ``order`` puts lines in reading order
``furniture`` running headers and footers, page numbers, tables of contents
``tables``    tables with rules, and tables of numbers without
``bookmarks`` headings that the outline names
``blocks``    lines become blocks
``writing``   writes blocks, and which may be titles
``line_patterns`` what lines begin and end with, and measures that all share
``reader``    does all of this in order, and gives tables their captions and rows on further pages
"""

from treepack.readers.pdf.reader import PagesWithoutTextWarning, read_pdf
from treepack.readers.pdf_worker.process import PdfLimits

__all__ = ["PagesWithoutTextWarning", "PdfLimits", "read_pdf"]

"""HTML pages become markdown (extra ``html``).

Enters: bytes or text. Leaves: a `Source`. ``reader`` is the way in. ``tree`` alone speaks to the
HTML parser. ``page_parts`` and ``navigation`` find what belongs to the page and not to the text;
``preformatted`` takes pages that are a plain text as that text, ``makers`` gives what Doxygen,
Javadoc and others write in their own ways the usual elements.
``walk`` goes over the page and tells the writer what it meets; ``breaks`` knows where printed pages
end, ``cells`` reads tables, ``columns`` makes one of columns that are shown as one, ``inline``
reads what stands in a line, ``numerals`` counts lists, ``faces`` reads how text is set and marked,
and ``headings`` finds what a page's own styles make headings.
"""

from treepack.readers.html.reader import read_html

__all__ = ["read_html"]

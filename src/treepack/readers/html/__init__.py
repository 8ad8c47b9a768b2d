"""HTML pages become markdown (extra ``html``).

Enters: bytes or text. Leaves: a `Source`. ``reader`` is the entry point. Only ``tree`` uses the
HTML parser, on pages that ``nesting`` has limited. ``page_parts`` selects page furniture, and finds
where printed pages end. ``generators``
replaces what Doxygen, Javadoc and others write in their own ways with the usual elements. ``walk``
goes over the page and calls the writer for each element. ``cells`` reads tables, and ``columns``
joins columns that are shown as one. ``inline`` reads the content of lines, ``numerals`` numbers
lists, ``formatting`` reads fonts and emphasis, and ``headings`` has selectors for the headings that
known generators mark by class.
"""

from treepack.readers.html.reader import read_html

__all__ = ["read_html"]

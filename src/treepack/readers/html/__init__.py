"""HTML pages become markdown (extra ``html``).

Enters: bytes or text. Leaves: a `Source`. ``reader`` is the entry point. Only ``tree`` uses the
HTML parser, on pages that it has limited; it selects page furniture and the headings that known
generators mark by class. ``walk`` goes over the page and calls the writer for each element.
``cells`` reads tables. ``inline`` reads the content of lines and numbers lists, ``formatting``
reads fonts and emphasis.
"""

from treepack.readers.html.reader import read_html

__all__ = ["read_html"]

"""What belongs to the pages of a text and not to the text: page marks, running headers and footers.

Input: a `Source` as it is written, before its blocks are read. Output: the source with its pages,
and the gaps, which are skipped. ``find_pages`` in ``furniture`` is the entry point.

=========== ====================================================================================
marks       marks between pages, and the pages that they name
furniture   calls the others; running headers and footers, by what the edges of pages share
gaps        why spans are skipped, and the text without them; lines, which a form feed ends too
=========== ====================================================================================

Imports ``model``, ``numbers`` (words) and ``user_patterns``.
"""

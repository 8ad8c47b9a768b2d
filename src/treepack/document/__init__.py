"""A document: its text and its tree of sections. Knows nothing about chunk sizes.

Input: text, or a `Source` that a reader made. Output: a `Document`. ``build`` shows all steps on
one page: ``pages`` finds what is skipped, ``markdown`` or ``plain`` finds the blocks, ``outline``
finds the headings and their levels. ``document`` holds the tree. ``stored`` reads the JSON form.
"""

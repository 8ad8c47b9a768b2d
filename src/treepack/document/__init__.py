"""A document: its text and its tree of sections. Knows nothing about chunk sizes.

Input: text, or a `Source` that a reader made. Output: a `Document`. ``build`` shows all steps on
one page: ``pages`` finds what is skipped, ``markdown`` or ``plain`` finds the blocks, ``outline``
finds the headings and their levels. ``document`` holds the tree, and calls ``clauses``,
``references`` and ``tokens`` when their results are first needed. ``clause_tree`` turns clauses
whose titles run into the text into sections. ``outline_rows`` lists sections and such clauses for
display. ``stored`` reads the JSON form.
"""

"""A document: its text and its tree of sections. Knows nothing about chunk sizes.

Enters: text, or a `Source` that a reader made. Leaves: a `Document`. ``build`` shows the whole
way on one page: ``markdown`` or ``plain`` finds the blocks, ``outline`` their levels. ``document``
holds the tree, and calls ``clauses``, ``references`` and ``tokens`` when their results are first
needed; ``clause_tree`` makes sections of the clauses whose titles run into the text.
"""

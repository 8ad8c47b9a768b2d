"""The clauses of a document: where each begins and ends, and how it is cited.

Enters: a `Document`. Leaves: its `Clause`s in source order. Start reading at ``numbering``, the
model (see docs/clauses.md), and ``walk``, which feeds it the labels (``labels``, and the rows of
tables of requirements) without those of tables of contents (``contents``). ``naming`` has the
numbers as cited and the titles. ``sections`` turns clauses whose titles run into the text into
sections, as they are packed and as outlines list them.
"""

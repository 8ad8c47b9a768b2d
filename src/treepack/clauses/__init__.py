"""The clauses of a document: where each begins and ends, and how it is cited.

Enters: a `Document`. Leaves: its `Clause`s in source order. Start reading at ``numbering``, the
model (see docs/clauses.md), and ``walk``, which feeds it the labels (``labels``,
``requirement_tables``) without those of tables of contents (``contents``). ``readings`` has the
ways to read a label, ``citing`` the numbers as cited, ``titles`` the titles. ``sections`` turns
clauses whose titles run into the text into sections, as they are packed; ``outline_rows`` lists
sections and such clauses.
"""

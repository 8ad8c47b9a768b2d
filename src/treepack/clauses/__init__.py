"""The clauses of a document: where each begins and ends, and how it is cited.

Enters: a `Document`. Leaves: its `Clause`s in source order. Start reading at
``walk``: it reads the labels (``labels``, ``requirement_tables``), skips tables of contents
(``contents``), and keeps the open clauses (``open_clauses``).
``sequences`` and ``lookahead`` decide whether ``(i)`` is a letter or a roman numeral;
``named_order`` learns which named division belongs below which; ``titles`` gives each clause its
title. ``sections`` turns clauses whose titles run into the text into sections, as they are packed;
``outline_rows`` lists sections and such clauses.
"""

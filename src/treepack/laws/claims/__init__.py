"""What chunk records claim of the source: page marks, page furniture, headings, clauses.

Each claim is checked against the source. One that is wrong is a finding; one that may be right is
believed, and the source is read accordingly. ``marks`` and ``furniture`` check what is skipped,
``outline`` and ``found_titles`` check headings that were changed or found, ``clause_names`` and
``clause_starts`` where the clauses are that a breadcrumb names and a cut respects.
"""

"""What chunk records claim of the source: page marks, page furniture, headings, clauses.

Each claim is checked against the source. One that is wrong is a finding; one that may be right is
believed, and ``believed`` reads the source accordingly. ``marks`` and ``furniture`` check what is
skipped, ``outline`` and ``found_titles`` check headings that were changed or found, ``clauses``
what a breadcrumb names and a cut respects.
"""

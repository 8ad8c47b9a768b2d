"""What chunk records claim of the source: page marks, page furniture, headings, clauses.

Each claim is checked against the source. One that is wrong is a finding; one that may be right is
believed, and ``believed`` reads the source accordingly. ``pages`` checks what is skipped,
``headings`` those that were changed or found, ``clauses`` what a breadcrumb names and a cut
respects.
"""

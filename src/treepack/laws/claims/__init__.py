"""What chunk records claim about the source: page marks, page furniture, headings, clauses.

Each claim is checked against the source. A wrong claim is a finding. A claim that may be right is
believed, and ``believed`` reads the source accordingly. ``pages`` checks what is skipped,
``headings`` the headings that were changed or found, and ``clauses`` the clauses that breadcrumbs
name and cuts respect.
"""

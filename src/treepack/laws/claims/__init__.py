"""What chunk records claim of the source: page marks, page furniture, changed and found headings.

Each claim is checked against the source. One that is wrong is a finding; one that may be right is
believed, and the source is read accordingly. ``marks`` and ``furniture`` check what is skipped,
``outline`` and ``found_titles`` check headings.
"""

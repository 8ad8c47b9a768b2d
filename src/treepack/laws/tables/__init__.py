"""Law 5: whole rows.

``rows`` is the entry point; ``reparse`` reads a piece as a reader would; ``repeats`` determines
what a piece repeats.
"""

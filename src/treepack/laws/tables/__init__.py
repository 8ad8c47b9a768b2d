"""Law 5: whole rows.

``rows`` is the way in; ``reparse`` reads a piece as a reader would; ``repeats`` says what a piece
repeats.
"""

"""What the checks look at.

``parsed_source`` is a source with its ``blocks``, read the way documents are read. ``chunk_text``
is the text of a chunk, parsed alone. ``tables`` reads the tables of both, ``titles`` compares
titles and words, and ``sentences`` finds what a boundary certainly cuts.
"""

"""What the checks look at.

``parsed_source`` is a source with its ``blocks``, read as documents are. ``chunk_text`` is
the text of a chunk, parsed alone. ``tables`` compares the tables of both, ``titles`` compares
words, and ``sentences`` knows what is surely cut.
"""

"""A document: its text and its tree of sections. Knows nothing about chunk sizes."""

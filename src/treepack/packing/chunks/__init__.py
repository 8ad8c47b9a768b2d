"""Groups of pieces become chunks: records with text, spans, breadcrumb, ids.

Input: groups, with their context. Output: `Chunks`. ``content`` builds a chunk's text; ``overlap``
finds what is repeated before it. ``assemble`` makes the spec of the record; ``citations`` and
``table_slices`` find the clauses and table rows in it, ``references`` what it refers to. ``specs``
keeps what a record is made of until it is asked for, and ``narrow_source`` keeps the text of a
file. ``lookup`` finds chunks by clause, page and line.
"""

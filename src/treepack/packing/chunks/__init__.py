"""Groups of pieces become chunks: records with text, spans, breadcrumb, ids.

Input: groups, with their context. Output: `Chunks`. ``content`` builds a chunk's text; ``overlap``
finds what is repeated before it. ``assemble`` makes the spec of the record, and finds the table
rows in it; ``citations`` finds the clauses. ``specs`` keeps what a record is made of until it is
asked for.
"""

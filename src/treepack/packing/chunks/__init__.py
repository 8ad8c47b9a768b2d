"""Groups of pieces become chunks: records with text, spans, breadcrumb, ids.

Enters: groups, with their context. Leaves: `Chunks`. ``content`` builds a chunk's text; ``overlap``
and ``definitions`` (with ``terms``) say what is added to it; ``assemble`` makes the record, for
which ``citations`` and ``table_slices`` say which clauses and rows it holds. ``specs`` keeps what a
record is made of until somebody asks for it, and ``narrow_source`` the text of a file; ``places``
finds chunks by clause, page and line.
"""

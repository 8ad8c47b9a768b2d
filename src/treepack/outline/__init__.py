"""Which headings there are, marked or not, and how they nest.

Enters: a `Source` with its blocks as first read. Leaves: blocks with the right headings, and an
`OutlineChange` for each that was changed or found, with its reason. ``outlined`` is the way in.

========= ======================================================================================
furniture running heads and feet, page numbers: what belongs to pages
repair    marked headings: written levels are believed until numbers contradict them
levels    decides that
titles    a room of its own: titles that no mark shows
outlined  all of these in order; lines that a user's patterns name; found titles become headings
========= ======================================================================================

Imports ``model``, ``markdown`` (page marks), ``plain`` (marks of other formats) and ``numbers``.
"""

"""Which headings there are, marked or not, and how they nest.

Input: a `Source` with its blocks as first read. Output: blocks with the right headings, and an
`OutlineChange` with a reason for each heading that was changed or found. ``outlined`` is the entry
point.

=============== ================================================================================
repair          marked headings: written levels are kept unless numbers contradict them
levels          decides the levels for ``repair``
titles          a subpackage that finds titles without markup
outlined        calls ``repair`` and ``titles``, applies heading patterns of the user, turns found
                titles into headings
=============== ================================================================================

Imports ``model``, ``pages``, ``plain`` and ``numbers``.
"""

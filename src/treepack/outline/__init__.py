"""Which headings there are, marked or not, and how they nest.

Input: a `Source` with its lines and its blocks as first read. Output: blocks with the right
headings, and an `OutlineChange` with a reason for each heading that was changed or found.
``outlined`` is the entry point.

=============== ================================================================================
repair          marked headings: false ones become text, levels that numbers contradict change
levels          the levels for ``repair``, from the numbers
titles          titles without markup: the steps, and the documents for which they are taken
lines           the lines of a text, and what they have in common
contents        tables of contents
printed         the number that a line begins with
numbered        numbered lines and their signals: the weight that each is a title
chain           the best chain of numbers, and which chains are those of titles
styles          titles without a number: in the contents, bold, larger, underlined, alone
title_levels    the levels of all titles that were found
shape           whether a text reads like a title
=============== ================================================================================

Imports ``model``, ``pages``, ``plain`` and ``numbers``.
"""

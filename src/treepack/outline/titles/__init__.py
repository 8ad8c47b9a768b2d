"""Titles without markup, found from the evidence of a whole document.

Input: a `Source`, its blocks as first read, its gaps. Output: `FoundTitle`s, in order.

============ ===================================================================================
finder       the steps, and the documents for which they are taken
lines        the lines of a text (``layout``: what they have in common)
toc          tables of contents
candidates   lines that begin with a number (``printed``: the number; ``wording``: words
             of titles)
chain        the best chain of these numbers in the document; ``numbered`` picks the chains of
             titles
wrapped      the further lines of a numbered title
styles       titles without a number: in the table of contents, bold, larger, alone
             (``style_reader``: the style of each line)
underlines   titles that are underlined
levels       the levels of all titles
============ ===================================================================================
"""

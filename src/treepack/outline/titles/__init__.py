"""Titles without markup, found from the evidence of a whole document.

Input: a `Source`, its blocks as first read, its gaps. Output: `FoundTitle`s, in order.

============ ===================================================================================
finder       the steps, and the documents for which they are taken
lines        the lines of a text (``layout``: what they have in common)
toc          tables of contents
candidates   lines that begin with a number (``printed``: the number; ``numbers_alone``: one on
             its own line; ``wording``: words of titles)
chain        the best chain of these numbers in the document; ``numbered`` picks the chains of
             titles
wrapped      the further lines of a numbered title
styles       titles without a number: in the table of contents, bold, larger, alone
             (``style_reader``: the style of each line)
crowded      titles that no blank line separates from their text
spaced       titles with more blank lines above them than paragraphs have
markup       titles that are underlined, or have the markup of AsciiDoc, wikis or LaTeX
numerals     titles that are only a numeral or a letter
series       titles that are numbered with a word of their own: Note 5
below_marked bold numbered titles below marked headings
levels       the levels of all titles
============ ===================================================================================
"""

"""Titles that no mark shows, from the evidence of a whole document.

Enters: a `Source`, its blocks as first read, its gaps. Leaves: `FoundTitle`s, in order.

========== =====================================================================================
finder     the steps, and for which documents they are taken
lines      the lines of a text (``page``: what they have in common)
contents   lists of contents
candidates lines that begin with a number (``wording``: words of titles; ``printed``: layout)
chain      the best chain of these numbers over the document; ``numbered`` says what may join it
wrapped    the further lines of a numbered title
styles     titles without a number: named in the contents, bold, larger, alone
           (``style_reader``: the style of each line)
crowded    titles that no blank line parts from their text
spaced     titles below more blank lines than paragraphs are
signs      titles that are underlined, or marked as AsciiDoc and wikis mark them
series     titles that count on with a word of their own: Note 5
levels     the levels of all of them
========== =====================================================================================
"""

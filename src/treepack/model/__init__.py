"""The data that all rooms share: a text, its blocks, its sections, its chunks.

========== =================================================================================
module     what it holds
========== =================================================================================
source     `Source`: the text, its name, its line table, its page marks
pages      joins the texts of single pages to one text
typography how a paragraph was formatted in its original, as its reader saw it
arguments  how ``pack`` and ``parse`` take text, and how they detect a path given by mistake
blocks     the kinds of blocks: spans of the text
section    `Section`: the tree, and how to find a section in it
chunk      `Chunk`: the record, and what it is made of
========== =================================================================================

``outline_change`` is the record of a heading whose level was changed, or of a title that was found.

This package imports only ``display``, ``errors`` and ``values``.
"""

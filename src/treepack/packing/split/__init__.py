"""A block that is too large is cut, each kind by its own rule.

Input: a block. Output: pieces. ``blocks`` chooses the rule and opens lists and quotes; ``code``
cuts code and math between statements and lines; ``table`` cuts between rows and cells; ``text``
cuts between sentences and lines, ``words`` inside them. ``sentences`` calls the sentence splitter;
``markup`` keeps cuts outside tags; ``leads`` keeps the points of a clause with their
introductory text; ``neighbours`` decides which pieces may share a chunk.
"""

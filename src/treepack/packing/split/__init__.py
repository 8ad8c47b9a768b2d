"""A block that is too large is cut, each kind by its own rule.

Enters: a block. Leaves: pieces. ``blocks`` chooses the rule and opens lists and quotes; ``code``
cuts code and math between statements and lines; ``table`` cuts between rows and cells; ``text``
cuts between sentences and lines, ``words`` inside them. ``sentences`` asks the sentence splitter;
``html_text`` keeps cuts outside tags; ``leads`` keeps points with what stands
before them; ``neighbours`` tells which pieces may share a chunk.
"""

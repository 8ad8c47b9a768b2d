"""A block that is too large is cut, each kind by its own rule.

Input: a block. Output: pieces. ``blocks`` chooses the rule, opens lists and quotes, keeps a caption
with its table and an intro with its first item, and cuts code and math at blank lines and lines;
``table`` cuts between rows and cells, and shortens what its pieces repeat; ``text`` cuts between
sentences and lines, ``words`` inside them.
"""

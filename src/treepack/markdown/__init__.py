"""Parses markdown text into blocks.

Input: a `Source`. Output: blocks with spans, in source order. Imports ``model`` and ``values``.

============ ===================================================================================
front_matter YAML or TOML at the top; ``yaml_values`` reads YAML as plain values
scanner      reads plain blocks by patterns; all others go to markdown-it
markdown_it  turns markdown-it's tokens into blocks (``block_tokens``, ``rules``)
tables       captions, and HTML tables (``html_tables``)
lines        the lines as markdown-it counts them
prefixes     markers and indentation before a line's content in lists and quotes
============ ===================================================================================
"""

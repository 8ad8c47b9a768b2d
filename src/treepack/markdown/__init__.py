"""Parses markdown text into blocks with spans, in source order.

``scanner`` reads plain blocks by patterns; all others go to markdown-it, whose tokens
``markdown_it`` turns into blocks. ``tables`` finds captions and HTML tables, ``front_matter`` YAML
or TOML at the top.
"""

"""The audit's own reading of a source, which shares nothing with the packer's.

Enters: the source's text. Leaves: a `Reading`: blocks and sections. ``reading`` is the way in.
Markdown goes through markdown-it, and ``tables`` and ``html`` read what that leaves as HTML;
``plain`` reads plain text; ``titled`` puts in titles that no mark shows. ``captions``,
``sentences`` and ``titles`` answer questions about the result.
"""

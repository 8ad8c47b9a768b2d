"""The audit's own reading of a source, which shares only that of HTML tables with the packer.

Enters: the source's text. Leaves: a `ParsedSource`: blocks and sections. ``parsed_source`` is the
way in. Markdown goes through ``parser``, and then ``tables`` and ``html`` read what it leaves as
HTML; ``plain`` reads plain text; ``titled`` puts in titles that no mark shows. ``captions``,
``sentences``, ``lead_sentences`` and ``titles`` answer questions about the result.
"""

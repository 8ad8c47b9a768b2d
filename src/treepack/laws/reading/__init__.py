"""The audit's own reading of a source, which shares nothing with the packer's.

Enters: the source's text. Leaves: a `Reading`: blocks and sections. ``reading`` is the way in.
"""

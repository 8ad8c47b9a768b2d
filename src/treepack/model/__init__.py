"""The data that all rooms share: a text, its blocks, its sections, its chunks.

This package imports only ``display`` and ``errors``.
"""

"""The module under which Haystack saves treepack's component; it trusts this namespace."""

from treepack.integrations.haystack import TreepackSplitter

__all__ = ["TreepackSplitter"]

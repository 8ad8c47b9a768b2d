"""Finds sentences: ``rules`` propose ends, ``guard`` decides with lists of abbreviations."""

from treepack.sentences.rules import SentenceSplitter, sentence_splitter

__all__ = ["SentenceSplitter", "sentence_splitter"]

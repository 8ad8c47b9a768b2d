"""Where sentences begin and end: rules, a guard for abbreviations, and who may replace them."""

from treepack.sentences.splitter import SentenceSplitter, sentence_splitter

__all__ = ["SentenceSplitter", "sentence_splitter"]

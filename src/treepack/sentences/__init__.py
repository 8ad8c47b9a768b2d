"""Finding sentences: rules, a guard for abbreviations, and the interface for other splitters."""

from treepack.sentences.splitter import SentenceSplitter, sentence_splitter

__all__ = ["SentenceSplitter", "sentence_splitter"]

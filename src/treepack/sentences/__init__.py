"""Finding sentences: rules, and a guard for abbreviations.

``splitter`` finds a splitter by its name. ``rules`` is the built-in splitter: it proposes ends, and
``guard`` decides with the lists in ``abbreviations``. ``small_words`` distinguishes sentences from
titles, and ``headings`` finds headings that are whole sentences.
"""

from treepack.sentences.splitter import SentenceSplitter, sentence_splitter

__all__ = ["SentenceSplitter", "sentence_splitter"]

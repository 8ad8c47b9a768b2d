"""Finding sentences: rules, a guard for abbreviations, and the interface for other splitters.

``splitter`` is the interface. ``rules`` is the splitter that needs no other package: it proposes
ends, and ``guard`` decides with the lists in ``abbreviations``. ``windows`` runs sentencex.
``small_words`` tells sentences from titles.
"""

from treepack.sentences.splitter import SentenceSplitter, sentence_splitter

__all__ = ["SentenceSplitter", "sentence_splitter"]

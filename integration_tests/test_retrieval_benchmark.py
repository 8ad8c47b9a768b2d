"""The retrieval benchmark on a small set: a user's model, LlamaIndex's merging, the table."""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from offline import vector

pytest.importorskip("bm25s")
pytest.importorskip("sklearn")

import retrieval
from retrieval_merging import Hierarchy
from retrieval_sets import Solid, read_sets

needs_nltk_data = pytest.mark.skipif(
    version("llama-index-core").startswith("0.13."),
    reason="the nltk of today does not find the data that LlamaIndex 0.13 brings",
)

PARTS = ("hose", "motor", "shaft", "seal", "cooler", "bearing", "valve", "gauge", "filter", "lamp")


def manual(name: str) -> str:
    """Return ten sections of about 90 tokens each."""
    return f"# Manual of {name}\n\n" + "\n\n".join(
        f"## {number} The {part}\n\nThe {part} of {name} is checked every {number} months. "
        f"A {part} that leaks is replaced by the maker at once. "
        f"Each check of the {part} is noted in the log with its date. "
        f"The log of the {part} is kept for {number + 3} years. "
        f"Whoever replaces a {part} signs the log, and shows it to the inspector when asked. "
        f"Spare parts for the {part} are kept in room {number * 11}."
        for number, part in enumerate(PARTS, 1)
    )


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Write a set of two manuals, with a question for each section."""
    documents = tmp_path / "retrieval" / "pumps-1" / "documents"
    documents.mkdir(parents=True)
    lines: list[str] = []
    for name in ("north", "south"):
        text = manual(name)
        (documents / f"{name}.md").write_text(text, encoding="utf-8", newline="")
        for part in PARTS:
            answer = f"Spare parts for the {part} are kept in room"
            start = text.index(answer)
            line = {
                "query": f"Where are spare parts for the {part} of {name} kept?",
                "doc": f"{name}.md",
                "spans": [[start, start + len(answer) + 3]],
            }
            lines.append(json.dumps(line))
    (documents.parent / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


class FakeSentenceTransformer:
    """Stands in for a model of sentence-transformers, with the same ``encode``."""

    loaded: "FakeSentenceTransformer"

    def __init__(self, name: str) -> None:
        self.name = name
        self.asked: list[list[str]] = []
        FakeSentenceTransformer.loaded = self

    def encode(self, sentences: list[str], *, normalize_embeddings: bool) -> NDArray[np.float32]:
        """Return vectors of length one."""
        assert normalize_embeddings, "cosines need it"
        self.asked.append(sentences)
        return np.array([vector(text) for text in sentences], np.float32)


def run(corpus: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> list[dict[str, Any]]:
    out = corpus / "figures.json"
    given = ["retrieval.py", "--corpus", str(corpus), "--budget", "200", "--out", str(out), *more]
    monkeypatch.setattr(sys, "argv", given)
    assert retrieval.main() == 0
    rows: list[dict[str, Any]] = json.loads(out.read_text("utf-8"))
    return rows


def test_a_model_named_by_the_user_is_ranked_beside_bm25_and_lsa(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = ModuleType("sentence_transformers")
    vars(module)["SentenceTransformer"] = FakeSentenceTransformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    rows = run(corpus, monkeypatch, "--model", "words/small", "--only", "headers + path")
    assert FakeSentenceTransformer.loaded.name == "words/small"
    assert {row["ranker"] for row in rows} == {"BM25", "LSA", "words/small"}
    own = [row for row in rows if row["ranker"] == "words/small"]
    [flat] = [row for row in own if row["splitter"] == retrieval.ANCHOR]
    texts, questions = FakeSentenceTransformer.loaded.asked[:2]
    assert len(texts) == flat["vectors"]
    assert len(questions) == len(flat["covers"]) == 20
    assert np.mean(flat["covers"]) > 0.5
    assert max(flat["used"]) <= 200
    printed = capsys.readouterr().out
    assert "words/small: cover by set; mean" in printed


@needs_nltk_data
def test_llama_index_merges_leaves_within_the_budget(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = run(corpus, monkeypatch, "--only", "auto-merging")
    assert {row["splitter"] for row in rows} == {retrieval.MERGING}
    assert all(0 < max(row["used"]) <= 200 for row in rows)
    assert all(np.mean(row["covers"]) > 0.5 for row in rows)


@needs_nltk_data
def test_most_children_of_a_parent_are_merged_into_the_parent(corpus: Path) -> None:
    [queries] = read_sets(corpus)
    solids = {name: Solid(text) for name, text in queries.documents.items()}
    nodes = Hierarchy.of(queries.documents, (250, 60), solids)
    assert nodes.mean(is_leaf=True) < 60 < nodes.mean(is_leaf=False) < 250
    first = nodes.leaves[0].parent_node.node_id
    family = [at for at, leaf in enumerate(nodes.leaves) if leaf.parent_node.node_id == first]
    assert len(family) > 2
    assert nodes.merged([(at, 1.0) for at in family[:-1]]) == [first]
    assert nodes.merged([(family[0], 1.0)]) == [nodes.leaves[family[0]].node_id]
    for leaf in nodes.leaves:
        passage = nodes.passages[leaf.node_id]
        [(start, end)] = passage.spans
        assert solids[passage.document].text[start:end] == "".join(leaf.text.split())

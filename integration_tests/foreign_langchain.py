"""A pytest plugin: LangChain's own tests of character splitters, run against treepack's.

    pytest -p foreign_langchain -o addopts="" FOLDER/tests/unit_tests/test_text_splitters.py

The tests come from the source distribution of langchain-text-splitters and stay there. Those that
pin how LangChain cuts at separators do not apply; each is named here with a reason, and must fail.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import langchain_text_splitters
import langchain_text_splitters.character
import pytest
from langchain_core.documents import Document

from treepack import TreepackTextSplitter
from treepack.integrations.metadata import KEYS

SEPARATORS = "pins cuts at separators, and their removal; treepack cuts at structure"
OVERLAP = "pins an overlap of words; treepack repeats whole sentences"
ROOM = "pins words as long as the cap beside an overlap; treepack keeps the overlap's room free"
OVERSIZE = "pins words above the cap; treepack keeps the cap"
NOT_APPLICABLE = {
    "test_character_text_splitter": OVERLAP,
    "test_character_text_splitter_empty_doc": OVERSIZE,
    "test_character_text_splitter_long": ROOM,
    "test_character_text_splitter_longer_words": OVERSIZE,
    "test_character_text_splitter_keep_separator_regex": OVERSIZE,
    "test_character_text_splitter_keep_separator_regex_start": OVERSIZE,
    "test_character_text_splitter_keep_separator_regex_end": OVERSIZE,
    "test_character_text_splitter_discard_separator_regex": OVERSIZE,
    "test_character_text_splitter_chunk_size_effect[(?<=mid)-True-abcmiddef-5-expected0]": OVERSIZE,
    "test_character_text_splitter_chunk_size_effect[mid-False-abcmiddef-3-expected2]": SEPARATORS,
    "test_create_documents_with_start_index[splitter0-foo bar baz 123-expected_docs0]": OVERLAP,
}
SELECTED = (
    "test_character_text_split",
    "test_create_documents",
    "test_metadata_not_shallow",
    "test_split_documents",
)


class AsCharacter(TreepackTextSplitter):
    """Takes the arguments of `CharacterTextSplitter`, and adds neither metadata nor ids."""

    def __init__(
        self,
        separator: str = "\n\n",  # noqa: ARG002 - theirs
        is_separator_regex: bool = False,  # noqa: ARG002, FBT001, FBT002 - theirs
        **settings: Any,  # noqa: ANN401 - settings
    ) -> None:
        theirs = {"chunk_size": 4000, "chunk_overlap": 200, "length_function": len, **settings}
        # LangChain's fill each chunk up to its size.
        super().__init__(min_size=0, target_size=theirs["chunk_size"], **theirs)

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Split without treepack's own metadata keys; `create_documents` calls this as well."""
        return _without_own_keys(super().split_documents(documents))


def _without_own_keys(documents: list[Document]) -> list[Document]:
    for document in documents:
        assert "chunk_id" in document.metadata, "each chunk can be found again"
        for key in KEYS & set(document.metadata):
            del document.metadata[key]
        document.id = None
    return documents


def pytest_configure() -> None:
    """Replace LangChain's splitter by treepack's before LangChain's tests import it."""
    for module in (langchain_text_splitters, langchain_text_splitters.character):
        vars(module)["CharacterTextSplitter"] = AsCharacter


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of what any splitter does; those that pin LangChain's cuts must fail."""
    kept = [item for item in items if item.name.startswith(SELECTED)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept
    for item in items:
        reason = NOT_APPLICABLE.get(item.name) or NOT_APPLICABLE.get(item.name.partition("[")[0])
        if reason:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


def pytest_terminal_summary(terminalreporter: Any) -> None:  # noqa: ANN401 - pytest's
    """Print how many tests apply, and how many do not for each reason."""
    stats = terminalreporter.stats
    reasons = Counter(report.wasxfail.partition(";")[0] for report in stats.get("xfailed", ()))
    write = terminalreporter.write_line
    write(f"{len(stats.get('passed', ()))} of LangChain's tests pass with treepack")
    for reason, count in reasons.most_common():
        write(f"{count} do not apply: {reason}")

"""The label that names where a chunk belongs, narrowed step by step to fewer words."""

from treepack.integrations.metadata import ChunkLabel, narrowed


def test_a_label_loses_its_outermost_entries_first_and_its_clause_last() -> None:
    label = ChunkLabel(("Book", "Chapter of four words"), "1.2", "Table 1")
    assert [
        label,
        ChunkLabel(("Chapter of four words",), "1.2", "Table 1"),
        ChunkLabel(("Chapter of four words",), "1.2", None),
        ChunkLabel(("Chapter of\u2026",), "1.2"),
        ChunkLabel(("Chapter\u2026",), "1.2"),
        ChunkLabel(clause="1.2"),
        ChunkLabel(),
    ] == list(narrowed(label))


def test_an_empty_label_cannot_be_narrowed() -> None:
    assert [ChunkLabel()] == list(narrowed(ChunkLabel()))

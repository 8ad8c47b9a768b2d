"""What a chunk is said to be in, told with ever fewer words."""

from treepack.packing.templates import Label, narrowed


def test_a_label_gives_up_its_outermost_entries_first_and_its_clause_last() -> None:
    label = Label(("Book", "Chapter of four words"), "1.2", "Table 1")
    assert [
        label,
        Label(("Chapter of four words",), "1.2", "Table 1"),
        Label(("Chapter of four words",), "1.2", None),
        Label(("Chapter of\u2026",), "1.2"),
        Label(("Chapter\u2026",), "1.2"),
        Label(clause="1.2"),
        Label(),
    ] == list(narrowed(label))


def test_an_empty_label_cannot_say_less() -> None:
    assert [Label()] == list(narrowed(Label()))

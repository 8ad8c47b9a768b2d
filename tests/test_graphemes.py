"""Where a text may be cut without splitting what a reader sees as one character."""

import pytest
from case_files import case_table

from treepack.graphemes import cluster_end, is_boundary, last_boundary

FAMILY = "👨\u200d👩\u200d👧"
FLAGS = "🇩🇪🇫🇷"


@pytest.mark.parametrize(("text", "boundaries"), case_table("graphemes", "boundaries"))
def test_boundaries_are_between_clusters(text: str, boundaries: list[int]) -> None:
    assert boundaries == [at for at in range(len(text) + 1) if is_boundary(text, at)]
    assert is_boundary(text, -1)
    assert is_boundary(text, len(text) + 1)


LAST: list[tuple[str, int, int]] = [
    *(("abc", 2, 2), (f"a{FAMILY}b", 3, 1), ("e\u0301e\u0301", 3, 2), (FLAGS, 3, 2), ("abc", 3, 3)),
    (FAMILY, 2, 2),  # a single cluster fills it
]


@pytest.mark.parametrize(("text", "end", "last"), LAST)
def test_the_last_boundary_is_no_later_than_the_end(text: str, end: int, last: int) -> None:
    assert last == last_boundary(text, 0, end)


def test_a_cluster_ends_where_the_next_one_begins_or_at_the_limit() -> None:
    assert 2 == cluster_end("e\u0301x", 0, 9)
    assert 3 == cluster_end(FAMILY, 0, 3)
    assert 1 == cluster_end("a", 1, 1)

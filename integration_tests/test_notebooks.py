"""Notebooks run, and show the outputs that are stored in them."""

from pathlib import Path

import pytest

pytest.importorskip("nbclient")

from notebook_runs import FOLDER, VARIES, code_cells, read, run, shown_texts

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_produces_its_stored_outputs(path: Path) -> None:
    """If its outputs are meant to change, run `python integration_tests/notebook_runs.py`."""
    stored, now = code_cells(read(path)), code_cells(run(path))
    assert any(shown_texts(cell) for cell in stored)
    for number, (before, after) in enumerate(zip(stored, now, strict=True), 1):
        if VARIES in before.metadata.get("tags", ()):
            assert len(shown_texts(before)) == len(shown_texts(after))
        else:
            assert shown_texts(before) == shown_texts(after), f"code cell {number} of {path.name}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_no_assertions_execution_counts_or_temporary_paths(path: Path) -> None:
    cells = code_cells(read(path))
    assert not [cell.source for cell in cells if "assert " in cell.source]
    assert not [cell for cell in cells if cell.execution_count is not None]
    assert "/tmp/" not in "".join(text for cell in cells for text in shown_texts(cell))  # noqa: S108 - no file

"""Runs notebooks, to compare their outputs with the stored ones or to store them again.

    python integration_tests/notebook_runs.py [NOTEBOOK ...]

runs notebooks and stores their outputs. Cells with the tag ``varies`` show what differs between
runs, such as times; they are run and stored, but not compared.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import nbformat
from nbclient import NotebookClient

FOLDER: Final = Path(__file__).parents[1] / "notebooks"
SECONDS: Final = 600
_SHOWN: Final = ("text/plain", "text/html", "image/svg+xml")
VARIES: Final = "varies"


def read(path: Path) -> Any:  # noqa: ANN401 - a notebook
    """Return a notebook as it is stored."""
    return nbformat.read(path, as_version=4)


def run(path: Path) -> Any:  # noqa: ANN401 - a notebook
    """Return a notebook after all of its cells were run, without times and execution counts."""
    notebook = read(path)
    for cell in code_cells(notebook):
        cell.outputs = []
    NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
    ).execute()
    for cell in code_cells(notebook):
        cell.execution_count = None
        cell.outputs = list(_stable_outputs(cell.outputs))
    notebook.metadata = {key: notebook.metadata[key] for key in ("kernelspec", "language_info")}
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def code_cells(notebook: Any) -> list[Any]:  # noqa: ANN401 - a notebook
    """Return the notebook's cells of code."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown_texts(cell: Any) -> list[str]:  # noqa: ANN401 - a cell
    """Return what a cell shows, as texts."""
    texts: list[str] = []
    for output in cell.outputs:
        data = output.get("data", {})
        texts += [output["text"]] if "text" in output else [data[k] for k in _SHOWN if k in data]
    return texts


def _stable_outputs(outputs: Sequence[Any]) -> Iterator[Any]:
    """Yield what a cell printed, joined, and what it displayed, but no warnings of packages."""
    printed = "".join([each.text for each in outputs if each.get("name") == "stdout"])
    if printed:
        yield nbformat.v4.new_output("stream", name="stdout", text=printed)
    for each in outputs:
        if each.output_type in {"display_data", "execute_result"}:
            data = {kind: each.data[kind] for kind in _SHOWN if kind in each.data}
            yield nbformat.v4.new_output("display_data", data=data)


def main(names: Sequence[str]) -> int:
    """Run notebooks, all if none is named, and store their outputs."""
    for path in map(Path, names) if names else sorted(FOLDER.glob("*.ipynb")):
        nbformat.write(run(path), path)
        print(path.name)  # noqa: T201 - for people
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

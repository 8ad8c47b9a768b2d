"""Cases that are data: files of `cases`, in JSON or in parts that begin with a line `== name`."""

import json
from pathlib import Path
from typing import Any, Final

CASES: Final = Path(__file__).with_name("cases")


def case_file(name: str) -> Any:  # noqa: ANN401 - as the file has it
    """Return what a file holds."""
    return json.loads((CASES / name).read_text("utf-8"))


def case_table(file: str, name: str) -> Any:  # noqa: ANN401 - as the file has it
    """Return a table of `cases/tables`: its rows, or what it has by name. Bytes are in Latin-1."""
    return case_file(f"tables/{file}.json")[name]


def cases_by_name(name: str) -> dict[str, dict[str, Any]]:
    """Return the cases of a list; two may have the same name, so the key has a number too."""
    return {f"{number} {case['name']}": case for number, case in enumerate(case_file(name))}


def joined(text: str | list[str]) -> str:
    """Return a text that may be written as a list of lines."""
    return text if isinstance(text, str) else "\n".join(text)


def parts_of(file: str) -> list[tuple[str, list[str]]]:
    """Return the name and the lines of each part; names may occur more than once."""
    text = "\n" + CASES.joinpath(file).read_text(encoding="utf-8")
    rows = [part.rstrip("\n").split("\n") for part in text.split("\n==")[1:]]
    return [(name.strip(), lines) for name, *lines in rows]


def pairs_of(file: str, only: str = "") -> list[tuple[str, str]]:
    """Return each text, in which `↵` is a line end and `→` a tab, and the value below it.

    Args:
        file: A file of `cases`.
        only: The one part to return; else all parts.
    """
    parts = [lines for name, lines in parts_of(file) if only in ("", name)]
    rows = [line for lines in parts for line in lines if line]
    texts = [row.replace("↵", "\n").replace("→", "\t") for row in rows]
    return [(text, below[3:]) for text, below in zip(texts[::2], texts[1::2], strict=True)]

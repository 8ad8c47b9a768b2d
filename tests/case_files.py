"""Cases that are data: JSON files in folders of `cases/`, each for the test that reads it."""

import json
from pathlib import Path
from typing import Any, Final

CASES: Final = Path(__file__).with_name("cases")


def case_file(name: str) -> Any:  # noqa: ANN401 - as the file has it
    """Return what a file holds."""
    return json.loads((CASES / name).read_text("utf-8"))


def cases_by_name(name: str) -> dict[str, dict[str, Any]]:
    """Return the cases of a list; two may have the same name, so the key has a number too."""
    return {f"{number} {case['name']}": case for number, case in enumerate(case_file(name))}


def joined(text: str | list[str]) -> str:
    """Return a text that may be written as a list of lines."""
    return text if isinstance(text, str) else "\n".join(text)

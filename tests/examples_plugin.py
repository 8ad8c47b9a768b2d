"""pytest plugin: run the examples of README.md, of the pages in docs/ and of docstrings as tests.

The examples of a page run in a temporary folder that holds the documents that the pages name.
"""

import os
import re
import shlex
from doctest import ELLIPSIS
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from unittest.mock import patch

from case_files import CASES
from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser
from sybil.parsers.rest import DocTestParser

ROOT = Path(__file__).parents[1]
GUIDE: Final = (CASES / "texts" / "guide_of_pages.md").read_text("utf-8")
DOCUMENTS: Final = {
    "README.md": GUIDE,
    "docs/guide.md": GUIDE,
    "docs/standard.md": GUIDE.replace("## 2 ", "## 1.1 "),
    "docs/tutorial.md": GUIDE,
}
_NEEDED: Final = {"markitdown": "markitdown", "ray": "ray"}
"""Words of a call, each with the package that the call needs because of it."""


def installed(package: str) -> bool:
    """Whether a package can be imported; for examples that need more than the extra ``all``."""
    return find_spec(package) is not None


def _enter(namespace: dict[str, Any]) -> None:
    folder = TemporaryDirectory()
    namespace.update(installed=installed, workshop=folder, home=Path.cwd())
    os.chdir(folder.name)
    for name, text in DOCUMENTS.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


def _leave(namespace: dict[str, Any]) -> None:
    os.chdir(namespace["home"])
    namespace["workshop"].cleanup()


def run_calls(example: Example) -> None:
    """Run the treepack calls of a shell example, except those that need a missing package."""
    from command_line import run  # noqa: PLC0415 - typer is not installed where it is not tested

    for line in example.parsed.splitlines():
        for call in line.split(" && "):
            # Worker processes take seconds to start, and have their own tests.
            words = shlex.split(re.sub(r"--jobs \d+", "--jobs 1", call), comments=True)
            lacks = [
                name for word, name in _NEEDED.items() if word in words and not installed(name)
            ]
            if words[:1] == ["treepack"] and not lacks:
                done = run(*words[1:])
                assert 0 == done.returncode, f"{call}: {done.stderr}"


def compare_output(example: Example) -> None:
    """Run a call on 80 columns, and check that it prints the text shown below it."""
    from command_line import run  # noqa: PLC0415 - see above

    call, _, expected = example.parsed.partition("\n")
    with patch.dict(os.environ, COLUMNS="80"):
        done = run(*shlex.split(call)[2:])
    assert 0 == done.returncode, done.stderr
    assert expected in done.stdout, done.stdout


page_examples = Sybil(
    path=str(ROOT),
    parsers=[
        PythonCodeBlockParser(doctest_optionflags=ELLIPSIS),
        CodeBlockParser("sh", run_calls),
        CodeBlockParser("console", compare_output),
        SkipParser(),
    ],
    patterns=["README.md", "docs/*.md", "docs/*/*.md"],
    setup=_enter,
    teardown=_leave,
)
docstring_examples = Sybil(path=str(ROOT / "src"), parsers=[DocTestParser()], patterns=["*.py"])


pytest_collect_file = (page_examples + docstring_examples).pytest()

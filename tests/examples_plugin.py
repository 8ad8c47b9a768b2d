"""pytest plugin: run the examples in README.md and in docstrings as tests."""

from doctest import ELLIPSIS
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser
from sybil.parsers.rest import DocTestParser

ROOT = Path(__file__).parents[1]

readme_examples = Sybil(
    path=str(ROOT),
    parsers=[PythonCodeBlockParser(doctest_optionflags=ELLIPSIS), SkipParser()],
    patterns=["README.md"],
)
docstring_examples = Sybil(path=str(ROOT / "src"), parsers=[DocTestParser()], patterns=["*.py"])

pytest_collect_file = (readme_examples + docstring_examples).pytest()


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the examples of one file together: they share what was defined before."""
    for item in items:
        if item.path.name == "README.md":
            item.add_marker(pytest.mark.xdist_group("README.md"))

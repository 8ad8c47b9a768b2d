"""pytest plugin: run the examples in README.md and in docstrings as tests."""

from doctest import ELLIPSIS
from pathlib import Path

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

"""The package as a whole: its names, the cost of importing it, and its contents."""

import re
from importlib.resources import files
from pathlib import Path

import pytest
from case_files import case_table
from processes import run_python

import treepack
from treepack.errors import missing_extra

FOREIGN = {
    *("jinja2", "langchain_core", "langchain_text_splitters", "llama_index", "pandas", "rich"),
    "typer",
}
NAMES = """
Chunk Chunks Document MissingExtraError PackConfig Source SourceError TreepackError
audit pack pack_many parse read report show token_counter
"""


def test_public_names_are_pinned_and_exist() -> None:
    """A name that is added or lost is a decision, not an accident."""
    assert NAMES.split() == sorted(treepack.__all__)
    assert all(hasattr(treepack, name) for name in treepack.__all__)
    with pytest.raises(AttributeError, match="no_such_thing"):
        treepack.no_such_thing  # noqa: B018 - asked for to fail
    assert (files("treepack") / "py.typed").is_file()


def test_importing_treepack_loads_few_modules_and_no_framework_or_terminal_library() -> None:
    """LlamaIndex alone costs a second; a user who only packs should not pay for it.

    The number is about 450, the same on a busy machine; benchmarks measure the time.
    """
    loaded = run_python("import sys; from treepack import *; print(*sys.modules)").stdout.split()
    assert not [name for name in loaded if name.partition(".")[0] in FOREIGN]
    assert len(loaded) < 600


@pytest.mark.parametrize(("script", "missing"), case_table("package", "late"))
def test_what_takes_long_to_import_waits_until_it_is_used(script: str, missing: str) -> None:
    if "Splitter" in script:
        pytest.importorskip("langchain_text_splitters")
    assert missing not in run_python(f"import sys; {script}; print(*sys.modules)").stdout.split()


def test_tables_in_package_docstrings_name_existing_modules() -> None:
    """A reader who looks for a module finds it under the name in the table."""
    table = re.compile(r"^(=+) =+\n(?:module .*\n\1 =+\n)?(.*?)\n\1 =", re.DOTALL | re.MULTILINE)
    packages = sorted(Path(treepack.__file__).parent.rglob("__init__.py"))
    found = {package: table.search(package.read_text("utf-8")) for package in packages}
    named = {
        package.parent / row.split(" ")[0].strip("`")
        for package, rows in found.items()
        for row in (rows[2].split("\n") if rows else ())
        if not row.startswith(" ")
    }
    assert len(named) > 50
    assert [] == [
        str(module) for module in named if not module.with_suffix(".py").exists() | module.is_dir()
    ]


def test_no_pattern_has_a_possessive_group_that_older_pythons_misread() -> None:
    """Before 3.11.5, Python continues at the point where the group failed (CPython issue 106052).

    Debian 12 has 3.11.2. A last alternative that is empty never fails: ``(?:ab?c|)*+``. An atomic
    group, ``(?>(?:ab?c)*)``, would be right as well, but takes 100 bytes for each repetition.
    """
    possessive = re.compile(r"(?:(?<![^\\]\|)\)|[A-Z_]{2}\})(?:[*+?]|\{+\d*,?\d*\}+)\+|\(\?>")
    modules = sorted(Path(treepack.__file__).parent.rglob("*.py"))
    assert [] == [
        f"{module.name}:{number}: {line.strip()}"
        for module in modules
        for number, line in enumerate(module.read_text("utf-8").split("\n"), 1)
        if possessive.search(line)
    ]


def test_the_command_line_can_be_imported_without_its_extra() -> None:
    """The message that names the extra needs no extra."""
    hide = "import sys; sys.modules['typer'] = sys.modules['rich'] = None"
    script = (
        f"{hide}; sys.argv = ['treepack', 'pack', 'x.md']; from treepack.cli import main; main()"
    )
    result = run_python(script, status=2)
    assert 'pip install "treepack[cli]"' in result.stderr
    assert "Traceback" not in result.stderr


def test_an_adapter_without_its_framework_names_the_extra() -> None:
    """Everything else works without it; an installed but broken package is not called missing."""
    adapters = {
        "TreepackNodeParser": ("llama_index", "llama-index"),
        "TreepackTextSplitter": ("langchain_core", "langchain"),
        "TreepackSplitter": ("haystack", "haystack"),
        "TreepackChunker": ("docling_core", "docling"),
    }
    code = f"""
import importlib, sys
for name, (root, _) in {adapters}.items():
    sys.modules[root] = None
import treepack
for module in ("llama_index", "langchain", "haystack", "docling"):
    assert treepack.pack("# A")
    try:
        importlib.import_module(f"treepack.integrations.{{module}}")
    except ImportError as error:
        print(error)
"""
    assert run_python(code).stdout.splitlines() == [
        f'{name} needs its extra: pip install "treepack[{extra}]", or ".[{extra}]" in a clone'
        for name, (_, extra) in adapters.items()
    ]
    broken = ModuleNotFoundError("No module named 'other'", name="other")
    assert missing_extra(broken, {"haystack"}, "TreepackSplitter", "haystack") is broken

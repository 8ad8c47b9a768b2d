"""The packages under the frameworks' names, as CONTRIBUTING.md has them, can be built and used."""

import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

TEXT = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text("utf-8")
SECTION = TEXT.partition("## Packages under the frameworks' names")[2]
MODULES = dict(re.findall(r"with `(\S+\.py)`:\n\n```python\n(.*?)```", SECTION, re.DOTALL))
PROJECTS = {
    str(name): project
    for project in re.findall(r"```toml\n(.*?)```", SECTION, re.DOTALL)
    for name in re.findall(r'^name = "(.*)"', project, re.MULTILINE)
}
IMPORTS = {
    "llama-index-node-parser-treepack": "llama_index/node_parser/treepack/__init__.py",
    "langchain-treepack": "langchain_treepack/__init__.py",
    "treepack-haystack": "",
}


@pytest.mark.parametrize("name", IMPORTS)
def test_a_package_is_built_and_gives_treepacks_classes(tmp_path: Path, name: str) -> None:
    assert PROJECTS.keys() == IMPORTS.keys()
    module = IMPORTS[name]
    (tmp_path / "pyproject.toml").write_text(PROJECTS[name], "utf-8")
    if module:
        (tmp_path / module).parent.mkdir(parents=True)
        (tmp_path / module).write_text(MODULES[module], "utf-8")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", "built", "."]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=300)
    [wheel] = (tmp_path / "built").iterdir()
    with ZipFile(wheel) as built:
        assert [each for each in built.namelist() if ".dist-info/" not in each] == [module] * bool(
            module
        )
        code = built.read(module).decode() if module else ""
    names: dict[str, object] = {}
    exec(code, names)  # noqa: S102 - our own
    exported = names.get("__all__", [])
    assert isinstance(exported, list)
    assert all(str(names[each]).startswith("<class 'treepack.") for each in exported)
    assert bool(exported) == bool(module)

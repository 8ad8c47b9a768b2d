"""README and docs name everything that a user can set and get, and what they say is true.

Their examples run as tests of their own; see `examples_plugin`.
"""

import re
import tomllib
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, cast, get_args

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from treepack import Chunk, PackConfig, Source, parse
from treepack.cli.app import app
from treepack.integrations.metadata import KEYS
from treepack.presets import Preset
from treepack.readers.formats import suffixes

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
}
README: Final = PAGES["README.md"]
SHELL: Final = {
    name: "".join(re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
    for name, page in PAGES.items()
}
CALLS: Final = sorted(
    {
        call
        for shell in SHELL.values()
        for call in re.findall(r"^treepack .+?(?=  |$)", shell, re.MULTILINE)
    }
)
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACK: Final[Any] = cast("Any", get_command(app)).commands["pack"]
EXTRAS: Final = PROJECT["project"]["optional-dependencies"]


def unmentioned(names: Any, page: str) -> list[str]:  # noqa: ANN401 - names of any kind
    """Return the names that a page of the docs does not mention."""
    return [name for name in names if f"`{name}`" not in PAGES[f"docs/{page}.md"]]


def table_rows(page: str, header: str) -> list[list[str]]:
    """Return the rows of the table whose header begins with ``header``, each a list of cells."""
    table = PAGES[f"docs/{page}.md"].partition(f"\n| {header} |")[2].partition("\n\n")[0]
    lines = table.splitlines()[2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


# --- what is named -------------------------------------------------------------------------------


def test_every_setting_and_preset_is_explained() -> None:
    assert [] == unmentioned([*PackConfig.model_fields, *get_args(Preset)], "reference/settings")


def test_every_field_of_a_chunk_is_explained() -> None:
    assert [] == unmentioned([each.name for each in fields(Chunk)], "reference/chunk")


def test_every_metadata_key_is_explained() -> None:
    assert [] == unmentioned(KEYS, "reference/metadata")


def test_every_file_suffix_is_listed() -> None:
    assert [] == unmentioned(suffixes(), "reference/formats")


def test_every_extra_is_listed_and_every_listed_extra_exists() -> None:
    assert [] == unmentioned(EXTRAS, "install")
    for page in PAGES.values():
        for extras in re.findall(r'pip install (?:-e )?"\.\[([a-z,-]+)\]"', page):
            assert set(extras.split(",")) <= EXTRAS.keys()


def test_every_command_is_shown() -> None:
    listed = {command.callback.__name__ for command in app.registered_commands if command.callback}
    shown = re.findall(r"^treepack (\w+)", SHELL["docs/reference/command_line.md"], re.MULTILINE)
    assert listed == set(shown)


# --- what is true --------------------------------------------------------------------------------


@pytest.mark.parametrize("call", CALLS)
def test_every_shell_example_uses_existing_commands_and_flags(
    call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    command = call.split()[1]
    known = CliRunner().invoke(app, [command, "--help"])
    assert 0 == known.exit_code
    for flag in re.findall(r" (--?[a-z-]+)", call):
        assert flag in known.stdout, flag


def test_scripts_and_tox_environments_in_the_docs_exist() -> None:
    tox = (ROOT / "tox.ini").read_text(encoding="utf-8")
    for shell in SHELL.values():
        for script in re.findall(r"^python ([\w/]+\.py)", shell, re.MULTILINE):
            assert (ROOT / script).is_file(), script
        for environments in re.findall(r"\btox -e ([\w,-]+)", shell):
            for name in environments.split(","):
                assert re.fullmatch(r"py3\d+", name) or f"[testenv:{name}]" in tox, name


@pytest.mark.parametrize("row", table_rows("reference/settings", "Setting"), ids=lambda row: row[0])
def test_every_setting_is_listed_with_its_default_and_flag(row: list[str]) -> None:
    name, flags, default = row[0].strip("`"), row[1], row[2].partition(",")[0].strip("`")
    value = PackConfig.model_fields[name].default
    expected = str(value) if type(value) is not bool else "on" if value else "off"
    assert default in {"none" if value is None else expected, "overlap_tokens"}
    known = [
        flag
        for each in PACK.params
        if each.name == name
        for flag in [*each.opts, *each.secondary_opts]
    ]
    assert set(re.findall(r"`(--[\w-]+)`", flags)) <= set(known)


@pytest.mark.parametrize("row", table_rows("reference/settings", "Preset"), ids=lambda row: row[0])
def test_every_preset_has_its_listed_sizes(row: list[str]) -> None:
    made = PackConfig.preset(row[0].strip("`"))  # type: ignore[arg-type]
    target, cap = re.findall(r"\d+", row[1])[:2]
    assert (int(target), int(cap)) == (made.target_tokens, made.max_tokens)
    assert made.overlap_tokens == int(re.findall(r"\d+", row[2])[0])
    assert made.min_tokens == int(row[3])


PAGE_MARKS: Final = [
    sample
    for mark, _ in table_rows("reference/page_marks", "Mark")
    for sample in re.findall(r"`([^`]*7[^`]*)`", mark)
]


@pytest.mark.parametrize("mark", PAGE_MARKS)
def test_every_listed_page_mark_is_recognised(mark: str) -> None:
    shown = mark.replace("...", "Pump manual, 7")
    texts = {7: "The pump stands on a floor.", 8: "Oil it weekly.", 9: "Call the maker."}
    pages = [f"{text}\n\n{shown.replace('7', str(number))}\n" for number, text in texts.items()]
    document = parse(Source("# Pump\n\n" + "\n".join(pages), "pump.md"))
    assert 3 == len(document.skipped)


def test_the_readme_repeats_the_figures_of_the_docs() -> None:
    """A benchmark that is run again changes its page; the README should not lag behind."""
    comparison = README.partition("## How it compares")[2].partition("\n## ")[0]
    table = [line for line in comparison.splitlines() if line.startswith("|")]
    assert set(table) <= set(PAGES["docs/explanation/comparison.md"].splitlines())
    speeds = {
        row[0].partition(",")[0]: row[2] for row in table_rows("explanation/comparison", "Splitter")
    }
    for name in ("treepack", "LangChain", "LlamaIndex"):
        assert speeds[name].partition(" ")[0] in comparison
    answers = README.partition("## An answer")[2].partition("\n## ")[0]
    for name in ("**treepack preset `retrieval` + `fill_context`**", "**treepack default**"):
        mini_lm = PAGES["docs/retrieval.md"].partition(f"\n| {name} |")[2].split("|")[3]
        assert f"{float(mini_lm):.2f}".removeprefix("0") in answers


# --- what is short, and where links lead ---------------------------------------------------------


def test_ci_runs_the_command_that_the_readme_gives() -> None:
    """Otherwise a passing run would not show that the README's instructions work."""
    for runner in (".ci/run", ".github/workflows/tests.yml"):
        if (ROOT / runner).is_file():  # the source distribution has neither
            assert "pip install tox && tox" in (ROOT / runner).read_text(encoding="utf-8")


def test_the_readme_is_short_and_names_both_commands() -> None:
    assert README.count("\n") <= 120
    assert "\npip install tox && tox\n" in README
    assert '\npip install ".[cli]" && treepack demo\n' in README


def slug(heading: str) -> str:
    """The anchor of a heading on GitHub, and on the site."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def without_code(page: str) -> str:
    return re.sub(r"^(```|<!---).*?^(```|--->)$", "", page, flags=re.MULTILINE | re.DOTALL)


ANCHORS: Final = {
    name: [slug(each) for each in re.findall(r"^#+ (.+)$", without_code(page), re.MULTILINE)]
    for name, page in PAGES.items()
}


@pytest.mark.parametrize("name", PAGES)
def test_every_link_has_a_target(name: str) -> None:
    page = re.sub(r"`[^`\n]*`", "", without_code(PAGES[name]))
    for target in re.findall(r"\]\(([^)\s]+)\)", page):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        home = (ROOT / name).parent / path if path else ROOT / name
        assert home.exists(), target
        if anchor:
            assert anchor in ANCHORS[home.resolve().relative_to(ROOT).as_posix()], target


@pytest.mark.parametrize("name", PAGES)
def test_no_page_has_merge_conflict_markers(name: str) -> None:
    """No other check reads prose, so an unresolved conflict could be merged."""
    assert not re.search(r"^(?:<<<<<<<|=======|>>>>>>>)", PAGES[name], re.MULTILINE)


@pytest.mark.parametrize("name", PAGES)
def test_no_page_has_two_headings_with_the_same_anchor(name: str) -> None:
    """Otherwise a link to the second leads to the first, or a converter numbers the anchors."""
    found = sorted(ANCHORS[name])
    if name != "CHANGELOG.md":  # each version has the same parts
        assert not [one for one, other in pairwise(found) if one == other]


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, ahead = set[str](), ["README.md"]
    while ahead:
        name = ahead.pop()
        if name in reached or not name.endswith(".md"):
            continue
        reached.add(name)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", PAGES[name]):
            if not target.startswith("https://"):
                home = ((ROOT / name).parent / target).resolve()
                ahead.append(home.relative_to(ROOT).as_posix())
    assert {name for name in PAGES if name.startswith("docs/")} <= reached

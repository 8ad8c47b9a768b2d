"""Property tests use the same examples each time, unless others are requested."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties_plugin import scale

PLUGINS = ("-p", "_hypothesis_pytestplugin", "-p", "properties_plugin")
PROPERTY = """
from hypothesis import given, settings, strategies as st

@settings(max_examples=20)
@given(st.integers())
def test_it(number):
    with open("seen", "a") as file:
        print(number, file=file)
"""


def examples(folder: Path, *flags: str, **environment: str) -> list[str]:
    """Return the values that a property test of 20 examples gets, run in its own process."""
    (folder / "test_it.py").write_text(PROPERTY, encoding="utf-8")
    (folder / "seen").unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", *PLUGINS, *flags]
    around = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parent),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # plugins of frameworks take longer than this test
        **environment,
    }
    done = subprocess.run(
        command, cwd=folder, env=around, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    return (folder / "seen").read_text(encoding="utf-8").split()


@pytest.mark.slow
def test_each_run_uses_the_same_examples_in_any_environment(tmp_path: Path) -> None:
    first = examples(tmp_path, PYTHONHASHSEED="1")
    assert len(first) == 20
    assert first == examples(tmp_path, PYTHONHASHSEED="2", CI="1")


@pytest.mark.slow
def test_a_fuzzing_run_uses_more_and_different_examples(tmp_path: Path) -> None:
    flags = ("--hypothesis-profile=fuzz", "--examples-times=3")
    one, other = (examples(tmp_path, *flags, f"--hypothesis-seed={seed}") for seed in (1, 2))
    assert len(one) == len(other) == 60
    assert one != other


@pytest.mark.parametrize(("times", "number"), [(0.5, 20), (3, 120), (0.001, 5)])
def test_max_examples_of_a_test_is_scaled(times: float, number: int) -> None:
    runs = 0

    @settings(max_examples=40)
    @given(st.integers())
    def test(_: int) -> None:
        nonlocal runs
        runs += 1

    scale(test, times)
    test()
    assert runs == number


def test_environment_variables_of_the_shell_are_removed() -> None:
    """Environment variables for treepack, the terminal's width and the language are removed."""
    left = {name for name in os.environ if name.startswith(("TREEPACK_", "LC_"))}
    assert left <= {"TREEPACK_CORPUS", "TREEPACK_SCREENSHOTS"}
    assert not {"COLUMNS", "NO_COLOR", "LANG"} & {*os.environ}

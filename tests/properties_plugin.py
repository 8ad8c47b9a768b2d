"""pytest plugin: choose the documents of property tests, and keep a shell's settings out of tests.

Every run uses the same documents, so that the same code gets the same verdict everywhere.
``--hypothesis-profile=fuzz`` uses others each time; ``--examples-times`` multiplies the number that
each test asks for.
"""

import gc
import os

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

FEWEST = 5
SETTINGS = "_hypothesis_internal_use_settings"  # where Hypothesis stores a test's settings
# A shell's variables for terminal and language would change what is printed.
REMOVED = frozenset(
    ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "LANG", "LANGUAGE", "PYTHONIOENCODING")
)
KEPT = frozenset({"TREEPACK_CORPUS", "TREEPACK_SCREENSHOTS"})

settings.register_profile(
    "same",
    settings.get_profile("default"),  # not "ci", which Hypothesis loads if CI is set
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("fuzz", settings.get_profile("same"), derandomize=False)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--examples-times",
        type=float,
        default=1,
        metavar="N",
        help="look at N times the documents in each property test (0.1: a tenth)",
    )
    parser.addoption(
        "--whole-corpus",
        action="store_true",
        help="look at each document of the corpus under each limit (else: each under one)",
    )


def pytest_configure() -> None:
    for name in [*os.environ]:
        if name in REMOVED or (name.startswith(("LC_", "TREEPACK_")) and name not in KEPT):
            del os.environ[name]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    times = config.getoption("--examples-times")
    functions = {item.function for item in items if isinstance(item, pytest.Function)}
    for function in functions:
        if times != 1 and is_hypothesis_test(function):
            scale(function, times)


def pytest_collection_finish() -> None:
    """Freeze what is imported by now, so that the garbage collector need not look at it again."""
    gc.collect()
    gc.freeze()


def scale(test: object, times: float) -> None:
    """Multiply the number of documents of a property test, even if its decorator sets the number.

    Hypothesis has no public way to do this: a profile only affects tests that name no number.
    """
    chosen: settings = getattr(test, SETTINGS)
    number = max(FEWEST, round(chosen.max_examples * times))
    setattr(test, SETTINGS, settings(chosen, max_examples=number))

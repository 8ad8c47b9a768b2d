"""pytest plugin: ``--branches`` measures which branches of treepack the tests reach.

To trace takes twice the time, so only what adds to the figure is traced: no test marked `slow`, of
properties only those marked `traced`, and not the process that hands tests out to others.
`branch_share.py` adds up what the processes have left.
"""

from collections.abc import Generator
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages
from typing import Final

import pytest
from coverage import Coverage
from hypothesis import is_hypothesis_test

TRACED: Final = pytest.StashKey[Coverage]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--branches", action="store_true", help="measure which branches of treepack tests reach"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Begin with the lines that run when treepack is imported."""
    is_controller = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if config.getoption("--branches") and not is_controller:
        measured = Coverage()
        measured.start()
        import_all()
        measured.stop()
        config.stash[TRACED] = measured


def import_all() -> None:
    """Import each module of treepack that this environment has the packages for."""
    import treepack  # noqa: PLC0415 - not before it is traced

    for module in walk_packages(treepack.__path__, "treepack.", onerror=lambda _: None):
        # `treepack.audit` is a function until a module of that name is imported.
        if not module.name.endswith(("__main__", "treepack.audit")):
            with suppress(ImportError):
                import_module(module.name)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is traced comes first: else another test may fill a cache, and a branch is not seen."""
    if config.getoption("--branches"):
        items.sort(key=lambda item: not counts_for_coverage(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    measured = item.config.stash.get(TRACED, None)
    if measured is None or not counts_for_coverage(item):
        return (yield)
    measured.start()
    try:
        return (yield)
    finally:
        measured.stop()


def counts_for_coverage(item: pytest.Item) -> bool:
    """Slow tests are more of the same, and so are most properties: the rest is marked."""
    if is_hypothesis_test(getattr(item, "function", None)):
        return item.get_closest_marker("traced") is not None
    return item.get_closest_marker("slow") is None


def pytest_unconfigure(config: pytest.Config) -> None:
    if measured := config.stash.get(TRACED, None):
        measured.save()

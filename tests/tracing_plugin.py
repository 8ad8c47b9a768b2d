"""pytest plugin: ``--branches`` measures which branches of treepack the tests reach.

To trace takes twice the time, so only what adds to the figure is traced: no test marked `slow`, of
properties only those marked `traced`, and not the process that hands tests out to others.
`branch_share.py` adds up what the processes have left.
"""

from collections.abc import Generator
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
    """Begin before anything of treepack is imported: a module's own lines count as well."""
    hands_out = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if config.getoption("--branches") and not hands_out:
        measured = Coverage()
        measured.start()
        config.stash[TRACED] = measured


def pytest_collection_finish(session: pytest.Session) -> None:
    if measured := session.config.stash.get(TRACED, None):
        measured.stop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    measured = item.config.stash.get(TRACED, None)
    if measured is None or not adds_to_the_figure(item):
        return (yield)
    measured.start()
    try:
        return (yield)
    finally:
        measured.stop()


def adds_to_the_figure(item: pytest.Item) -> bool:
    """Slow tests are more of the same, and so are most properties: the rest is marked."""
    if is_hypothesis_test(getattr(item, "function", None)):
        return item.get_closest_marker("traced") is not None
    return item.get_closest_marker("slow") is None


def pytest_unconfigure(config: pytest.Config) -> None:
    if measured := config.stash.get(TRACED, None):
        measured.save()

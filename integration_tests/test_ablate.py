"""The mechanisms that `ablate.py` switches off are there."""

import pytest
from ablate import import_all, lines_of, named
from mechanisms import MECHANISMS, Mechanism


@pytest.fixture(scope="module", autouse=True)
def _all_imported() -> None:
    import_all()


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism.name)
def test_a_mechanism_has_lines_and_names_what_it_replaces(mechanism: Mechanism) -> None:
    assert lines_of([mechanism]) > 0
    assert all(callable(named(path)) for path in mechanism.instead)

"""The mechanisms that `ablate.py` switches off are there."""

from inspect import Parameter, signature

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


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism.name)
def test_a_replacement_takes_the_arguments_of_what_it_replaces(mechanism: Mechanism) -> None:
    for path, instead in mechanism.instead.items():
        replaced = named(path)
        assert callable(replaced)
        parameters = signature(replaced).parameters.values()
        by_name = {each.name: None for each in parameters if each.kind is Parameter.KEYWORD_ONLY}
        signature(instead).bind(*[None] * (len(parameters) - len(by_name)), **by_name)

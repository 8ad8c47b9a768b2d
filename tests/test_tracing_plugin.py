"""Only tests that add to the figure of branch coverage are traced."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tracing_plugin import adds_to_the_figure


def test_a_test_is_traced(request: pytest.FixtureRequest) -> None:
    assert adds_to_the_figure(request.node)


@pytest.mark.slow
def test_a_slow_test_is_not_traced(request: pytest.FixtureRequest) -> None:
    assert not adds_to_the_figure(request.node)


@settings(max_examples=1)
@given(st.none())
def test_a_property_is_not_traced(request: pytest.FixtureRequest, drawn: None) -> None:
    assert drawn is None
    assert not adds_to_the_figure(request.node)


@pytest.mark.traced
@settings(max_examples=1)
@given(st.none())
def test_a_property_that_is_marked_is_traced(request: pytest.FixtureRequest, drawn: None) -> None:
    assert drawn is None
    assert adds_to_the_figure(request.node)

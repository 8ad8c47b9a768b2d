"""Only tests that add to the figure of branch coverage are traced."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tracing_plugin import counts_for_coverage


def test_an_ordinary_test_is_traced(request: pytest.FixtureRequest) -> None:
    assert counts_for_coverage(request.node)


@pytest.mark.slow
def test_a_slow_test_is_not_traced(request: pytest.FixtureRequest) -> None:
    assert not counts_for_coverage(request.node)


@settings(max_examples=1)
@given(st.none())
def test_a_property_test_is_not_traced(request: pytest.FixtureRequest, drawn: None) -> None:
    assert drawn is None
    assert not counts_for_coverage(request.node)


@pytest.mark.traced
@settings(max_examples=1)
@given(st.none())
def test_a_property_test_marked_as_traced_is_traced(
    request: pytest.FixtureRequest, drawn: None
) -> None:
    assert drawn is None
    assert counts_for_coverage(request.node)

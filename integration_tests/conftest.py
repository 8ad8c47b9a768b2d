"""Warnings do not fail the integration tests, because other packages raise them too."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("filterwarnings", "default")

"""What the packages around warn of is theirs to mend; our own tests stay strict."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("filterwarnings", "default")

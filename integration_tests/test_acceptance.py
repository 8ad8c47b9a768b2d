"""The twenty acceptance checks of both adapters, if they are available."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CHECKS = HERE.parents[1] / "shared" / "acceptance"


@pytest.mark.skipif(not CHECKS.is_dir(), reason="the checks are no part of this repository")
def test_every_acceptance_check_passes() -> None:
    result = subprocess.run(
        [sys.executable, str(CHECKS / "acceptance.py"), "acceptance_factory"],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    lines = result.stdout.splitlines()
    assert len(lines) == 20, result.stderr
    assert [line for line in lines if not line.endswith("PASS")] == []

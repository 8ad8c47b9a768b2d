"""Programs that run in other processes, and what they print."""

import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO


def run_python(
    code: str, variables: dict[str, str] | None = None, *, status: int = 0
) -> subprocess.CompletedProcess[str]:
    """Return what a program prints that ends with a status, with more environment variables."""
    environment = os.environ | (variables or {})
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert done.returncode == status, done.stderr
    return done


def outputs_here_and_elsewhere(code: str) -> set[str]:
    """Return the distinct outputs of a program in both processes: one if it is stable."""
    with redirect_stdout(StringIO()) as here:
        exec(code, {"__name__": "__main__"})  # noqa: S102 - programs of the tests
    elsewhere = run_python(code, {"PYTHONHASHSEED": "4242"})
    return {here.getvalue(), elsewhere.stdout}

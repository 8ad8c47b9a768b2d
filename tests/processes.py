"""What a program prints here, and in a process with another hash seed."""

import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO


def outputs_here_and_elsewhere(code: str) -> set[str]:
    """Return the distinct outputs of a program in both processes: one if it is stable."""
    with redirect_stdout(StringIO()) as here:
        exec(code, {"__name__": "__main__"})  # noqa: S102 - programs of the tests
    elsewhere = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "4242"},
    )
    return {here.getvalue(), elsewhere.stdout}

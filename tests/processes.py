"""What a program prints in processes with different hash seeds."""

import os
import subprocess
import sys


def outputs_of_two_processes(code: str) -> set[str]:
    """Return the distinct outputs of a program under two hash seeds: one if it is stable."""
    return {
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1")
    }

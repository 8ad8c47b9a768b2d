"""What a program prints in processes that hash differently."""

import os
import subprocess
import sys


def printed(code: str) -> set[str]:
    """The different outputs of a program under two hash seeds; one, if it is stable."""
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

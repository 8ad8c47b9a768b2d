"""Installs chromium by apt where it is missing, for the browser tests; see tox.ini.

Apt needs root. Without it the tests are skipped, and say so; where CI is set, that is a failure.
"""

import os
import shutil
import subprocess
import sys
from typing import Final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")


def find() -> str | None:
    """The path of a browser; None if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def install() -> str | None:
    """Install a browser unless there is one; tell in a sentence why that cannot be done."""
    if find() is not None:
        return None
    apt = shutil.which("apt-get")
    if apt is None:
        return "there is no apt-get; install chromium by hand"
    if os.geteuid() != 0:
        return f"apt-get needs root; install it by hand: sudo {apt} install chromium"
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
        command = [apt, "-q", *arguments]
        if subprocess.run(command, check=False, env=environment).returncode != 0:
            return f"{' '.join(command)} failed"
    return None if find() is not None else "apt-get installed no chromium"


if __name__ == "__main__":
    if problem := install():
        sys.stderr.write(f"no chromium: {problem}\n")
        sys.exit("CI" in os.environ)

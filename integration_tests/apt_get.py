"""Installs with apt what tests need and pip does not have; see tox.ini."""

import os
import shutil
import subprocess
from collections.abc import Callable


def install(package: str, problem: Callable[[], str | None]) -> str | None:
    """Install a package if something is missing.

    Args:
        package: Its name.
        problem: Returns a sentence that names what is missing, or None.

    Returns:
        A sentence that says why it cannot be installed; None if nothing is missing any more.
    """
    if problem() is None:
        return None
    apt = shutil.which("apt-get")
    if apt is None:
        return f"{problem()}, and no apt-get; install {package} by hand"
    if os.geteuid() != 0:
        return f"{problem()}, and apt-get needs root; by hand: sudo {apt} install {package}"
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", package]):
        command = [apt, "-q", *arguments]
        if subprocess.run(command, check=False, env=environment).returncode != 0:
            return f"{problem()}, and {' '.join(command)} failed"
    return problem()

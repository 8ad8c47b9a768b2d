"""Installs chromium with apt if it is missing, for the browser tests; see tox.ini.

Apt needs root. Without root the tests are skipped with a message; if CI is set, that is a failure.
"""

import os
import shutil
import sys
from typing import Final

import apt_get

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")


def find() -> str | None:
    """Return the path of a browser, or None if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def problem() -> str | None:
    """Return a sentence that says what is missing, or None if there is a browser."""
    return None if find() else "there is no chromium"


if __name__ == "__main__":
    if unsolved := apt_get.install("chromium", problem):
        sys.stderr.write(f"no browser: {unsolved}\n")
        sys.exit("CI" in os.environ)

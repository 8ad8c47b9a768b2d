"""Installs Java with apt if it is missing, for the tests of Spark; see tox.ini.

Apt needs root. Without root the tests are skipped with a message; if CI is set, that is a failure.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import apt_get

LEAST: Final = 17
"""Spark 4 needs this version."""

PACKAGE: Final = "openjdk-17-jre-headless"


def problem() -> str | None:
    """Return what is wrong with the Java that Spark would use, or None if nothing is."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which(Path(home) / "bin/java" if home else "java")
    if java is None:
        return f"there is no {home}/bin/java (JAVA_HOME)" if home else "there is no java"
    version_output = subprocess.run(
        [java, "-version"], check=False, capture_output=True, text=True
    ).stderr
    found = re.search(r'version "(\d+)', version_output)
    if found is None or int(found[1]) < LEAST:
        return f"Java {LEAST} is needed, but {java} is {found[1] if found else 'none'}"
    return None


if __name__ == "__main__":
    if unsolved := apt_get.install(PACKAGE, problem):
        sys.stderr.write(f"no Java for Spark: {unsolved}\n")
        sys.exit("CI" in os.environ)

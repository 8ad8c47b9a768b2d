"""Builds what would be published, checks the description, and unpacks the source distribution.

    python integration_tests/unpacked.py FOLDER    # the sources are in FOLDER/treepack

The wheel is built from the source distribution, so a file that is missing there is noticed.
"""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]


def unpack(folder: Path) -> None:
    """Build, check and unpack.

    Raises:
        CalledProcessError: The build fails, or the description could not be displayed.
    """
    built = folder / "dist"
    for old in (built, folder / "treepack"):
        shutil.rmtree(old, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(built), str(ROOT)], check=True)
    files = [str(file) for file in sorted(built.iterdir())]
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *files], check=True)
    [source] = built.glob("*.tar.gz")
    with tarfile.open(source) as packed:
        packed.extractall(folder, filter="data")
    (folder / source.name.removesuffix(".tar.gz")).rename(folder / "treepack")


if __name__ == "__main__":
    unpack(Path(sys.argv[1]))

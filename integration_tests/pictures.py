"""Makes the pictures of the README: the sample law in its chunks, and its report, in chromium.

    python integration_tests/pictures.py [FOLDER]    # docs/images if none is named

Needs the extra ``report``; apt installs chromium if it is missing, as for ``tox -e browser``.
"""

import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import apt_get
import chromium

from treepack import pack, report, show

PICTURES: Final = Path(__file__).parents[1] / "docs" / "images"


def take(folder: Path) -> None:
    """Write the pictures: the cut in the table of Schedule 1, wide and narrow, and the report.

    Raises:
        CalledProcessError: Chromium failed; its output is in the error.
    """
    if unsolved := apt_get.install("chromium", chromium.problem):
        sys.exit(f"no browser: {unsolved}")
    browser = chromium.find()
    assert browser is not None, "it was installed"
    act = files("treepack.cli").joinpath("river-act.md").read_text(encoding="utf-8")
    chunks = pack(act, name="river-act.md")
    for name, html, size in (
        ("show", show(chunks[7:11]).to_html(), (1000, 1010)),
        ("show-narrow", show(chunks[8:11]).to_html(), (390, 810)),
        ("report", report(chunks), (1280, 900)),
    ):
        with TemporaryDirectory() as scratch:
            page = Path(scratch, "page.html")
            page.write_text(html, encoding="utf-8")
            picture = folder.resolve() / f"{name}.png"
            flags = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
            where = (f"--window-size={size[0]},{size[1]}", f"--screenshot={picture}", page.as_uri())
            scale = "--force-device-scale-factor=1.5"
            command = [browser, *flags, scale, *where]
            subprocess.run(command, check=True, capture_output=True, timeout=120)


if __name__ == "__main__":
    take(Path(sys.argv[1]) if sys.argv[1:] else PICTURES)

"""Documents for tests of the command line."""

from pathlib import Path

from case_files import CASES

GUIDE = (CASES / "texts" / "guide.md").read_text("utf-8")
FLATTENED_OUTLINE = (CASES / "texts" / "flat.md").read_text("utf-8")


def write_guides(folder: Path) -> Path:
    """Write documents into a folder, and files that are not documents; return the folder."""
    for name in ("b.md", "a.txt", "sub/c.markdown", "sub/D.MDX"):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(GUIDE.replace("pump", f"pump {name}"), encoding="utf-8")
    for name in ("picture.png", ".hidden/e.md", "sub/.git/f.md"):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"\x89PNG no document")
    return folder

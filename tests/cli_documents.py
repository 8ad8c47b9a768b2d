"""Documents for tests of the command line."""

from pathlib import Path

GUIDE = """\
# Guide

How to keep a pump.

## Limits

| Quantity | Limit |
|---|---|
| Pressure | 16 bar |
| Temperature | 110 °C |

## Care

Clean it every week. Do not use soap.
"""


FLATTENED_OUTLINE = """\
## 5 Tests

One sentence of text.

## 5.1 Limits

One more sentence of text.

## 5.1.2 Pressure \x1b[2J

Another sentence of text.

#
"""


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

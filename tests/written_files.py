"""Files that tests write byte by byte."""

from collections.abc import Callable
from pathlib import Path


def file_writer(folder: Path) -> Callable[[bytes], Path]:
    """Return a function that writes a markdown file with the given bytes, and returns its path."""

    def write(data: bytes) -> Path:
        path = folder / "d.md"
        path.write_bytes(data)
        return path

    return write

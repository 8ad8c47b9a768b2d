"""Documents small enough to check by eye, packed under limits that can be counted in the text."""

from typing import Any

from treepack import Chunk, Chunks, Source, audit, pack


def words(text: str) -> int:
    """Count words: a token counter that a reader can follow."""
    return len(text.split())


def letters(text: str) -> int:
    """A token counter for scripts without spaces: each character is a token."""
    return len(text)


def some(count: int, name: str = "w") -> str:
    """Return ``count`` words: ``w0 w1 w2``."""
    return " ".join(f"{name}{number}" for number in range(count))


def sentences(count: int, size: int = 5) -> str:
    """Return ``count`` sentences of ``size`` words."""
    return " ".join(f"Sentence{number} {some(size - 1)}." for number in range(count))


def packed(text: str, cap: int, name: str = "", **settings: Any) -> Chunks:  # noqa: ANN401 - settings
    """Pack neighbours together up to a cap that is also the target, unless ``settings`` differ."""
    limits: dict[str, Any] = {"max_tokens": cap, "target_tokens": cap, "min_tokens": 0}
    given = {**limits, "sections": "pack", "encoding": words, **settings}
    return pack(Source(text, name), **given)


def texts(chunks: Chunks) -> list[str]:
    return [chunk.text for chunk in chunks]


def roles(chunk: Chunk) -> list[str]:
    return [segment.role for segment in chunk.segments]


def faults(chunks: Chunks) -> list[str]:
    """Return what the audit finds under the settings that packed chunks remember."""
    assert chunks.origin is not None, "packed chunks remember it"
    return [str(finding) for finding in audit(chunks.origin, chunks).findings]

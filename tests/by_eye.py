"""Documents small enough to check by eye, packed under limits that can be counted in the text."""

from typing import Any

from markdown_it import MarkdownIt

from treepack import Chunk, Chunks, PackConfig, Source, pack


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
    """Pack with a cap that is also the target, and no minimum, unless ``settings`` differ."""
    limits = {"max_tokens": cap, "target_tokens": cap, "min_tokens": 0, "encoding": words}
    return pack(Source(text, name), PackConfig.model_validate({**limits, **settings}))


def texts(chunks: Chunks) -> list[str]:
    return [chunk.text for chunk in chunks]


def roles(chunk: Chunk) -> list[str]:
    return [segment.role for segment in chunk.segments]


def nesting(text: str, word: str) -> list[str]:
    """Return the containers around a word, outermost first, as markdown-it sees them."""
    path: list[str] = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.nesting > 0 and token.type.endswith(("item_open", "quote_open")):
            path.append(token.type)
        elif token.nesting < 0 and token.type.endswith(("item_close", "quote_close")):
            path.pop()
        elif token.type in ("inline", "fence", "code_block") and word in token.content:
            return path
    msg = f"{word} is not in {text!r}"
    raise AssertionError(msg)

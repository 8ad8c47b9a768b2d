r"""Documents whose lines end with ``\n``, ``\r\n`` or ``\r`` give the same chunks.

Tokens here are characters other than whitespace, so the counter sees no line ends. For a real
tokenizer ``\r\n`` may take more tokens than ``\n``, so that a limit is reached earlier.
"""

import os
import random
import re
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from strategies import configs, documents, misnested_documents, random_texts

from treepack import Chunk, PackConfig, Source, pack
from treepack.model.source import Lines
from treepack.numbers.words import is_legal_wording
from treepack.outline.lines import read_layout
from treepack.tokens.index import PlainIndex

CORPUS = os.environ.get("TREEPACK_CORPUS", "")
SAMPLE_SIZE = 20  # documents of the corpus
MAX_CHARACTERS = 40_000  # characters of each

# Fields that depend on the text's own characters, or on offsets in it.
POSITION_DEPENDENT_FIELDS = {"id", "content_hash", "parent_id", "segments", "outline_changes"}

line_end_settings = settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def count_non_whitespace(text: str) -> int:
    """Count the characters other than whitespace."""
    return len("".join(text.split()))


def with_lf(text: str) -> str:
    """Return the text with each line end replaced by a line feed."""
    return re.sub(r"\r\n|\r", "\n", text)


def normalized(value: Any) -> Any:  # noqa: ANN401 - any field of a record
    """Return a record's value with line feeds, without ids and spans."""
    if isinstance(value, str):
        return with_lf(value)
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        dropped = {"span", "section_id", "id"}
        return {key: normalized(item) for key, item in fields.items() if key not in dropped}
    if isinstance(value, list | tuple):
        return [normalized(item) for item in cast("list[Any]", value)]
    return value


def comparable(chunk: Chunk) -> dict[str, Any]:
    """Return the fields of a chunk, except offsets and ids."""
    fields: dict[str, Any] = normalized(chunk.model_dump(exclude=POSITION_DEPENDENT_FIELDS))
    return {**fields, "roles": [segment.role for segment in chunk.segments]}


def packed_with(text: str, end: str, config: PackConfig) -> list[dict[str, Any]]:
    """Return the chunks of a text with the given line end."""
    return [comparable(chunk) for chunk in pack(Source(text.replace("\n", end), "d.md"), config)]


def first_differences(text: str, config: PackConfig) -> list[tuple[str, Any, Any]]:
    """Return the first pair of chunks that differ between LF and each of the other line ends."""
    config = config.model_copy(update={"encoding": count_non_whitespace})
    text = with_lf(text)
    expected = packed_with(text, "\n", config)
    found: list[tuple[str, Any, Any]] = []
    for end in ("\r\n", "\r"):
        other = packed_with(text, end, config)
        pairs = zip([*expected, None], [*other, None], strict=False)
        found += [(end, one, two) for one, two in pairs if one != two][:1]
    return found


@line_end_settings
@given(text=st.one_of(documents(), misnested_documents(), random_texts), config=configs())
@example(text="Shall check\nthe valve. " * 30, config=PackConfig(max_tokens=128, target_tokens=128))
@example(text="+++\ntitle = 'x'\nlist = '''\na\n'''\n+++\n\n# A\n\ntext\n", config=PackConfig())
@example(text="# 1 One\n\nSee Section\n1 and Article\n9(2).\n", config=PackConfig())
@example(text="<p>Done.</p\n>Next. <b\n>It</b> is.\n", config=PackConfig(max_tokens=16))
@example(
    text="::: note\n&amp;ปกป้องข้อมูลระหว่างการส่งตามมาตรา\n:::\n",
    config=PackConfig(max_tokens=20, target_tokens=20, min_tokens=2),
)
@example(
    text="> | يكون | يجب |\n> | :--- | - |\n> يجب النظام :emoji: ",
    config=PackConfig(max_tokens=40, target_tokens=40),
)
@example(text="| " + "a" * 300 + " |\n|-|\n| b |\n\n> c\n", config=PackConfig(max_tokens=64))
@example(text="Limits \\\nof *use*\n-\nBody.\n", config=PackConfig(max_tokens=64))
def test_all_line_ends_give_the_same_chunks(text: str, config: PackConfig) -> None:
    assert first_differences(text, config) == []


@cache
def sample() -> list[Path]:
    """Return some documents of the corpus, the same on each run."""
    root = Path(CORPUS)
    found = (
        sorted(p for p in root.rglob("*") if p.suffix in {".md", ".mdx", ".txt"}) if CORPUS else []
    )
    return random.Random(19).sample(found, min(SAMPLE_SIZE, len(found)))  # noqa: S311 - no secret


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS, reason="TREEPACK_CORPUS names no folder")
def test_all_line_ends_give_the_same_chunks_of_real_documents() -> None:
    config = PackConfig(target_tokens=60, max_tokens=128, overlap_tokens=8)
    wrong: dict[str, tuple[str, Any, Any]] = {}
    for path in sample():
        text = path.read_bytes().decode("utf-8", "replace")[:MAX_CHARACTERS]
        if found := first_differences(text, config):
            wrong[path.name] = found[0]
    assert wrong == {}


@pytest.mark.parametrize("lines", [100, 400, 2500])
def test_legal_wording_does_not_depend_on_line_ends(lines: int) -> None:
    """Contracts are recognised by the number of legal words in relation to that of characters."""
    sentence = "The licensor and the licensee are parties to this agreement, whereas others pay.\n"
    text = sentence + "a\n" * lines
    other = text.replace("\n", "\r\n")
    assert is_legal_wording(text) == is_legal_wording(other)
    layouts = [read_layout(Source(each), Lines(each), ()) for each in (text, other)]
    widths = [(layout.width, layout.is_legal) for layout in layouts if layout]
    assert len(widths) == 2
    assert widths[0] == widths[1]


@line_end_settings
@given(text=st.text(st.sampled_from("ab \n"), max_size=3000), tokens=st.integers(0, 200))
@example(text="a b\n" * 900, tokens=150)
def test_token_estimates_do_not_depend_on_line_ends(text: str, tokens: int) -> None:
    """Estimates decide where a long word is cut, and where an overlap begins."""
    index = PlainIndex(text, count_non_whitespace)
    for end in ("\r\n", "\r"):
        other = PlainIndex(text.replace("\n", end), count_non_whitespace)
        for start in range(0, len(text), 97):
            position = len(text[:start].replace("\n", end))
            assert other.estimate(0, position) == index.estimate(0, start)
            reached = index.offset_after(start, tokens)
            assert other.offset_after(position, tokens) == len(text[:reached].replace("\n", end))

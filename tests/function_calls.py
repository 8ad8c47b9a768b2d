"""Work measured in function calls, which do not depend on the machine as times do."""

import cProfile
import gc
import pstats
from collections.abc import Callable
from typing import Any

import pytest
from case_files import case_file

from treepack.tokens.counters import EncodingCounter


def calls(work: Callable[[], object]) -> int:
    """Count the function calls that some work makes, including functions written in C."""
    profile = cProfile.Profile()
    gc.disable()  # a collection would call finalizers of other tests
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
        gc.enable()
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


def assert_linear(work: Callable[[int], object], small: int, times: int = 4) -> None:
    """Assert that ``times`` as much input takes hardly more than ``times`` as many calls."""
    work(small)  # loads what is loaded once
    few, many = calls(lambda: work(small)), calls(lambda: work(small * times))
    assert many <= 1.3 * times * few + 2_000, (few, many)


def grown(size: int, before: str, *parts: Any) -> str:  # noqa: ANN401 - of a case
    """Return a text: what is before, and for each part a unit, how often for a size, and what then.

    In a unit, ``{i}`` is its number.
    """
    for unit, times, after in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        before += "".join(unit.replace("{i}", str(number)) for number in range(times * size))
        before += after
    return before


def growing(file: str) -> dict[str, Callable[[int], str]]:
    """Return texts of any size from a file of cases, as `grown` explains."""
    return {
        name: lambda size, parts=parts: grown(size, *parts)  # type: ignore[misc]
        for name, parts in case_file(file).items()
    }


class RecordingCounter:
    """A plain token counter that records its calls and the characters that it counted."""

    def __init__(self, count: Callable[[str], int]) -> None:
        self.count = count
        self.calls = 0
        self.characters = 0

    def __call__(self, text: str) -> int:
        """Count the tokens of a text, and record the call."""
        self.calls += 1
        self.characters += len(text)
        return self.count(text)


def record_encoding(monkeypatch: pytest.MonkeyPatch) -> RecordingCounter:
    """Record all text that goes through a bundled tokenizer."""
    recorder = RecordingCounter(len)
    encode = EncodingCounter.encode

    def recording(self: EncodingCounter, text: str) -> list[int]:
        recorder(text)
        return encode(self, text)

    monkeypatch.setattr(EncodingCounter, "encode", recording)
    return recorder

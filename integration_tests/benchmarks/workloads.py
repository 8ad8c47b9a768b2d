"""The documents that are packed to measure time: real, extreme and hostile ones."""

import random
from collections.abc import Mapping, Sequence

from speed import MEGABYTE, concatenation

WORDS = ("valve", "pump", "limit", "sensor", "shall", "open", "close", "value", "table", "clause")


def sample_of(texts: Sequence[str], size: int) -> list[str]:
    """Return every n-th document, with about ``size`` bytes together."""
    whole = sum(len(text.encode()) for text in texts)
    return list(texts[:: max(1, round(whole / size))])


def large_documents(texts: Sequence[str], sizes: Sequence[int]) -> Mapping[str, str]:
    """Return one document of each size in megabytes, put together from all texts."""
    return {f"{size} MB": concatenation(texts, size * MEGABYTE) for size in sizes}


def extremes() -> Mapping[str, str]:
    """Return a megabyte of each: tiny sections, one table, one code block, one paragraph."""
    dice = random.Random(0)  # noqa: S311 - no secret

    def random_words(count: int) -> str:
        return " ".join(dice.choices(WORDS, k=count))

    rows = "".join(f"| {n} | {random_words(5)} | {random_words(9)} |\n" for n in range(10_500))
    lines = "".join(
        f"    {random_words(3).replace(' ', '_')} = {n}  # {random_words(6)}\n"
        for n in range(14_500)
    )
    return {
        "tiny sections": "".join(
            f"## {n} {random_words(2)}\n\n{random_words(5)}.\n\n" for n in range(19_000)
        ),
        "one table": f"| no | name | meaning |\n|---|---|---|\n{rows}",
        "one code block": f"```python\n{lines}```\n",
        "one paragraph": " ".join(f"{random_words(12).capitalize()}." for _ in range(14_000))
        + "\n",
    }


def hostile() -> Mapping[str, str]:
    """Return unbroken runs and excessive depth, 0.4 to 1 MB each (`performance.md` 4, 5)."""
    dice = random.Random(1)  # noqa: S311 - no secret
    letters = "abcdefghijklmnopqrstuvwxyz"
    million = MEGABYTE
    return {
        "a": "a" * million,
        "^": "^" * million,
        "line ends": "\n" * million + "x",
        "blanks": "x" + " " * million + "x",
        "no-break spaces": "x" + "\u00a0" * (million // 2) + "x",
        "CJK": "漢字" * 200_000,
        "random letters": "".join(dice.choices(letters, k=million)),
        "base64": "".join(dice.choices(letters + letters.upper() + "0123456789+/", k=million)),
        "quotes": "> " * 10_000 + "x\n" + "> x\n" * 100_000,
        "nested lists": "".join(f"{'  ' * (n % 40)}- item {n}\n" for n in range(12_000)),
        "headings": "".join(f"{'#' * (1 + n % 6)} {n}\n" for n in range(100_000)),
        "slashes": "/a.\n" * 200_000,
        "rows": "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 50_000,
        "open fences": "```\n\n" * 100_000,
        "definitions": "".join(f"[{n}]: /u\n" for n in range(40_000)),
        "math": "$$\n\nx\n\n" * 60_000,
        "tags": "<div>" * 100_000,
        "open comment": "<!-- " + "x\n\n" * 200_000,
    }

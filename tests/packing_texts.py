"""Texts and constructs that several tests of packing share."""

from textwrap import indent

import pytest

TABLE = "| key | val |\n|:---|---:|\n" + "".join(f"| r{n} | v{n} |\n" for n in range(1, 9))
ADMONITION = ("!!! note\n", "    ", "\n")
CONTAINER = ("::: note\n", "", "\n:::\n")
HOLDERS = pytest.mark.parametrize("holder", [ADMONITION, CONTAINER], ids=["!!!", ":::"])


def enclosed(holder: tuple[str, str, str], text: str) -> str:
    """A text inside a construct: its opening, the prefix of each line, its closing."""
    opening, prefix, closing = holder
    return f"{opening}{indent(text, prefix)}{closing}"

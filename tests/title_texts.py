"""Texts whose titles have no markup, and their outlines, for the tests of titles."""

from treepack import Document, parse
from treepack.model.source import Source

BODY = (
    "The pump moves water from the lower tank to the upper one, and stops by itself when that\n"
    "tank is full. Nobody has to watch it, although somebody should look at the filter each week.\n"
)


def outline(text: str | Source | Document) -> list[tuple[int, str]]:
    """Return the depth and title of each section."""
    found: list[tuple[int, str]] = []
    waiting = [(0, (text if isinstance(text, Document) else parse(text)).root)]
    while waiting:
        depth, section = waiting.pop()
        if section.heading:
            found.append((depth, section.heading.text))
        waiting += [(depth + 1, child) for child in reversed(section.sections)]
    return found


def titled(*titles: str, body: str = BODY) -> str:
    """Return a text of titles, each over a paragraph."""
    return "".join(f"{title}\n\n{body}\n" for title in titles)


MANUAL = titled("1. Scope", "2. Parts", "2.1. Pump", "2.2. Tank", "3. Use", "Appendix A. Spares")
CONTENTS = (
    "Contents\n\n"
    "  Preface . . . . . . . . . . . . . 1\n"
    "  1 Water . . . . . . . . . . . . . 2\n"
    "  2 Air . . . . . . . . . . . . . . 7\n"
    "  Words of thanks . . . . . . . . . 9\n"
    "  Index . . . . . . . . . . . . . . 12\n\n"
)


def pages(*texts: str) -> str:
    """Return pages with a running header and a page number, as a PDF loader gives them."""
    return "\f".join(f"The Pump Manual\n{text}\n{n}" for n, text in enumerate(texts, 3))


SENTENCES = [
    "Water comes in from the left side, and the valve there is closed by hand if it is not wanted",
    "for some days. Nothing else is done.\nCHAPTER\nFilters are washed each week, or when the",
    "flow is slow. Then the lid is taken off.\nA new filter costs little, and a clean one is as",
    "good as a new one. That is all there is to say.",
]
PAGES = pages(*SENTENCES)
CONTRACT = titled("ARTICLE I Water", "Section 1.1 Wells", "ARTICLE II Air")

"""What tests of texts extracted from web pages and Word files share."""

from treepack import parse

PARAGRAPH = (
    "The pump moves water from the well to the tank above the house, and it stops as soon as the"
    " float in the tank has risen. Its motor needs no care but a drop of oil in spring."
)


def titles(text: str) -> list[str]:
    """Return the headings of a text without a name."""
    return [section.heading.text for section in parse(text).root.walk() if section.heading]

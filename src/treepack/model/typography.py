"""How a paragraph was set in its original: what markdown has no mark for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Typography:
    """What a reader saw of one paragraph, all of it.

    Attributes:
        bold: Whether all of its text is bold.
        size: The size of its font in points, where all of its text is larger than what most of the
            document is set in; None otherwise, and where no size is known.
        centred: Whether it stands in the middle of the line.
        level: The level, from 1, of the heading that its style or class seems to mean.
        style: The name of its style, its class or its label, where that is not the usual one of
            text.
    """

    bold: bool = False
    size: float | None = None
    centred: bool = False
    level: int | None = None
    style: str | None = None

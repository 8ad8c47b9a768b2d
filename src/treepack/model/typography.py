"""How a paragraph was formatted in its original, for what markdown has no markup."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Typography:
    """The formatting of one paragraph, as a reader saw it.

    Attributes:
        bold: Whether all of its text is bold.
        size: The size of its font in points, if all of its text is larger than the usual text of
            the document; None otherwise, and if no size is known.
        level: The heading level, from 1, that the name of its style or class seems to mean.
    """

    bold: bool = False
    size: float | None = None
    level: int | None = None

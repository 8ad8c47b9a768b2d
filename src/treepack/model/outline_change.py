"""The record of a heading whose level was changed, or of a title that was found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OutlineChange:
    """A heading whose level was changed, or a title without markup that was found.

    Attributes:
        line: The heading's line, from 1.
        title: Its plain text.
        old_level: The level in the source, 1 to 6; 0 for a title without markup.
        new_level: The new level, from 1; above 6 if numbers are nested deeper. None if the heading
            is now a paragraph, not a section.
        reason: The reason for the change.
    """

    line: int
    title: str
    old_level: int
    new_level: int | None
    reason: str

"""A clause's label as a value."""

from typing import Literal, TypeAlias

from treepack.document.clause_words import ClauseKind
from treepack.values import value

Place: TypeAlias = Literal["heading", "text"]
"""Where a label stands: a heading may be ``5 Scope``; a text that begins so is prose."""


@value
class ClauseNumber:
    """One label.

    Attributes:
        kind: What the label calls itself; ``decimal``, ``paragraph`` (a number in brackets or with
            a dot), ``letter`` and ``roman`` call themselves nothing.
        label: As printed, without a trailing dot: ``Article 12``, ``5.1.2``, ``(a)``, ``§ 5``.
        parts: Its steps: ``("5", "1", "2")``; ``("12", "3", "a")`` for ``Article 12(3)(a)``.
    """

    kind: ClauseKind
    label: str
    parts: tuple[str, ...]

    @property
    def is_relative(self) -> bool:
        """Whether the label says nothing without the clause around it, as ``(a)`` does."""
        return self.kind in {"paragraph", "letter", "roman"}

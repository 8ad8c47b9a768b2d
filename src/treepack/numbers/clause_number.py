"""The label of a clause, as a record of its kind, text and parts."""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from treepack.numbers.words import KIND_OF_WORD, ClauseKind

Place: TypeAlias = Literal["heading", "text"]
"""Where a label is: ``5 Scope`` may be a heading's label; at the start of a text it is prose."""

RELATIVE: Final[frozenset[ClauseKind]] = frozenset({"paragraph", "letter", "roman"})
"""The kinds of labels that have a meaning only within the clause around them."""

WORDLESS: Final[frozenset[ClauseKind]] = frozenset({*RELATIVE, "decimal"})
"""The kinds of labels without a word such as "Article"."""

_WORD: Final = re.compile(r"§|[^\W\d_]+")


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class ClauseNumber:
    """The label of a clause.

    Attributes:
        kind: The kind that the label names; ``decimal``, ``paragraph`` (a number in brackets or
            with a dot), ``letter`` and ``roman`` are for labels without a word.
        label: As printed, without a trailing dot: ``Article 12``, ``5.1.2``, ``(a)``, ``§ 5``.
        parts: Its parts: ``("5", "1", "2")``; ``("12", "3", "a")`` for ``Article 12(3)(a)``.
    """

    kind: ClauseKind
    label: str
    parts: tuple[str, ...]

    @property
    def word(self) -> str:
        """The legal word in the label, casefolded: ``article``, ``§``; empty if it has none."""
        words = _WORD.findall(self.label.casefold())
        return next((word for word in words if word in KIND_OF_WORD), "")

    @property
    def is_relative(self) -> bool:
        """Whether the label has a meaning only within the clause around it, like ``(a)``."""
        return self.kind in RELATIVE

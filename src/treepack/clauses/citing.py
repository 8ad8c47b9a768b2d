"""How clauses are cited: ``12(3)(a)``, ``5.1.2``, ``Annex III(1)(a)``, ``4.2``."""

import re
from collections.abc import Sequence

from treepack.clauses.labels import Label
from treepack.clauses.legal_wording import cited_numbers
from treepack.clauses.readings import NUMBERED
from treepack.numbers.clause_number import RELATIVE, WORDLESS, ClauseNumber
from treepack.numbers.words import CITED_BY_NUMBER, COLLECTIONS, DIVISIONS, KIND_OF_WORD


class Cited:
    """Cites the clauses of one document.

    Args:
        text: The document's text.
        drafts: Its clauses.
        runs_through: Whether one numbering runs through all divisions, so that their numbers are
            not needed to cite it.
    """

    def __init__(self, text: str, drafts: Sequence[Label], *, runs_through: bool) -> None:
        self._drafts = drafts
        self._runs_through = runs_through
        self._has_articles = any(
            draft.heading and (draft.number.kind == "article" or draft.number.label[0] == "§")
            for draft in drafts
        )
        self._is_dotted = self._cites_with_dots(text)
        self.numbers: list[str] = []
        self._annexes: list[str] = []  # the annex around each clause, as cited, or empty
        for draft in drafts:
            parent = draft.parent
            around = "" if parent is None else self._annexes[parent]
            cited = self._cited(draft, around)
            self.numbers.append(cited)
            self._annexes.append(cited if draft.number.kind == "annex" else around)

    def _cited(self, draft: Label, annex: str) -> str:
        """Return the number of a clause; numbers below that of the parent are in brackets.

        A dotted number is cited alone, or after the annex. Legal words are kept only if numbers
        alone would mislead: ``Annex I Section A`` is not the only section A.
        """
        number, parent = draft.number, draft.parent
        bare = number.label.strip("()")
        above = None if parent is None else self._drafts[parent]
        outer = "" if parent is None else self.numbers[parent]
        if number.kind == "requirement":
            return number.label
        if number.kind == "decimal":
            return self._cited_decimal(number, above, outer, annex)
        if number.kind in RELATIVE:
            if above is None:
                title = (
                    draft.section.heading.text if draft.section and draft.section.heading else ""
                )
                return f"{COLLECTIONS.get(title.casefold(), '')} {bare}".strip()
            is_main = self._runs_through and draft.reading and draft.reading.form == NUMBERED
            if is_main and above.number.kind in DIVISIONS:
                return f"{annex}({bare})" if annex else bare
            is_dotted = self._is_dotted and self._inner_number(draft)
            return f"{outer}.{bare}" if is_dotted else f"{outer}({bare})"
        if number.kind == "annex" and above and _continues(above.number, number):
            return ".".join(number.parts)
        label = _capitalized(number)
        if annex and number.kind != "annex" and label[0] != "第":
            return f"{annex} {label}"
        if label[0] == "§" and above and above.number.kind == "article":
            return f"{outer} {label}"  # of a Brazilian law
        is_division = number.kind == "section" and self._has_articles
        is_bare = number.kind in CITED_BY_NUMBER and not is_division and label[0] not in "§第"
        word, _, rest = label.partition(" ")
        has_word = is_bare and rest and word.casefold().rstrip(".") in KIND_OF_WORD
        return rest if has_word else label

    def _cited_decimal(
        self, number: ClauseNumber, above: Label | None, outer: str, annex: str
    ) -> str:
        bare = number.label.strip("()[]")
        if above is None:
            return bare
        is_below = above.heading or above.number.is_relative
        if len(number.parts) == 1 and is_below and above.number.kind not in DIVISIONS:
            return f"{outer}({bare})"
        letter = annex.rpartition(" ")[2]
        names_annex = number.parts[0] == letter and not letter.isdigit()
        return f"{annex}({bare})" if annex and not names_annex else bare

    def _cites_with_dots(self, text: str) -> bool:
        """Whether the text cites a ``2.`` directly below a ``4.`` as 4.2, and no 4.2 is printed."""
        inner = set(map(self._inner_number, self._drafts)) - {""}
        if not inner or any(len(d.number.parts) > 1 for d in self._drafts):
            return False
        return not inner.isdisjoint(cited_numbers(text))

    def _inner_number(self, draft: Label) -> str:
        """Return ``4.2`` for a ``2.`` directly below a ``4.``, else an empty text."""
        if draft.parent is None or draft.reading is None or draft.reading.form != NUMBERED:
            return ""
        above = self._drafts[draft.parent].number
        is_number = above.label.isdecimal() and above.kind in WORDLESS
        return f"{above.label}.{draft.number.label}" if is_number else ""


def _continues(above: ClauseNumber, number: ClauseNumber) -> bool:
    """Whether ``Appendix C.1`` belongs to Appendix C and C.1 is its whole number."""
    shared = len(above.parts)
    return shared < len(number.parts) and number.parts[:shared] == above.parts


def _capitalized(number: ClauseNumber) -> str:
    """Return ``ANNEX III`` as ``Annex III``, ``THE FIRST SCHEDULE`` as ``First Schedule``."""
    label = number.label
    if number.parts[0] not in label:  # the number is a word
        words = re.sub(r"^the ", "", label, flags=re.IGNORECASE).split(" ")
        return " ".join(word.capitalize() if word.isupper() else word for word in words)
    word, space, rest = label.partition(" ")
    return f"{word.capitalize()}{space}{rest}" if space and word.isupper() else label

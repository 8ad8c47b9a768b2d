"""How clauses are cited: ``12(3)(a)``, ``5.1.2``, ``Annex III(1)(a)``, ``4.2``."""

import re
from collections.abc import Sequence

from treepack.clauses.labels import Label
from treepack.clauses.legal_wording import cited_numbers
from treepack.clauses.readings import NUMBERED
from treepack.numbers.clause_number import RELATIVE, ClauseNumber
from treepack.numbers.words import CITED_BY_NUMBER, COLLECTIONS, DIVISIONS, KIND_OF_WORD


class Cited:
    """Cites the clauses of one document.

    Numbers below that of the parent are in brackets. A dotted number is cited alone, or after the
    annex. Legal words are kept only if numbers alone would mislead: ``Annex I Section A`` is not
    the only section A.

    Args:
        text: The document's text.
        found: Its clauses.
        runs_through: Whether one numbering runs through all divisions, so that their numbers are
            not needed to cite it.
    """

    def __init__(self, text: str, found: Sequence[Label], *, runs_through: bool) -> None:
        self._found = found
        self._runs_through = runs_through
        self._has_articles = any(
            label.heading and (label.number.kind == "article" or label.number.label[0] == "§")
            for label in found
        )
        inner = {*map(self._inner_number, found)} - {""}
        self._is_dotted = bool(inner) and not inner.isdisjoint(cited_numbers(text))
        self.numbers: list[str] = []
        annexes: list[str] = []  # the annex around each clause, as cited, or empty
        for label in found:
            annex = "" if label.parent is None else annexes[label.parent]
            self.numbers.append(self._cited(label, annex))
            annexes.append(self.numbers[-1] if label.number.kind == "annex" else annex)

    def _cited(self, label: Label, annex: str) -> str:
        number, above = label.number, None
        if label.parent is not None:
            above = self._found[label.parent]
        bare = number.label.strip("()[]")
        if number.kind == "decimal":
            letter = annex.rpartition(" ")[2]
            names_annex = number.parts[0] == letter and not letter.isdigit()
            return f"{annex}({bare})" if annex and not names_annex else bare
        if number.kind in RELATIVE:
            return self._cited_point(label, bare, above, annex)
        return number.label if number.kind == "requirement" else self._cited_named(number, annex)

    def _cited_point(self, label: Label, bare: str, above: Label | None, annex: str) -> str:
        heading = label.section.heading if label.section else None
        if above is None:
            collection = COLLECTIONS.get(heading.text.casefold(), "") if heading else ""
            return f"{collection} {bare}".lstrip()
        if self._runs_through and above.number.kind in DIVISIONS:
            return f"{annex}({bare})" if annex else bare
        outer = self.numbers[above.index]
        is_dotted = self._is_dotted and self._inner_number(label)
        return f"{outer}.{bare}" if is_dotted else f"{outer}({bare})"

    def _cited_named(self, number: ClauseNumber, annex: str) -> str:
        label = _capitalized(number)
        if number.kind == "annex":  # "Appendix C.1" in Appendix C
            return ".".join(number.parts) if annex and len(number.parts) > 1 else label
        if annex:
            return f"{annex} {label}"
        is_division = number.kind == "section" and self._has_articles
        word, _, rest = label.partition(" ")
        has_word = rest and word != "§" and word.casefold().rstrip(".") in KIND_OF_WORD
        return rest if has_word and number.kind in CITED_BY_NUMBER and not is_division else label

    def _inner_number(self, label: Label) -> str:
        """Return ``4.2`` for a ``2.`` directly below a ``4.``, else an empty text."""
        if label.parent is None or label.reading is None or label.reading.form != NUMBERED:
            return ""
        above = self._found[label.parent].number.label
        return f"{above}.{label.number.label}" if above.isdecimal() else ""


def _capitalized(number: ClauseNumber) -> str:
    """Return ``ANNEX III`` as ``Annex III``, ``THE FIRST SCHEDULE`` as ``First Schedule``."""
    label = number.label
    if number.parts[0] not in label:  # the number is a word
        words = re.sub(r"^the ", "", label, flags=re.IGNORECASE).split(" ")
        return " ".join(word.capitalize() if word.isupper() else word for word in words)
    word, space, rest = label.partition(" ")
    return f"{word.capitalize()}{space}{rest}" if space and word.isupper() else label

"""The report of an audit: the findings with their place, and what was checked for each law."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, Self

from pydantic import BaseModel, ConfigDict

from treepack.display import aligned

LAWS: Final[dict[int, str]] = {
    1: "nothing lost",
    2: "exact",
    3: "cap",
    4: "honest counts",
    5: "whole rows",
    6: "balanced fences",
    7: "path",
    8: "no orphans",
    9: "clean cuts",
}
SHOWN_FINDINGS: Final = 10
"""Of each law."""


class Finding(BaseModel):
    """One breach of one law, and where.

    Attributes:
        law: Number of the law, 1 to 9.
        document: Name of the document.
        line: Line of the source, from 1; None if the finding has no place in the source.
        chunk: Index of the chunk; None if the finding is not about a single chunk.
        reason: What is wrong, in plain words, with the text concerned.
    """

    model_config = ConfigDict(frozen=True)

    law: int
    document: str = ""
    line: int | None = None
    chunk: int | None = None
    reason: str

    @property
    def place(self) -> str:
        """The document and, if known, the line: ``guide.md:12``."""
        return (self.document or "<text>") + (f":{self.line}" if self.line is not None else "")

    @property
    def about(self) -> str:
        """The reason, preceded by the number of the chunk if there is one."""
        return self.reason if self.chunk is None else f"chunk {self.chunk}: {self.reason}"

    def __str__(self) -> str:
        return f"{self.place}: law {self.law} ({LAWS[self.law]}): {self.about}"


class LawResult(BaseModel):
    """The result for one law.

    Attributes:
        law: Number of the law.
        unit: What was counted: chunks, boundaries and so on.
        checked: How many of these units were checked against the law.
        findings: How many breaches were found.
        unchecked: Each reason why the law was not fully checked, with the number of documents.
    """

    model_config = ConfigDict(frozen=True)

    law: int
    unit: str
    checked: int = 0
    findings: int = 0
    unchecked: dict[str, int] = {}

    def __hash__(self) -> int:
        """Hash all fields except ``unchecked``, because a dict is not hashable."""
        return hash((self.law, self.unit, self.checked, self.findings))


class AuditReport(BaseModel):
    """The findings of an audit over one or many documents.

    Attributes:
        documents: How many documents were audited.
        chunks: How many chunks they have.
        laws: One result for each law, in order.
        findings: All findings, ordered by document and then by law.
    """

    model_config = ConfigDict(frozen=True)

    documents: int = 0
    chunks: int = 0
    laws: tuple[LawResult, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no breach was found; see `laws` for what could not be checked."""
        return not self.findings

    @classmethod
    def merge(cls, reports: Iterable[Self]) -> Self:
        """Combine the reports of several documents into one."""
        every = list(reports)
        return cls(
            documents=sum(report.documents for report in every),
            chunks=sum(report.chunks for report in every),
            laws=tuple(_merged(result for report in every for result in report.laws)),
            findings=tuple(finding for report in every for finding in report.findings),
        )

    def table(self, limit: int | None = SHOWN_FINDINGS) -> str:
        """Return a table of the laws, then the findings of each law, at most ``limit`` per law."""
        found: dict[int, list[Finding]] = {}
        for finding in self.findings:
            found.setdefault(finding.law, []).append(finding)
        lines = [f"{_counted(self.documents, 'documents')}, {_counted(self.chunks, 'chunks')}"]
        lines += aligned([("law", "", "checked", "findings", ""), *map(_row, self.laws)])
        for law, same in sorted(found.items()):
            lines.append(f"law {law} ({LAWS[law]}): {_counted(len(same), 'findings')}")
            shown = same if limit is None else same[:limit]
            lines += [f"  {finding.place}: {finding.about}" for finding in shown]
            if left := len(same) - len(shown):
                lines.append(f"  and {_counted(left, 'more findings')}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.table()


def _row(result: LawResult) -> tuple[str, str, str, str, str]:
    reasons = "; ".join(
        reason if documents == 1 else f"{reason} ({_counted(documents, 'documents')})"
        for reason, documents in result.unchecked.items()
    )
    checked = _counted(result.checked, result.unit)
    return str(result.law), LAWS[result.law], checked, str(result.findings), reasons


def _counted(number: int, unit: str) -> str:
    """Return a number with its unit, given in the plural: ``1 boundary``, ``2 boundaries``."""
    one = f"{unit[:-3]}y" if unit.endswith("ies") else unit.removesuffix("s")
    return f"{number} {one if number == 1 else unit}"


def _merged(results: Iterable[LawResult]) -> Iterator[LawResult]:
    by_law: dict[int, list[LawResult]] = {}
    for result in results:
        by_law.setdefault(result.law, []).append(result)
    for law, same in sorted(by_law.items()):
        unchecked: Counter[str] = Counter()
        for result in same:
            unchecked.update(result.unchecked)
        yield LawResult(
            law=law,
            unit=same[0].unit,
            checked=sum(result.checked for result in same),
            findings=sum(result.findings for result in same),
            unchecked=unchecked,
        )

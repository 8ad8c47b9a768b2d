"""The report of an audit: the findings with their place, and what was checked for each law."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, Self

from treepack.display import aligned
from treepack.model.chunk import Record

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
_UNITS: Final = ("body spans", *["chunks"] * 3, "tables", "code blocks", "blocks", "headings")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Record):
    """One breach of one law, and where.

    Attributes:
        law: Number of the law, 1 to 9.
        document: Name of the document.
        line: Line of the source, from 1; None if the finding has no place in the source.
        chunk: Index of the chunk; None if the finding is not about a single chunk.
        reason: What is wrong, in plain words, with the text concerned.
    """

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


@dataclass(frozen=True, slots=True, kw_only=True)
class LawResult(Record):
    """The result for one law.

    Attributes:
        law: Number of the law.
        unit: What was counted: chunks, boundaries and so on.
        checked: How many of these units were checked against the law.
        findings: How many breaches were found.
        unchecked: Each reason why the law was not fully checked, with the number of documents.
        marks: How often the law could not be kept, and a record or the cap says so, by what it
            says, such as ``row cut by cells``; these are no findings.
    """

    law: int
    unit: str
    checked: int = 0
    findings: int = 0
    unchecked: dict[str, int] = field(default_factory=dict[str, int])
    marks: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def notes(self) -> list[str]:
        """What was marked and what was not checked, in words."""
        notes = [f"{mark}: {count}" for mark, count in self.marks.items()]
        for reason, documents in self.unchecked.items():
            several = f" ({_counted(documents, 'documents')})" if documents > 1 else ""
            notes.append(f"not checked: {reason}{several}")
        return notes

    def __hash__(self) -> int:
        """Hash all fields except the dicts, which are not hashable."""
        return hash((self.law, self.unit, self.checked, self.findings))

    def __add__(self, other: "LawResult") -> "LawResult":
        """Return the result of both for the same law."""
        unchecked = Counter(self.unchecked) + Counter(other.unchecked)
        marks = Counter(self.marks) + Counter(other.marks)
        sums = {"checked": self.checked + other.checked, "findings": self.findings + other.findings}
        return self.model_copy(update={**sums, "unchecked": dict(unchecked), "marks": dict(marks)})


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport(Record):
    """The findings of an audit over one or many documents.

    Attributes:
        documents: How many documents were audited.
        chunks: How many chunks they have.
        laws: One result for each law, in order.
        findings: All findings, ordered by document and then by law.
    """

    documents: int = 0
    chunks: int = 0
    laws: tuple[LawResult, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no breach was found; see `laws` for what could not be checked or kept."""
        return not self.findings

    @classmethod
    def merge(cls, reports: Iterable[Self]) -> Self:
        """Combine the reports of several documents into one."""
        every = list(reports)
        laws: dict[int, LawResult] = {}
        for result in (result for report in every for result in report.laws):
            laws[result.law] = laws[result.law] + result if result.law in laws else result
        return cls(
            documents=sum(report.documents for report in every),
            chunks=sum(report.chunks for report in every),
            laws=tuple(laws[law] for law in sorted(laws)),
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


class Log:
    """Collects findings, marks and counts of one document while the laws are checked."""

    def __init__(self, document: str, line_of: Callable[[int], int]) -> None:
        self.checked: Counter[int] = Counter()
        self.unchecked: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self.marks: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self._document = _printable(document)
        self._line_of = line_of
        self._findings: list[Finding] = []

    def find(self, law: int, reason: str, at: int | None, chunk: int | None = None) -> None:
        """Record a breach, at a position of the source."""
        line = None if at is None else self._line_of(at)
        about = _printable(reason)
        self._findings.append(
            Finding(law=law, document=self._document, line=line, chunk=chunk, reason=about)
        )

    def report(self, chunks: int) -> AuditReport:
        """Return everything that was recorded."""
        breaches = Counter(finding.law for finding in self._findings)
        laws = tuple(
            LawResult(
                law=law,
                unit=unit,
                checked=self.checked[law],
                findings=breaches[law],
                unchecked=dict(self.unchecked[law]),
                marks=dict(self.marks[law]),
            )
            for law, unit in zip(LAWS, (*_UNITS, "boundaries"), strict=True)
        )
        ordered = sorted(self._findings, key=lambda finding: finding.law)
        return AuditReport(documents=1, chunks=chunks, laws=laws, findings=tuple(ordered))


def _printable(text: str) -> str:
    """Return a text with lone surrogates and NUL escaped, for every terminal and JSON writer."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\0")


def _row(result: LawResult) -> tuple[str, str, str, str, str]:
    checked, notes = _counted(result.checked, result.unit), "; ".join(result.notes)
    return str(result.law), LAWS[result.law], checked, str(result.findings), notes


def _counted(number: int, unit: str) -> str:
    """Return a number with its unit, given in the plural: ``1 boundary``, ``2 boundaries``."""
    one = f"{unit[:-3]}y" if unit.endswith("ies") else unit.removesuffix("s")
    return f"{number} {one if number == 1 else unit}"

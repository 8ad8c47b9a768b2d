"""What does each mechanism pay? Switch it off, and count what changes on real documents.

    pip install ".[all]"
    python integration_tests/ablate.py [--corpus DIR] [--unmarked DIR] [--jobs N] [--audit-every N]
        [--together] [--list] [NAME ...]

Without names, each mechanism of the registry is switched off alone; with names, those that begin
with one of them; with --together, all of these at once. All documents of both folders are packed
with the defaults, in a process for each row. A row tells:

* the lines that would go;
* the chunk texts and the records (without ids) that differ, and in how many documents of how many
  sources (a source is a folder of the corpus, or a family of the documents without marks);
* the figures of `measure.py` in the second folder: F1, path, clauses P and R, false headings;
* findings of the audit, on each Nth document.

A mechanism above 40 lines stays if it improves chunks of three documents from two sources. What
differs is not always better: look at the documents, which are named below a row.
"""

import argparse
import importlib
import inspect
import multiprocessing
import os
import pkgutil
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Final

from mechanisms import MECHANISMS, Mechanism

import treepack
from treepack import PackConfig, Source, SourceError
from treepack.cli.inputs.files import find_documents, load
from treepack.cli.inputs.folders import Selection

SHARED: Final = Path(__file__).parents[2] / "shared"
SHOWN: Final = 4  # documents named below a row
WITHOUT: Final = frozenset({"id", "index", "parent_id"})  # fields in which all records may differ
FIGURES: Final = ("F1", "path", "clause P", "clause R")

Rows = Mapping[tuple[str, str], Counter[tuple[str, str]]]


@dataclass(frozen=True)
class Documents:
    """The documents on which a mechanism is judged, and how they are packed with all mechanisms.

    Attributes:
        sources: Each document by its source and name.
        unmarked: The folder of documents without marks.
        audit_every: Each how many-th document is audited; 0 for none.
        before: Hashes of text and record of each chunk, by document.
    """

    sources: Mapping[tuple[str, str], Source]
    unmarked: Path
    audit_every: int
    before: Rows


HELD: Final[list[Documents]] = []  # what the processes share


@dataclass(frozen=True)
class Difference:
    """How many chunks differ, in which documents."""

    chunks: Mapping[tuple[str, str], int]

    def __str__(self) -> str:
        sources = {source for source, _ in self.chunks}
        return f"{sum(self.chunks.values())} ({len(self.chunks)} of {len(sources)})"


def main() -> None:
    """Switch off what is asked for, and print a row for each."""
    parser = argparse.ArgumentParser(description="Switch mechanisms off and count what changes.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="beginnings of names")
    parser.add_argument("--corpus", type=Path, default=SHARED / "corpus")
    parser.add_argument("--unmarked", type=Path, default=SHARED / "unmarked")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--audit-every", type=int, default=4, metavar="N")
    parser.add_argument("--together", action="store_true", help="all at once, in one row")
    parser.add_argument("--list", action="store_true", help="print the names and their lines")
    given = parser.parse_args()
    import_all()
    chosen = [m for m in MECHANISMS if not given.names or m.name.startswith(tuple(given.names))]
    if not chosen:
        parser.error("no mechanism has such a name; --list shows them")
    if given.list:
        print(*(f"{lines_of([mechanism]):5} {mechanism.name}" for mechanism in chosen), sep="\n")
        return
    sources = read_documents([given.corpus, given.unmarked])
    HELD.append(Documents(sources, given.unmarked, given.audit_every, packed(sources)))
    print("| off | lines | texts (documents of sources) | records |", *FIGURES, "false | audit |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    names = [mechanism.name for mechanism in chosen]
    groups = [names] if given.together else [[name] for name in names]
    context = multiprocessing.get_context("fork")  # each process has the documents already
    with context.Pool(given.jobs, maxtasksperchild=1) as pool:
        for row in pool.imap(judged, [[], *groups]):
            print(row, flush=True)


def import_all() -> None:
    """Import each module of the core, so that a name can be replaced wherever it is used."""
    for room in pkgutil.iter_modules(treepack.__path__, "treepack."):
        if room.name.split(".")[1] in ("__main__", "cli", "integrations", "readers"):
            continue
        found = importlib.import_module(room.name)
        for module in pkgutil.walk_packages(getattr(found, "__path__", ()), f"{room.name}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)


def read_documents(folders: Iterable[Path]) -> dict[tuple[str, str], Source]:
    """Read what `treepack pack` reads in the folders."""
    found = {}
    for folder in folders:
        complain = partial(print, file=sys.stderr)
        for document in find_documents([folder], complain, lambda *_: None, {}, Selection()):
            with warnings.catch_warnings(action="ignore"):
                try:
                    source = load(document)
                except SourceError:
                    continue
            family = Path(document.name).parts[0]
            found[f"{folder.name}/{family}", document.name] = source
    return found


def packed(sources: Mapping[tuple[str, str], Source]) -> Rows:
    """Return hashes of text and record of each chunk; an error stands for a document's chunks."""
    found = {}
    for (family, name), source in sources.items():
        try:
            chunks = treepack.pack(source, name=name)
            rows = [(c.text, c.model_dump_json(exclude=set(WITHOUT))) for c in chunks]
        except Exception as error:  # noqa: BLE001 - a mechanism may be one that others need
            rows = [(f"error: {error!r}", "")]
        found[family, name] = Counter((short(text), short(record)) for text, record in rows)
    return found


def short(text: str) -> str:
    """Return a hash of a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def judged(names: Sequence[str]) -> str:
    """Switch mechanisms off in this process, and return their row."""
    (documents,) = HELD
    chosen = [mechanism for mechanism in MECHANISMS if mechanism.name in names]
    lines = lines_of(chosen)
    for mechanism in chosen:
        switch_off(mechanism)
    after = packed(documents.sources)
    texts, records = (difference(documents.before, after, of) for of in (0, 1))
    figures = measured(documents.unmarked)
    name = " + ".join(names) or "nothing"
    cells = [name, str(lines), str(texts), str(records), *figures, audited(documents)]
    most = sorted(records.chunks.items(), key=lambda item: -item[1])[:SHOWN]
    below = [f"    {count} in {'/'.join(document)}" for document, count in most]
    return "\n".join(["| " + " | ".join(cells) + " |", *below])


def lines_of(chosen: Sequence[Mechanism]) -> int:
    """Return how many lines would go with mechanisms: of modules, classes and functions."""
    return sum(len(inspect.getsourcelines(named(part))[0]) for m in chosen for part in m.parts)


def named(path: str) -> Callable[..., object] | type | ModuleType:
    """Return what a path such as `packing.runs:Run.even_out` names."""
    module, _, inner = path.partition(":")
    found = importlib.import_module(f"treepack.{module}")
    for name in inner.split(".") if inner else ():
        found = getattr(found, name)
    return found


def switch_off(mechanism: Mechanism) -> None:
    """Put the stand-ins of a mechanism in its place, wherever it was imported."""
    for path, stand_in in mechanism.instead.items():
        module, _, inner = path.partition(":")
        owner, _, name = inner.rpartition(".")
        holder = named(f"{module}:{owner}" if owner else module)
        old = inspect.getattr_static(holder, name)
        setattr(holder, name, stand_in)
        if not owner:
            for other in [m for n, m in sys.modules.items() if n.startswith("treepack")]:
                for key in [k for k, value in vars(other).items() if value is old]:
                    setattr(other, key, stand_in)


def difference(before: Rows, after: Rows, of: int) -> Difference:
    """Return how many texts (0) or records (1) differ, by document."""
    found = {}
    for document, rows in before.items():
        old, new = (Counter(row[of] for row in r.elements()) for r in (rows, after[document]))
        count = max((old - new).total(), (new - old).total())
        if count:
            found[document] = count
    return Difference(found)


def measured(folder: Path) -> list[str]:
    """Return the figures of the folder's own measure: for texts with headings, and for others."""
    spec = spec_from_file_location("measure", folder / "measure.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    measure = SimpleNamespace(**vars(module))  # its functions have no types that we know
    rows: dict[bool, list[object]] = {True: [], False: []}
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").split("\n"):
        if line.strip():
            truth = measure.json.loads(line)
            found = measure.find_treepack(folder / truth["document"], chunks=False)
            rows[truth["negative"]].append(measure.judge(truth, found))
    marked, negative = measure.summary(rows[False]), measure.summary(rows[True])
    false = negative["false headings/1000 lines"] + negative["false clauses/1000 lines"]
    shares = ["–" if marked[name] is None else f"{100 * marked[name]:.1f}" for name in FIGURES]
    return [*shares, f"{false:.2f}"]


def audited(documents: Documents) -> str:
    """Return the findings of the audit by law, on each Nth document."""
    if not documents.audit_every:
        return "–"
    laws: Counter[int] = Counter()
    cap = treepack.PackConfig().max_tokens
    for (_, name), source in list(documents.sources.items())[:: documents.audit_every]:
        report = treepack.audit(
            source, treepack.pack(source, name=name), PackConfig(max_tokens=cap), name=name
        )
        laws.update(finding.law for finding in report.findings)
    return ", ".join(f"law {law}: {count}" for law, count in sorted(laws.items())) or "clean"


if __name__ == "__main__":
    main()

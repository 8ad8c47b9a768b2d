"""A document becomes JSON lines, a table or text to read; many documents become one file."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, assert_never

import treepack
from treepack.cli.files import (
    STANDARD_INPUT,
    DocumentFile,
    collected_warnings,
    load,
)
from treepack.cli.flags import EncodingErrors
from treepack.cli.terminal.output import (
    UsageProblem,
    check_target,
    complain,
    complain_about,
    explain,
    is_stream,
    progress,
    replacing,
    write_bytes_to_stdout,
)
from treepack.cli.terminal.preview import preview
from treepack.config import PackConfig
from treepack.display import counted, visible
from treepack.packing.parallel.many import TRIAL
from treepack.packing.parallel.work import map_in_order

Form = Literal["lines", "table", "text"]

FORMS: Final[Mapping[str, Form]] = {
    ".jsonl": "lines",
    ".ndjson": "lines",
    ".parquet": "table",
    ".md": "text",
    ".markdown": "text",
}
"""The format of an output file, by the suffix of its name."""

_TRIAL: Final = DocumentFile("", Path(STANDARD_INPUT), data=TRIAL.encode())


@dataclass(frozen=True)
class PackTask:
    """All that a worker needs to pack one document."""

    document: DocumentFile
    config: PackConfig
    encoding_errors: EncodingErrors
    form: Form = "lines"


@dataclass(frozen=True)
class Packed:
    """The result for one document: JSON lines (or a text to read), or a table, or an error."""

    document: DocumentFile
    text: str = ""
    table: Any = None
    chunks: int = 0
    warnings: Sequence[str] = ()
    error: str | None = None


def pack_documents(
    tasks: Sequence[PackTask],
    output: Path | None,
    jobs: int,
    print_chunks: Callable[[str, str], None],
    *,
    quiet: bool = False,
) -> int:
    """Pack documents into a file or to standard output; return how many could be packed.

    Without an output, a terminal gets chunks for people to read (from ``print_chunks``, which
    takes the document's label and the JSON lines), and anything else gets JSON lines.
    """
    if output is not None and str(output) != STANDARD_INPUT:
        check_target(output, [task.document.path for task in tasks])
        tasks = [replace(task, form=form_of(output)) for task in tasks]
        return _pack_into_file(tasks, output, jobs, quiet=quiet)
    for_people = output is None and sys.stdout.isatty()
    shown = not (quiet or sys.stdout.isatty())
    tally = Tally()
    results = told(_packed_by(jobs, tasks), len(tasks), with_progress=shown, quiet=quiet)
    for packed in tally.well_packed(results):
        if for_people:
            print_chunks(packed.document.label, packed.text)
        else:
            # JSON's escapes mean the same, and do not control the terminal.
            text = visible(packed.text) if sys.stdout.isatty() else packed.text
            write_bytes_to_stdout(text.encode())
    return tally.documents


def _packed_by(jobs: int, tasks: Sequence[PackTask]) -> Iterator[Packed]:
    trial = PackTask(_TRIAL, tasks[0].config, tasks[0].encoding_errors)
    return map_in_order(pack_one, tasks, min(jobs, len(tasks)), trial=trial)


def pack_one(task: PackTask) -> Packed:
    """Pack one document; an error is a result too."""
    with collected_warnings() as said:
        try:
            source = load(task.document, task.encoding_errors)
            chunks = treepack.pack(source, task.config, name=task.document.name)
            packed = _in_form(Packed(task.document, chunks=len(chunks)), chunks, task.form)
        except Exception as problem:  # noqa: BLE001 - the other documents go on
            packed = Packed(task.document, error=explain(problem))
    return replace(packed, warnings=tuple(said))


def _in_form(packed: Packed, chunks: treepack.Chunks, form: Form) -> Packed:
    match form:
        case "lines":
            return replace(packed, text=chunks.to_jsonl())
        case "text":
            return replace(packed, text=preview(chunks))
        case "table":
            return replace(packed, table=chunks.to_arrow())
        case _:
            assert_never(form)


def told(
    results: Iterable[Packed], total: int, *, with_progress: bool, quiet: bool
) -> Iterator[Packed]:
    """Pass results on, and print progress, warnings and errors on standard error."""
    with progress("packing", total, shown=with_progress) as count_one:
        for packed in results:
            warnings = () if quiet else packed.warnings
            complain_about(packed.document.label, warnings, packed.error)
            yield packed
            count_one()


def form_of(output: Path) -> Form:
    """The format of an output file, by the suffix of its name.

    Raises:
        UsageProblem: There is no format of this suffix.
    """
    if is_stream(output):
        return "lines"
    form = FORMS.get(output.suffix.lower())
    if form is None:
        msg = (
            f"{output} does not name a format that pack writes: end it in .jsonl or .ndjson (a "
            "line for each chunk), .parquet (a table), .md or .markdown (a text to read); "
            "-o - writes lines to standard output, for a pipe"
        )
        raise UsageProblem(msg)
    return form


@dataclass
class Tally:
    """How much went into an output."""

    documents: int = 0
    chunks: int = 0

    def well_packed(self, results: Iterable[Packed]) -> Iterator[Packed]:
        """Pass on what could be packed, and count it."""
        for packed in results:
            if packed.error is None:
                self.documents += 1
                self.chunks += packed.chunks
                yield packed

    def tell(self, output: Path, *, quiet: bool) -> None:
        """Say on standard error what was written."""
        if not self.documents:
            complain(f"no document could be packed; {output} was not written")
        elif not quiet:
            kept = f"{counted(self.chunks, 'chunk')} of {counted(self.documents, 'document')}"
            complain(f"{kept} in {output}")


def _pack_into_file(tasks: Sequence[PackTask], output: Path, jobs: int, *, quiet: bool) -> int:
    """Write the chunks of all documents that can be packed; without any, leave the old file."""
    write = writer(form_of(output))
    tally = Tally()
    results = _packed_by(jobs, tasks)
    with replacing(output) as draft:
        shown = told(results, len(tasks), with_progress=not quiet, quiet=quiet)
        write(tally.well_packed(shown), draft.place)
        draft.keep = tally.documents > 0
    tally.tell(output, quiet=quiet)
    return tally.documents


def writer(form: Form) -> Callable[[Iterator[Packed], BinaryIO], None]:
    """The function that writes documents of a form into a file.

    Raises:
        MissingExtraError: The form needs an extra that is not installed.
    """
    if form == "table":
        from treepack.integrations.arrow.tables import (  # noqa: PLC0415 - its extra may be missing
            # pyarrow has no types
            write_parquet,  # pyright: ignore[reportUnknownVariableType]
        )

        return lambda packed, stream: write_parquet((each.table for each in packed), stream)
    return _write_texts


def _write_texts(packed: Iterator[Packed], stream: BinaryIO) -> None:
    stream.writelines(each.text.encode() for each in packed)

"""A document becomes JSON lines, a table or text to read; many documents become one file."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final, assert_never

import treepack
from treepack.cli.flags import EncodingErrors, Form
from treepack.cli.inputs.files import (
    STANDARD_INPUT,
    DocumentFile,
    collected_warnings,
    load,
)
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

FORMS: Final[Mapping[str, Form]] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".md": "md",
    ".markdown": "md",
}
"""The format of an output file, by the suffix of its name."""

_TRIAL: Final = DocumentFile("", Path(STANDARD_INPUT), data=TRIAL.encode())


@dataclass(frozen=True)
class PackTask:
    """All that a worker needs to pack one document."""

    document: DocumentFile
    config: PackConfig
    encoding_errors: EncodingErrors
    form: Form = "jsonl"


@dataclass(frozen=True)
class Packed:
    """The result for one document: JSON lines (or a text to read), or a table, or an error.

    The lines are in UTF-8. One text of them would take four bytes for each character if only one
    character is an emoji.
    """

    document: DocumentFile
    lines: Sequence[bytes] = ()
    table: Any = None
    chunks: int = 0
    warnings: Sequence[str] = ()
    error: str | None = None


def pack_documents(
    tasks: Sequence[PackTask],
    output: Path | None,
    jobs: int,
    *,
    form: Form | None = None,
    quiet: bool = False,
) -> int:
    """Pack documents into a file or to standard output; return how many could be packed.

    Args:
        tasks: The documents.
        output: The file; None, or a path of ``-``, is standard output.
        jobs: How many processes.
        form: The format; None is what the name of the file says, or else JSON lines.
        quiet: Whether to print only errors.
    """
    if output is not None and str(output) != STANDARD_INPUT:
        check_target(output, [task.document.path for task in tasks])
        tasks = [replace(task, form=form_of(output, form)) for task in tasks]
        return _pack_into_file(tasks, output, jobs, quiet=quiet)
    is_terminal = sys.stdout.isatty()
    if form == "parquet" and is_terminal:
        msg = "a table is no text for a terminal: give a file, such as -o chunks.parquet"
        raise UsageProblem(msg)
    tasks = [replace(task, form=form or "jsonl") for task in tasks]
    tally = Tally()
    shown = told(
        _packed_by(jobs, tasks), tasks, with_progress=not (quiet or is_terminal), quiet=quiet
    )
    packed = tally.well_packed(shown)
    if form == "parquet":
        sys.stdout.flush()
        writer(form)(packed, sys.stdout.buffer)
    for each in packed:
        for line in each.lines:
            # JSON's escapes mean the same, and do not control the terminal.
            write_bytes_to_stdout(visible(line.decode()).encode() if is_terminal else line)
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
        case "jsonl":
            return replace(packed, lines=[line.encode() for line in chunks.jsonl_lines()])
        case "md":
            return replace(packed, lines=[preview(chunks).encode()])
        case "parquet":
            return replace(packed, table=chunks.to_arrow())
        case _:
            assert_never(form)


def told(
    results: Iterable[Packed], tasks: Sequence[PackTask], *, with_progress: bool, quiet: bool
) -> Iterator[Packed]:
    """Pass results on, and print progress, warnings and errors on standard error."""
    sizes = [task.document.size for task in tasks]
    with progress("packing", sizes, shown=with_progress) as count_one:
        for packed in results:
            warnings = () if quiet else packed.warnings
            complain_about(packed.document.label, warnings, packed.error)
            yield packed
            count_one()


def form_of(output: Path, wanted: Form | None = None) -> Form:
    """The format of an output file: what is wanted, or else what the suffix of its name says.

    Raises:
        UsageProblem: There is no format of this suffix, or another one is wanted.
    """
    named = FORMS.get(output.suffix.lower())
    if wanted is not None:
        if named not in {None, wanted}:
            msg = f"{output} names {named}, but --format is {wanted}"
            raise UsageProblem(msg)
        return wanted
    if is_stream(output):
        return "jsonl"
    if named is None:
        msg = (
            f"{output} does not name a format that pack writes: end it in .jsonl or .ndjson (a "
            "line for each chunk), .parquet (a table), .md or .markdown (a text to read), or give "
            "--format; -o - writes lines to standard output, for a pipe"
        )
        raise UsageProblem(msg)
    return named


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
    write = writer(tasks[0].form)
    tally = Tally()
    results = _packed_by(jobs, tasks)
    with replacing(output) as draft:
        shown = told(results, tasks, with_progress=not quiet, quiet=quiet)
        write(tally.well_packed(shown), draft.place)
        draft.keep = tally.documents > 0
    tally.tell(output, quiet=quiet)
    return tally.documents


def writer(form: Form) -> Callable[[Iterator[Packed], BinaryIO], None]:
    """The function that writes documents of a form into a file.

    Raises:
        MissingExtraError: The form needs an extra that is not installed.
    """
    if form == "parquet":
        from treepack.integrations.arrow.tables import (  # noqa: PLC0415 - its extra may be missing
            # pyarrow has no types
            write_parquet,  # pyright: ignore[reportUnknownVariableType]
        )

        return lambda packed, stream: write_parquet((each.table for each in packed), stream)
    return _write_texts


def _write_texts(packed: Iterator[Packed], stream: BinaryIO) -> None:
    for each in packed:
        stream.writelines(each.lines)

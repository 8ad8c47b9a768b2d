"""Packs documents into JSON lines, a table or a text to read; many documents become one file."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, assert_never

import treepack
from treepack.cli.flags import Form
from treepack.cli.inputs.files import STANDARD_INPUT, DocumentFile
from treepack.cli.terminal.output import (
    UsageProblem,
    check_target,
    complain,
    is_stream,
    replacing,
    write_bytes_to_stdout,
)
from treepack.cli.terminal.preview import preview
from treepack.cli.work import Done, Task, do_all
from treepack.config import PackConfig
from treepack.display import counted, visible
from treepack.model.source import Source
from treepack.packing.parallel.many import TRIAL

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
class Packed:
    """A packed document: JSON lines (or a text to read), or a table.

    The lines are bytes in UTF-8. As one string, they would take four bytes for each character if a
    single character is an emoji.
    """

    chunks: int
    lines: Sequence[bytes] = ()
    table: Any = None


def packing(
    documents: Sequence[DocumentFile], config: PackConfig, form: Form
) -> list[Task[Packed]]:
    """Return the tasks that pack documents into a form."""
    return [Task(document, partial(packed_in_form, config, form)) for document in documents]


def packed_in_form(config: PackConfig, form: Form, source: Source) -> Packed:
    """Pack one document into a form."""
    chunks = treepack.pack(source, config)
    match form:
        case "jsonl":
            return Packed(len(chunks), [line.encode() for line in chunks.jsonl_lines()])
        case "md":
            return Packed(len(chunks), [preview(chunks).encode()])
        case "parquet":
            return Packed(len(chunks), table=chunks.to_arrow())
        case _:
            assert_never(form)


def pack_documents(  # noqa: PLR0913 - one for each part of the call
    documents: Sequence[DocumentFile],
    config: PackConfig,
    output: Path | None,
    jobs: int,
    *,
    form: Form | None = None,
    quiet: bool = False,
) -> int:
    """Pack documents into a file or to standard output; return how many could be packed.

    Args:
        documents: The documents.
        config: How they are packed.
        output: The file; None for standard output.
        jobs: How many processes.
        form: The format; if None, the one that the file's name shows, or else JSON lines.
        quiet: Whether to print only errors.
    """
    if output is not None:
        check_target(output, [document.path for document in documents])
        form = form_of(output, form)
        return _pack_into_file(packing(documents, config, form), form, output, jobs, quiet=quiet)
    is_terminal = sys.stdout.isatty()
    if form == "parquet" and is_terminal:
        msg = "a Parquet table is not for a terminal: give a file, such as -o chunks.parquet"
        raise UsageProblem(msg)
    tasks = packing(documents, config, form or "jsonl")
    tally = Tally()
    results = do_all(
        tasks, jobs, "packing", quiet=quiet, with_progress=not is_terminal, trial=_trial(tasks)
    )
    packed = tally.well_packed(results)
    if form == "parquet":
        sys.stdout.flush()
        writer(form)(packed, sys.stdout.buffer)
    for each in packed:
        for line in each.lines:
            # JSON's escapes mean the same, and do not control the terminal.
            write_bytes_to_stdout(visible(line.decode()).encode() if is_terminal else line)
    return tally.documents


def _trial(tasks: Sequence[Task[Packed]]) -> Task[Packed]:
    """Return the first task, with a small document in place of its own."""
    return replace(tasks[0], document=_TRIAL)


def form_of(output: Path, wanted: Form | None = None) -> Form:
    """Return the format of an output file: the wanted one, or else the one that its suffix shows.

    Raises:
        UsageProblem: No format has this suffix, or another format is wanted.
    """
    named = FORMS.get(output.suffix.lower())
    if wanted is not None:
        if named not in {None, wanted}:
            msg = f"the suffix of {output} means {named}, but --format is {wanted}; change either"
            raise UsageProblem(msg)
        return wanted
    if is_stream(output):
        return "jsonl"
    if named is None:
        msg = (
            f"the name {output} has no suffix of a format that pack writes: use .jsonl or .ndjson "
            "(a line for each chunk), .parquet (a table), .md or .markdown (text to read), or give "
            "--format; -o - writes lines to standard output, for a pipe"
        )
        raise UsageProblem(msg)
    return named


@dataclass
class Tally:
    """How much went into an output."""

    documents: int = 0
    chunks: int = 0

    def well_packed(self, results: Iterable[Done[Packed]]) -> Iterator[Packed]:
        """Yield the documents that could be packed, and count them."""
        for done in results:
            if done.result is not None:
                self.documents += 1
                self.chunks += done.result.chunks
                yield done.result

    def tell(self, output: Path, *, quiet: bool) -> None:
        """Print on standard error what was written."""
        if not self.documents:
            complain(f"no document could be packed; {output} was not written")
        elif not quiet:
            kept = f"{counted(self.chunks, 'chunk')} of {counted(self.documents, 'document')}"
            complain(f"{kept} in {output}")


def _pack_into_file(
    tasks: Sequence[Task[Packed]], form: Form, output: Path, jobs: int, *, quiet: bool
) -> int:
    """Write the chunks of all documents that can be packed; if none can, keep the old file."""
    write = writer(form)
    tally = Tally()
    with replacing(output) as draft:
        results = do_all(tasks, jobs, "packing", quiet=quiet, trial=_trial(tasks))
        write(tally.well_packed(results), draft.place)
        draft.keep = tally.documents > 0
    tally.tell(output, quiet=quiet)
    return tally.documents


def writer(form: Form) -> Callable[[Iterator[Packed], BinaryIO], None]:
    """Return the function that writes packed documents of a form into a file.

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

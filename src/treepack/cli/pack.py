"""Packs documents into JSON lines or a table; many documents become one file."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final, assert_never

import treepack
from treepack.cli.flags import OutputFormat
from treepack.cli.inputs.files import STANDARD_INPUT, DocumentFile
from treepack.cli.terminal.output import (
    UsageError,
    check_output_file,
    is_stream,
    print_message,
    replacing,
    write_bytes_to_stdout,
)
from treepack.cli.terminal.page import chunk_sizes, print_total
from treepack.cli.work import Task, TaskOutcome, run_all
from treepack.config import PackConfig
from treepack.display import counted, visible
from treepack.model.source import Source
from treepack.packing.parallel.many import TRIAL

_OUTPUT_FORMATS: Final[Mapping[str, OutputFormat]] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}
"""The format of an output file, by the suffix of its name."""

_TRIAL: Final = DocumentFile("", Path(STANDARD_INPUT), data=TRIAL.encode())


@dataclass(frozen=True)
class PackedDocument:
    """A packed document: JSON lines, or a table.

    The lines are bytes in UTF-8. As one string, they would take four bytes for each character if a
    single character is an emoji.
    """

    chunks: int
    lines: Sequence[bytes] = ()
    table: Any = None


def pack_as(output_format: OutputFormat, config: PackConfig, source: Source) -> PackedDocument:
    """Pack a document into what is written of it."""
    chunks = treepack.pack(source, config)
    match output_format:
        case "jsonl":
            return PackedDocument(len(chunks), [line.encode() for line in chunks.jsonl_lines()])
        case "parquet":
            return PackedDocument(len(chunks), table=chunks.to_arrow())
        case _:
            assert_never(output_format)


def pack_documents(  # noqa: PLR0913 - one for each part of the call
    documents: Sequence[DocumentFile],
    config: PackConfig,
    output: Path | None,
    jobs: int,
    *,
    output_format: OutputFormat | None = None,
    quiet: bool = False,
) -> int:
    """Pack documents into a file or to standard output; return how many could be packed.

    Args:
        documents: The documents.
        config: How they are packed.
        output: The file; None for standard output.
        jobs: How many processes.
        output_format: The format; if None, the one that the file's name shows, or else JSON lines.
        quiet: Whether to print only errors.
    """
    if output is not None:
        check_output_file(output, [document.path for document in documents])
        output_format = _output_format_of(output, output_format)
    is_terminal = output is None and sys.stdout.isatty()
    if output_format == "parquet" and is_terminal:
        msg = "a Parquet table is not for a terminal: give a file, such as -o chunks.parquet"
        raise UsageError(msg)
    output_format = output_format or "jsonl"
    write = _writer(output_format)
    work = partial(pack_as, output_format, config)
    tasks = [Task(document, work) for document in documents]
    trial = replace(tasks[0], document=_TRIAL)
    outcomes = run_all(
        tasks, jobs, "packing", quiet=quiet, with_progress=not is_terminal, trial=trial
    )
    tally = _Tally()
    packed = tally.count_packed(outcomes)
    if output is not None:
        # If no document can be packed, the old file stays.
        with replacing(output) as draft:
            write(packed, draft.stream)
            draft.keep = tally.documents > 0
        _print_result(tally, output, quiet=quiet)
    elif output_format == "parquet":
        sys.stdout.flush()
        write(packed, sys.stdout.buffer)
    else:
        for line in chain.from_iterable(document.lines for document in packed):
            # JSON's escapes mean the same, and do not control the terminal.
            write_bytes_to_stdout(visible(line.decode()).encode() if is_terminal else line)
    return tally.documents


def _print_result(tally: "_Tally", output: Path, *, quiet: bool) -> None:
    if not tally.documents:
        print_message(f"no document could be packed; {output} was not written")
    elif not quiet:
        amount = f"{counted(tally.chunks, 'chunk')} of {counted(tally.documents, 'document')}"
        print_message(f"{amount} in {output}")


def print_summaries(
    documents: Sequence[DocumentFile], config: PackConfig, jobs: int, *, quiet: bool
) -> int:
    """Print a line about each document's chunks, for a terminal; return the number packed."""
    work = partial(chunk_sizes, config)
    tasks = [Task(document, work) for document in documents]
    every_size: list[list[int]] = []
    for outcome in run_all(tasks, jobs, "packing", quiet=quiet, with_progress=False):
        if outcome.result is not None:
            print_total(outcome.document.label, outcome.result, config.target_tokens)
            every_size.append(outcome.result)
    return len(every_size)


def _output_format_of(output: Path, wanted: OutputFormat | None) -> OutputFormat:
    """Return the format of an output file: the wanted one, or else the one that its suffix shows.

    Raises:
        UsageError: No format has this suffix, or another format is wanted.
    """
    suffix_format = _OUTPUT_FORMATS.get(output.suffix.lower())
    if wanted is not None:
        if suffix_format not in {None, wanted}:
            difference = f"means {suffix_format}, but --format is {wanted}"
            msg = f"the suffix of {output} {difference}; change either"
            raise UsageError(msg)
        return wanted
    if is_stream(output):
        return "jsonl"
    if suffix_format is None:
        msg = (
            f"the name {output} has no suffix of a format that pack writes: use .jsonl or .ndjson "
            "(a line for each chunk), .parquet (a table), or give --format; -o - writes lines to "
            "standard output, for a pipe"
        )
        raise UsageError(msg)
    return suffix_format


@dataclass
class _Tally:
    """How much went into an output."""

    documents: int = 0
    chunks: int = 0

    def count_packed(
        self, outcomes: Iterable[TaskOutcome[PackedDocument]]
    ) -> Iterator[PackedDocument]:
        """Yield the documents that could be packed, and count them."""
        for outcome in outcomes:
            if outcome.result is not None:
                self.documents += 1
                self.chunks += outcome.result.chunks
                yield outcome.result


def _writer(output_format: OutputFormat) -> Callable[[Iterator[PackedDocument], BinaryIO], None]:
    """Return the function that writes packed documents of a format into a file.

    Raises:
        MissingExtraError: The format needs an extra that is not installed.
    """
    if output_format == "parquet":
        from treepack.integrations.arrow.tables import (  # noqa: PLC0415 - its extra may be missing
            # pyarrow has no types
            write_parquet,  # pyright: ignore[reportUnknownVariableType]
        )

        return lambda packed, stream: write_parquet((document.table for document in packed), stream)
    return _write_texts


def _write_texts(packed: Iterator[PackedDocument], stream: BinaryIO) -> None:
    for document in packed:
        stream.writelines(document.lines)

"""Packs documents into JSON lines or a table; many documents become one file."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final

import treepack
from treepack.cli.call import Call, command_call
from treepack.cli.flags import OutputFormat
from treepack.cli.inputs.files import DocumentFile
from treepack.cli.terminal.output import (
    UsageError,
    is_stream,
    output_file,
    print_message,
    replacing,
    write_bytes_to_stdout,
)
from treepack.cli.work import Task, run_all
from treepack.config import PackConfig
from treepack.display import counted, visible
from treepack.model.source import Source

_OUTPUT_FORMATS: Final[dict[str, OutputFormat]] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}
"""The format of an output file, by the suffix of its name."""


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
    if output_format == "parquet":
        from treepack.integrations import arrow  # noqa: PLC0415 - its extra may be missing

        return PackedDocument(len(chunks), table=arrow.to_arrow(chunks))  # pyright: ignore[reportUnknownMemberType] - pyarrow has no types
    return PackedDocument(len(chunks), [line.encode() for line in chunks.jsonl_lines()])


def pack_paths(
    paths: Sequence[Path],
    output: str | None,
    jobs: int,
    flags: Mapping[str, Any],
    *,
    output_format: OutputFormat | None,
) -> None:
    """Pack documents into a file or to standard output; see ``treepack pack --help``."""
    with command_call(flags) as call:
        documents = call.documents(paths)
        if output is None and output_format is None and sys.stdout.isatty():
            count = _print_summaries(call, documents, jobs)
        else:
            target = output_file(output, [document.path for document in documents])
            if target is not None:
                output_format = _output_format_of(target, output_format)
            count = _pack_documents(call, documents, target, jobs, output_format or "jsonl")
        call.close(len(documents) - count, count)


def _pack_documents(
    call: Call,
    documents: Sequence[DocumentFile],
    output: Path | None,
    jobs: int,
    output_format: OutputFormat,
) -> int:
    """Pack documents into a file or to standard output; return how many could be packed."""
    is_terminal = output is None and sys.stdout.isatty()
    if output_format == "parquet" and is_terminal:
        msg = "a Parquet table is not for a terminal: give a file, such as -o chunks.parquet"
        raise UsageError(msg)
    work = partial(pack_as, output_format, call.config)
    tasks = [Task(document, work) for document in documents]
    outcomes = run_all(tasks, jobs, "packing", quiet=call.quiet, with_progress=not is_terminal)
    counts: list[int] = []

    def packed() -> Iterator[PackedDocument]:
        for outcome in outcomes:
            if outcome.result is not None:
                counts.append(outcome.result.chunks)
                yield outcome.result

    if output is not None:
        with replacing(output) as draft:
            _write(packed(), draft.stream, output_format)
            draft.keep = bool(counts)  # if no document can be packed, the old file stays
        if not counts:
            print_message(f"no document could be packed; {output} was not written")
        elif not call.quiet:
            amount = f"{counted(sum(counts), 'chunk')} of {counted(len(counts), 'document')}"
            print_message(f"{amount} in {output}")
    elif output_format == "parquet":
        sys.stdout.flush()
        _write(packed(), sys.stdout.buffer, output_format)
    else:
        for line in (line for document in packed() for line in document.lines):
            # JSON's escapes mean the same, and do not control the terminal.
            write_bytes_to_stdout(visible(line.decode()).encode() if is_terminal else line)
    return len(counts)


def _print_summaries(call: Call, documents: Sequence[DocumentFile], jobs: int) -> int:
    """Print a line about each document's chunks, for a terminal; return the number packed."""
    from treepack.cli.terminal.page import chunk_sizes, print_total  # noqa: PLC0415 - rich is slow

    tasks = [Task(document, partial(chunk_sizes, call.config)) for document in documents]
    count = 0
    for outcome in run_all(tasks, jobs, "packing", quiet=call.quiet, with_progress=False):
        if outcome.result is not None:
            print_total(outcome.document.label, outcome.result, call.config.target_tokens)
            count += 1
    return count


def _output_format_of(output: Path, wanted: OutputFormat | None) -> OutputFormat:
    """Return the format of an output file: the wanted one, else the one that its suffix shows."""
    suffix_format = _OUTPUT_FORMATS.get(output.suffix.lower())
    if wanted is not None and suffix_format not in {None, wanted}:
        difference = f"means {suffix_format}, but --format is {wanted}"
        msg = f"the suffix of {output} {difference}; change either"
        raise UsageError(msg)
    found = wanted or ("jsonl" if is_stream(output) else suffix_format)
    if found is None:
        msg = (
            f"the name {output} has no suffix of a format that pack writes: use .jsonl or .ndjson "
            "(lines), .parquet (a table), or give --format; -o - writes lines to standard output"
        )
        raise UsageError(msg)
    return found


def _write(packed: Iterator[PackedDocument], stream: BinaryIO, output_format: OutputFormat) -> None:
    if output_format == "parquet":
        from treepack.integrations import arrow  # noqa: PLC0415 - its extra may be missing

        arrow.write_parquet((document.table for document in packed), stream)  # pyright: ignore[reportUnknownMemberType] - pyarrow has no types
        return
    for document in packed:
        stream.writelines(document.lines)

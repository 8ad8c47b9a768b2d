"""A document becomes JSON lines; many documents become one file of them."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import treepack
from treepack.cli.files import (
    STANDARD_INPUT,
    DocumentFile,
    EncodingErrors,
    collected_warnings,
    load,
)
from treepack.cli.output import (
    check_target,
    complain,
    complain_about,
    explain,
    progress,
    replacing,
    write_bytes_to_stdout,
)
from treepack.cli.work import map_in_order
from treepack.config import PackConfig


@dataclass(frozen=True)
class PackTask:
    """All that a worker needs to pack one document."""

    document: DocumentFile
    config: PackConfig
    encoding_errors: EncodingErrors


@dataclass(frozen=True)
class Packed:
    """What became of one document: JSON lines, or an error."""

    document: DocumentFile
    jsonl: str = ""
    chunks: int = 0
    warnings: Sequence[str] = ()
    error: str | None = None


def pack_documents(
    tasks: Sequence[PackTask],
    output: Path | None,
    jobs: int,
    print_chunks: Callable[[str, str], None],
) -> bool:
    """Pack documents into a file or to standard output; tell whether all of them went well.

    Without an output chosen, a terminal gets chunks for people to read (``print_chunks``, with
    the document's label and the JSON lines), anything else gets JSON lines.
    """
    if output is not None and str(output) != STANDARD_INPUT:
        check_target(output, [task.document.path for task in tasks])
        return _pack_into_file(tasks, output, jobs)
    for_people = output is None and sys.stdout.isatty()
    all_well = True
    for packed in _pack_all(tasks, jobs, with_progress=not sys.stdout.isatty()):
        all_well = all_well and packed.error is None
        if for_people:
            print_chunks(packed.document.label, packed.jsonl)
        else:
            write_bytes_to_stdout(packed.jsonl.encode())
    return all_well


def pack_one(task: PackTask) -> Packed:
    """Pack one document; whatever goes wrong with it is a result as well."""
    with collected_warnings() as said:
        try:
            source = load(task.document, task.encoding_errors)
            chunks = treepack.pack(source, task.config, name=task.document.name)
            jsonl, count, error = chunks.to_jsonl(), len(chunks), None
        except Exception as problem:  # noqa: BLE001 - the other documents go on
            jsonl, count, error = "", 0, explain(problem)
    return Packed(task.document, jsonl, count, tuple(said), error)


def _pack_all(tasks: Sequence[PackTask], jobs: int, *, with_progress: bool) -> Iterator[Packed]:
    with progress("packing", len(tasks), shown=with_progress) as count_one:
        for packed in map_in_order(pack_one, tasks, min(jobs, len(tasks))):
            complain_about(packed.document.label, packed.warnings, packed.error)
            yield packed
            count_one()


def _pack_into_file(tasks: Sequence[PackTask], output: Path, jobs: int) -> bool:
    """Write the chunks of all documents that can be packed; without any, leave the old file."""
    documents = chunks = 0
    with replacing(output) as draft:
        for packed in _pack_all(tasks, jobs, with_progress=True):
            draft.stream.write(packed.jsonl.encode())
            documents += packed.error is None
            chunks += packed.chunks
        draft.keep = documents > 0
    kept = f"{chunks} chunks of {documents} documents in {output}"
    complain(kept if draft.keep else f"no document could be packed; {output} was not written")
    return documents == len(tasks)

"""A document becomes JSON lines, or text to read; many documents become one file of them."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import treepack
from treepack.cli.files import (
    STANDARD_INPUT,
    DocumentFile,
    collected_warnings,
    load,
)
from treepack.cli.flags import EncodingErrors
from treepack.cli.output import (
    check_target,
    complain,
    complain_about,
    explain,
    progress,
    replacing,
    write_bytes_to_stdout,
)
from treepack.cli.preview import preview
from treepack.cli.work import map_in_order
from treepack.config import PackConfig

READABLE: Final = frozenset({".md", ".markdown"})
"""Names of output files that ask for a text to read instead of JSON lines."""


@dataclass(frozen=True)
class PackTask:
    """All that a worker needs to pack one document."""

    document: DocumentFile
    config: PackConfig
    encoding_errors: EncodingErrors
    for_reading: bool = False


@dataclass(frozen=True)
class Packed:
    """What became of one document: JSON lines (or a text to read), or an error."""

    document: DocumentFile
    text: str = ""
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
) -> bool:
    """Pack documents into a file or to standard output; tell whether all of them went well.

    Without an output chosen, a terminal gets chunks for people to read (``print_chunks``, with
    the document's label and the JSON lines), anything else gets JSON lines.
    """
    if output is not None and str(output) != STANDARD_INPUT:
        check_target(output, [task.document.path for task in tasks])
        if output.suffix.lower() in READABLE:
            tasks = [replace(task, for_reading=True) for task in tasks]
        return _pack_into_file(tasks, output, jobs, quiet=quiet)
    for_people = output is None and sys.stdout.isatty()
    all_well = True
    shown = not (quiet or sys.stdout.isatty())
    for packed in _pack_all(tasks, jobs, with_progress=shown, quiet=quiet):
        all_well = all_well and packed.error is None
        if for_people:
            print_chunks(packed.document.label, packed.text)
        else:
            write_bytes_to_stdout(packed.text.encode())
    return all_well


def pack_one(task: PackTask) -> Packed:
    """Pack one document; whatever goes wrong with it is a result as well."""
    with collected_warnings() as said:
        try:
            source = load(task.document, task.encoding_errors)
            chunks = treepack.pack(source, task.config, name=task.document.name)
            text = preview(chunks) if task.for_reading else chunks.to_jsonl()
            count, error = len(chunks), None
        except Exception as problem:  # noqa: BLE001 - the other documents go on
            text, count, error = "", 0, explain(problem)
    return Packed(task.document, text, count, tuple(said), error)


def _pack_all(
    tasks: Sequence[PackTask], jobs: int, *, with_progress: bool, quiet: bool
) -> Iterator[Packed]:
    with progress("packing", len(tasks), shown=with_progress) as count_one:
        for packed in map_in_order(pack_one, tasks, min(jobs, len(tasks))):
            warnings = () if quiet else packed.warnings
            complain_about(packed.document.label, warnings, packed.error)
            yield packed
            count_one()


def _pack_into_file(tasks: Sequence[PackTask], output: Path, jobs: int, *, quiet: bool) -> bool:
    """Write the chunks of all documents that can be packed; without any, leave the old file."""
    documents = chunks = 0
    with replacing(output) as draft:
        for packed in _pack_all(tasks, jobs, with_progress=not quiet, quiet=quiet):
            draft.stream.write(packed.text.encode())
            documents += packed.error is None
            chunks += packed.chunks
        draft.keep = documents > 0
    kept = f"{chunks} chunks of {documents} documents in {output}"
    if not draft.keep:
        complain(f"no document could be packed; {output} was not written")
    elif not quiet:
        complain(kept)
    return documents == len(tasks)

"""What the commands pack, show and audit do; ``app`` defines how they are called."""

import sys
from functools import partial
from pathlib import Path

from treepack.cli.audit import (
    audit_documents,
    largest_chunk_tokens,
    match_rows,
    print_report,
)
from treepack.cli.draw import PrintPacking, draw_document, preview_documents
from treepack.cli.flags import Engine, Flags, OutputFormat
from treepack.cli.inputs.records import read_rows
from treepack.cli.options import given_document, given_documents, parse_options
from treepack.cli.pack import pack_documents
from treepack.cli.ray_output import pack_into_folder
from treepack.cli.status import command_status
from treepack.cli.terminal.chunks import print_chunk, print_outline_changes, print_whole
from treepack.cli.terminal.output import output_file, print_message
from treepack.cli.terminal.page import print_page
from treepack.display import counted


def pack(  # noqa: PLR0913 - each is a choice of its own
    paths: list[Path] | None,
    output: str | None,
    jobs: int,
    flags: Flags,
    *,
    output_format: OutputFormat | None,
    engine: Engine,
) -> None:
    """Pack documents; see ``treepack pack --help``."""
    with command_status() as status:
        options = parse_options(flags)
        documents = given_documents(paths, status, options)
        config = options.config
        if engine == "ray":
            folder = None if output is None else Path(output)
            packed_count = pack_into_folder(
                documents, config, folder, jobs, output_format=output_format, quiet=options.quiet
            )
        elif output is None and output_format is None and sys.stdout.isatty():
            packed_count = preview_documents(documents, config, jobs, quiet=options.quiet)
        else:
            file = output_file(output)
            packed_count = pack_documents(
                documents, config, file, jobs, output_format=output_format, quiet=options.quiet
            )
        status.close(len(documents) - packed_count, packed_count)


def show(
    file: Path | None,
    flags: Flags,
    *,
    only_changes: bool,
    full: bool,
    chunk: int | None,
) -> None:
    """Print a document's outline and chunks; see ``treepack show --help``."""
    with command_status() as status:
        options = parse_options(flags)
        document = given_document(file, "show", status, options)
        print_packing: PrintPacking = print_page
        if only_changes:
            print_packing = print_outline_changes
        elif chunk is not None:
            print_packing = partial(print_chunk, number=chunk)
        elif full:
            print_packing = print_whole
        status.is_ok &= draw_document(document, options.config, print_packing, quiet=options.quiet)


def audit(
    paths: list[Path] | None,
    chunks: Path | None,
    jobs: int,
    flags: Flags,
) -> None:
    """Check chunks against the laws; see ``treepack audit --help``."""
    with command_status() as status:
        options = parse_options(flags)
        documents = given_documents(paths, status, options)
        config = options.config
        chunks_by_document = None
        if chunks is not None:
            chunks_by_document, unmatched = match_rows(read_rows(chunks), documents)
            for name, count in unmatched.items():
                status.report_problem(
                    f"{chunks} has {counted(count, 'chunk')} of {name!r}, which is not among the "
                    "documents given; give its path as well"
                )
        cap_is_known = chunks is None or "max_tokens" in options.set_names
        cap = config.max_tokens if cap_is_known else largest_chunk_tokens(chunks_by_document or {})
        report, complete = audit_documents(
            documents, config, cap, chunks_by_document, jobs, quiet=options.quiet
        )
        print_report(report)
        if not options.quiet:
            _note_on_cap(cap, is_known=cap_is_known)
        status.is_ok &= complete and report.ok


def _note_on_cap(cap: int | None, *, is_known: bool) -> None:
    if cap is None:
        print_message("note: the cap (law 3) was not checked; give it with --max")
    elif not is_known:
        print_message(
            f"note: the largest chunk ({cap} tokens) was taken as the cap; give the cap with --max"
        )

"""What the commands do; ``app`` defines how they are called."""

import sys
from functools import partial
from pathlib import Path

from treepack.cli.audit import (
    audit_documents,
    largest_chunk_tokens,
    match_rows,
    print_report,
)
from treepack.cli.flags import Flags, OutputFormat
from treepack.cli.inputs.files import DocumentFile
from treepack.cli.inputs.records import read_rows
from treepack.cli.options import given_document, given_documents, parse_options
from treepack.cli.pack import pack_documents, print_summaries
from treepack.cli.status import command_status
from treepack.cli.terminal.output import (
    UsageError,
    check_output_file,
    is_stream,
    output_file,
    print_message,
    replacing,
    write_bytes_to_stdout,
)
from treepack.cli.terminal.page import (
    PrintPacking,
    print_chunk,
    print_outline_changes,
    print_page,
    print_whole,
)
from treepack.cli.work import Task, run_one
from treepack.config import PackConfig
from treepack.display import counted
from treepack.model.source import Source
from treepack.report_page import render
from treepack.report_page.packing import packed


def pack(
    paths: list[Path],
    output: str | None,
    jobs: int,
    flags: Flags,
    *,
    output_format: OutputFormat | None,
) -> None:
    """Pack documents; see ``treepack pack --help``."""
    with command_status() as status:
        options = parse_options(flags)
        documents = given_documents(paths, status, options)
        config, quiet = options.config, options.quiet
        if output is None and output_format is None and sys.stdout.isatty():
            packed_count = print_summaries(documents, config, jobs, quiet=quiet)
        else:
            packed_count = pack_documents(
                documents,
                config,
                output_file(output),
                jobs,
                output_format=output_format,
                quiet=quiet,
            )
        status.close(len(documents) - packed_count, packed_count)


def show(
    file: Path,
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

        def draw(source: Source) -> None:
            print_packing(packed(source, options.config), document.label)

        status.is_ok &= run_one(Task(document, draw), quiet=options.quiet).error is None


def audit(
    paths: list[Path],
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


def report(file: Path, output: str | None, flags: Flags) -> None:
    """Write the report page; see ``treepack report --help``."""
    with command_status() as status:
        options = parse_options(flags)
        document = given_document(file, "report", status, options)
        target = output_file(output)
        _check_page_target(target, document)
        write = partial(_write_page, options.config, target)
        is_well = run_one(Task(document, write), quiet=options.quiet).error is None
        status.is_ok &= is_well
        if is_well and target is not None and not options.quiet:
            print_message(f"the report is in {target}")


def _write_page(config: PackConfig, output: Path | None, source: Source) -> None:
    page = render(packed(source, config)).encode()
    if output is None:
        write_bytes_to_stdout(page)
        return
    with replacing(output) as draft:
        draft.stream.write(page)


def _check_page_target(output: Path | None, document: DocumentFile) -> None:
    if output is None:
        if sys.stdout.isatty():
            msg = "the report is not for a terminal: give a file, such as -o report.html"
            raise UsageError(msg)
        return
    check_output_file(output, [document.path])
    if output.suffix.lower() not in {".html", ".htm"} and not is_stream(output):
        msg = f"the report is an HTML page: the name {output} must end in .html or .htm"
        raise UsageError(msg)

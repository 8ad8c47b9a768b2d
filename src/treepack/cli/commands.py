"""What the commands do; ``app`` defines how they are called."""

import sys
from functools import partial
from pathlib import Path

from treepack.cli.audit import DocumentChunks, audit_document, largest_chunk_tokens, match_rows
from treepack.cli.flags import Flags, OutputFormat
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
    Console,
    PrintPacking,
    print_chunk,
    print_outline_changes,
    print_page,
    print_whole,
    safe_lines,
)
from treepack.cli.work import Task, run_all, run_one
from treepack.config import PackConfig
from treepack.display import counted
from treepack.laws import AuditReport
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
            count = print_summaries(documents, config, jobs, quiet=quiet)
        else:
            target = output_file(output)
            count = pack_documents(
                documents, config, target, jobs, output_format=output_format, quiet=quiet
            )
        status.close(len(documents) - count, count)


def show(file: Path, flags: Flags, *, only_changes: bool, full: bool, chunk: int | None) -> None:
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


def audit(paths: list[Path], chunks: Path | None, jobs: int, flags: Flags) -> None:
    """Check chunks against the laws; see ``treepack audit --help``."""
    with command_status() as status:
        options = parse_options(flags)
        documents = given_documents(paths, status, options)
        config, note, has_cap = options.config, "", True
        given: dict[str, DocumentChunks] = {}
        if chunks is not None:
            given, unmatched = match_rows(read_rows(chunks), documents)
            for name, count in unmatched.items():
                status.report_problem(
                    f"{chunks} has {counted(count, 'chunk')} of {name!r}, which is not among the "
                    "documents given; give its path as well"
                )
            if "max_tokens" not in options.set_names and not config.levels:
                cap = largest_chunk_tokens(given)
                note = f"the largest chunk ({cap} tokens) was taken as the cap; give the cap"
                note = note if cap else "the cap (law 3) was not checked; give it"
                has_cap = cap is not None
                config = config.model_copy(update={"max_tokens": cap}) if cap else config
        check = partial(audit_document, config, has_cap=has_cap)
        tasks = [Task(each, partial(check, each.label, given.get(each.name))) for each in documents]
        outcomes = list(run_all(tasks, jobs, "auditing", quiet=options.quiet))
        reports = [outcome.result for outcome in outcomes if outcome.result is not None]
        report = AuditReport.merge(reports)
        console = Console()  # a terminal gets the first findings of each law
        table = report.table() if console.is_terminal else report.table(limit=None)
        console.print_text(safe_lines(table))
        if note and not options.quiet:
            print_message(f"note: {note} with --max")
        status.is_ok &= len(reports) == len(tasks) and report.ok


def report(file: Path, output: str | None, flags: Flags) -> None:
    """Write the report page; see ``treepack report --help``."""
    with command_status() as status:
        options = parse_options(flags)
        document = given_document(file, "report", status, options)
        target = output_file(output)
        if target is not None:
            check_output_file(target, [document.path])
            if target.suffix.lower() not in {".html", ".htm"} and not is_stream(target):
                msg = f"the report is an HTML page: the name {target} must end in .html or .htm"
                raise UsageError(msg)
        elif sys.stdout.isatty():
            msg = "the report is not for a terminal: give a file, such as -o report.html"
            raise UsageError(msg)
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

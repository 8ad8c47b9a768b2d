"""Packs one document and shows it: in the terminal, or as the report page."""

import sys
from collections.abc import Mapping
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from treepack.cli.call import Call, command_call
from treepack.cli.inputs.files import DocumentFile
from treepack.cli.terminal.output import (
    UsageError,
    is_stream,
    output_file,
    print_message,
    replacing,
    write_bytes_to_stdout,
)
from treepack.cli.terminal.page import (
    PrintPacking,
    print_chunk,
    print_page,
)
from treepack.cli.work import Task, run_task
from treepack.errors import SourceError
from treepack.model.source import Source
from treepack.report_page import render
from treepack.report_page.packing import Packing, packed


def show_file(
    file: Path, flags: Mapping[str, Any], *, full: bool, chunk: int | None, label: str = ""
) -> None:
    """Print a document's outline and chunks; see ``treepack show --help``."""
    with command_call(flags) as call:
        print_packing = partial(print_page, is_full=full)
        if chunk is not None:
            print_packing = partial(print_chunk, number=chunk)
        document = call.document(file, "show")
        _use_packing(call, document, lambda made, name: print_packing(made, label or name))


def show_sample(flags: Mapping[str, Any], chunk: int | None, output: str | None) -> None:
    """Show a law with clauses, pages and a table; see ``treepack demo --help``."""
    with as_file(files("treepack.cli").joinpath("river-act.md")) as path:
        if output is not None:
            report_file(path, output, flags)
            return
        show_file(path, flags, full=False, chunk=chunk, label=path.name)
        if chunk is None and sys.stdout.isatty():
            print_message("treepack demo -o act.html writes this as a page")


def report_file(file: Path, output: str | None, flags: Mapping[str, Any]) -> None:
    """Write the report page; see ``treepack report --help``."""
    with command_call(flags) as call:
        document = call.document(file, "report")
        target = output_file(output, [document.path])
        if target is None and sys.stdout.isatty():
            msg = "the report is not for a terminal: give a file, such as -o report.html"
            raise UsageError(msg)
        if target and target.suffix.lower() not in {".html", ".htm"} and not is_stream(target):
            msg = f"the report is an HTML page: the name {target} must end in .html or .htm"
            raise UsageError(msg)

        def write(packing: Packing, _label: str) -> None:
            page = render(packing).encode()
            if target is None:
                write_bytes_to_stdout(page)
                return
            with replacing(target) as draft:
                draft.stream.write(page)

        _use_packing(call, document, write)
        if call.is_ok and target is not None and not call.quiet:
            print_message(f"the report is in {target}")


def _use_packing(call: Call, document: DocumentFile, use: PrintPacking) -> None:
    def work(source: Source) -> None:
        use(packed(source, call.config), document.label)

    outcome = run_task(Task(document, work), SourceError)
    outcome.print_problems(quiet=call.quiet)
    call.is_ok &= outcome.error is None

"""What the commands report, stats and compare do; ``app`` defines how they are called."""

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from treepack.cli.draw import figures_of
from treepack.cli.flags import Flags
from treepack.cli.inputs.files import DocumentFile
from treepack.cli.options import (
    PRESETS,
    Options,
    described_config,
    given_document,
    given_documents,
    parse_options,
)
from treepack.cli.status import CommandStatus, command_status
from treepack.cli.terminal.output import (
    UsageError,
    check_output_file,
    is_stream,
    output_file,
    print_message,
    print_visible,
    print_wrapped,
    replacing,
    write_bytes_to_stdout,
)
from treepack.cli.terminal.tables import census_text, figures_text
from treepack.cli.work import Task, run_all, run_one
from treepack.config import PackConfig
from treepack.model.source import Source
from treepack.report import render
from treepack.report.census import Census, census
from treepack.report.packings import packed, parsed
from treepack.report.sums import summed

T = TypeVar("T")

_PAGES: Final = frozenset({".html", ".htm"})


def report(
    file: Path | None,
    output: str | None,
    compare: str | None,
    flags: Flags,
) -> None:
    """Write the report page; see ``treepack report --help``."""
    with command_status() as status:
        options = parse_options(flags)
        document = given_document(file, "report", status, options)
        packings = [("default" if options.config == PackConfig() else "settings", options.config)]
        if compare is not None:
            packings.append((compare, described_config(compare, options.config.encoding)))
        target = output_file(output)
        _check_page_target(target, document)
        write = partial(_write_page, packings, target)
        is_well = run_one(Task(document, write), quiet=options.quiet).error is None
        status.is_ok &= is_well
        if is_well and target is not None and not options.quiet:
            print_message(f"the report is in {target}")


def stats(
    paths: list[Path] | None,
    jobs: int,
    flags: Flags,
    *,
    as_json: bool,
) -> None:
    """Print what documents are made of; see ``treepack stats --help``."""
    with command_status() as status:
        options = parse_options(flags)
        documents = given_documents(paths, status, options)
        work = partial(_census, options.config)
        total = summed([Census(), *_measured(documents, work, jobs, options, status)])
        if as_json:
            print_visible(json.dumps(total.summary(), indent=2))
        else:
            print_wrapped(census_text(total))


def compare(
    paths: list[Path] | None,
    presets: list[str] | None,
    jobs: int,
    flags: Flags,
    *,
    as_json: bool,
) -> None:
    """Print figures of packings; see ``treepack compare --help``."""
    with command_status() as status:
        options = parse_options(flags)
        documents = given_documents(paths, status, options)
        encoding, fallbacks = options.config.encoding, options.from_command_line
        packings = [
            (description, described_config(description, encoding, fallbacks))
            for description in presets or PRESETS
        ]
        results = _measured(documents, partial(figures_of, packings), jobs, options, status)
        if results:
            columns = zip(*results, strict=True)
            totals = [summed(column) for column in columns]
            summaries = [total.summary() for total in totals]
            if as_json:
                print_visible(json.dumps(summaries, indent=2))
            else:
                print_wrapped(figures_text(totals))


def _measured(
    documents: Sequence[DocumentFile],
    work: Callable[[Source], T],
    jobs: int,
    options: Options,
    status: CommandStatus,
) -> list[T]:
    """Return the results of all documents that can be read; the others are reported as failures."""
    tasks = [Task(document, work) for document in documents]
    outcomes = run_all(tasks, jobs, "measuring", quiet=options.quiet)
    results = [outcome.result for outcome in outcomes if outcome.result is not None]
    status.is_ok &= len(results) == len(tasks)
    return results


def _census(config: PackConfig, source: Source) -> Census:
    return census(parsed(source, config))


def _write_page(
    packings: list[tuple[str, PackConfig]], output: Path | None, source: Source
) -> None:
    page = render([packed(source, config, label) for label, config in packings]).encode()
    if output is None:
        write_bytes_to_stdout(page)
        return
    with replacing(output) as draft:
        draft.target.write(page)


def _check_page_target(output: Path | None, document: DocumentFile) -> None:
    if output is None:
        if _is_terminal():
            msg = "the report is not for a terminal: give a file, such as -o report.html"
            raise UsageError(msg)
        return
    check_output_file(output, [document.path])
    if output.suffix.lower() not in _PAGES and not is_stream(output):
        msg = f"the report is an HTML page: the name {output} must end in .html or .htm"
        raise UsageError(msg)


def _is_terminal() -> bool:
    return sys.stdout.isatty()

"""What the commands report, stats and compare do; ``app`` defines how they are called."""

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from treepack.cli.choices import PRESETS, Choices, choices, described, document_at, documents_at
from treepack.cli.draw import figures_of
from treepack.cli.endings import Ending, plain_endings
from treepack.cli.flags import Flags
from treepack.cli.inputs.files import DocumentFile
from treepack.cli.terminal.output import (
    UsageProblem,
    as_file,
    check_target,
    complain,
    is_stream,
    replacing,
    say,
    say_lines,
    write_bytes_to_stdout,
)
from treepack.cli.terminal.tables import census_text, figures_text
from treepack.cli.work import Task, do_all, do_one
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
    with plain_endings() as ending:
        chosen = choices(flags)
        document = document_at(file, "report", ending.complain, chosen.reading)
        ways = [("default" if chosen.config == PackConfig() else "settings", chosen.config)]
        if compare is not None:
            ways.append((compare, described(compare, chosen.config.encoding)))
        target = as_file(output)
        _check_page_target(target, document)
        write = partial(_write_page, ways, target)
        is_well = do_one(Task(document, write), quiet=chosen.quiet).error is None
        ending.all_well &= is_well
        if is_well and target is not None and not chosen.quiet:
            complain(f"the report is in {target}")


def stats(
    paths: list[Path] | None,
    jobs: int,
    flags: Flags,
    *,
    as_json: bool,
) -> None:
    """Print what documents are made of; see ``treepack stats --help``."""
    with plain_endings() as ending:
        chosen = choices(flags)
        documents = documents_at(paths, ending, chosen)
        work = partial(_census, chosen.config)
        total = summed([Census(), *_measured(documents, work, jobs, chosen, ending)])
        if as_json:
            say(json.dumps(total.summary(), indent=2))
        else:
            say_lines(census_text(total))


def compare(
    paths: list[Path] | None,
    presets: list[str] | None,
    jobs: int,
    flags: Flags,
    *,
    as_json: bool,
) -> None:
    """Print figures of packings; see ``treepack compare --help``."""
    with plain_endings() as ending:
        chosen = choices(flags)
        documents = documents_at(paths, ending, chosen)
        ways = [
            (each, described(each, chosen.config.encoding, chosen.given))
            for each in presets or PRESETS
        ]
        found = _measured(documents, partial(figures_of, ways), jobs, chosen, ending)
        if found:
            columns = zip(*found, strict=True)
            totals = [summed(column) for column in columns]
            summaries = [total.summary() for total in totals]
            if as_json:
                say(json.dumps(summaries, indent=2))
            else:
                say_lines(figures_text(totals))


def _measured(
    documents: Sequence[DocumentFile],
    work: Callable[[Source], T],
    jobs: int,
    chosen: Choices,
    ending: Ending,
) -> list[T]:
    """Return the results of all documents that can be read; the others are reported as failures."""
    tasks = [Task(document, work) for document in documents]
    every = do_all(tasks, jobs, "measuring", quiet=chosen.quiet)
    found = [done.result for done in every if done.result is not None]
    ending.all_well &= len(found) == len(tasks)
    return found


def _census(config: PackConfig, source: Source) -> Census:
    return census(parsed(source, config))


def _write_page(ways: list[tuple[str, PackConfig]], output: Path | None, source: Source) -> None:
    page = render([packed(source, config, label) for label, config in ways]).encode()
    if output is None:
        write_bytes_to_stdout(page)
        return
    with replacing(output) as draft:
        draft.place.write(page)


def _check_page_target(output: Path | None, document: DocumentFile) -> None:
    if output is None:
        if _is_terminal():
            msg = "the report is not for a terminal: give a file, such as -o report.html"
            raise UsageProblem(msg)
        return
    check_target(output, [document.path])
    if output.suffix.lower() not in _PAGES and not is_stream(output):
        msg = f"the report is an HTML page: the name {output} must end in .html or .htm"
        raise UsageProblem(msg)


def _is_terminal() -> bool:
    return sys.stdout.isatty()

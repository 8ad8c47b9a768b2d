"""What the commands report, stats and compare do; ``app`` says how they are called."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from treepack.cli.choices import PRESETS, Choices, choices, described, document_at, documents_at
from treepack.cli.endings import Ending, plain_endings
from treepack.cli.flags import EncodingErrors, Flags
from treepack.cli.inputs.files import STANDARD_INPUT, DocumentFile, collected_warnings, load
from treepack.cli.measure import Measured, MeasureTask, measure_documents
from treepack.cli.terminal.output import (
    UsageProblem,
    as_file,
    check_target,
    complain,
    complain_about,
    explain,
    is_stream,
    replacing,
    say,
    say_lines,
    write_bytes_to_stdout,
)
from treepack.cli.terminal.tables import census_text, figures_text
from treepack.config import PackConfig
from treepack.errors import SourceError
from treepack.model.source import Source
from treepack.report import census, figures, render
from treepack.report.packings import packed

_PAGES: Final = frozenset({".html", ".htm"})


def report(
    file: Path | None,
    output: str | None,
    compare: str | None,
    encoding_errors: EncodingErrors,
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
        error = None
        with collected_warnings() as warnings:
            try:
                source = replace(load(document, encoding_errors), name=document.name)
                _write_page(_page(source, ways), target)
            except SourceError as problem:
                error = explain(problem)
        complain_about(document.label, () if chosen.quiet else warnings, error)
        ending.all_well &= error is None
        if error is None and target is not None and not chosen.quiet and not _is_stdout(target):
            complain(f"the report is in {target}")


def stats(
    paths: list[Path] | None,
    encoding_errors: EncodingErrors,
    jobs: int,
    flags: Flags,
    *,
    as_json: bool,
) -> None:
    """Print what documents are made of; see ``treepack stats --help``."""
    with plain_endings() as ending:
        chosen = choices(flags)
        documents = documents_at(paths, ending, chosen)
        tasks = [MeasureTask(each, encoding_errors, chosen.config) for each in documents]
        found = _measured(tasks, jobs, chosen, ending)
        total = census.merged(each.census for each in found if each.census is not None)
        if as_json:
            say(_as_json(total.summary()))
        else:
            say_lines(census_text(total))


def compare(  # noqa: PLR0913 - one for each part of the call
    paths: list[Path] | None,
    presets: list[str] | None,
    encoding_errors: EncodingErrors,
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
        tasks = [MeasureTask(each, encoding_errors, chosen.config, ways) for each in documents]
        found = _measured(tasks, jobs, chosen, ending)
        if found:
            columns = zip(*(each.figures for each in found), strict=True)
            totals = [figures.merged(column) for column in columns]
            summaries = [total.summary() for total in totals]
            if as_json:
                say(_as_json(summaries))
            else:
                say_lines(figures_text(totals))


def _measured(
    tasks: Sequence[MeasureTask], jobs: int, chosen: Choices, ending: Ending
) -> list[Measured]:
    """The figures of all documents that can be read; the others are reported as failures."""
    found = list(measure_documents(tasks, jobs, quiet=chosen.quiet))
    ending.all_well &= len(found) == len(tasks)
    return found


def _page(source: Source, ways: list[tuple[str, PackConfig]]) -> bytes:
    return render([packed(source, config, label) for label, config in ways]).encode()


def _write_page(page: bytes, output: Path | None) -> None:
    if output is None or _is_stdout(output):
        write_bytes_to_stdout(page)
        return
    with replacing(output) as draft:
        draft.place.write(page)


def _check_page_target(output: Path | None, document: DocumentFile) -> None:
    if (output is None or _is_stdout(output)) and _is_terminal():
        msg = "give a file for the page, such as -o report.html"
        raise UsageProblem(msg)
    if output is None or _is_stdout(output):
        return
    check_target(output, [document.path])
    if output.suffix.lower() not in _PAGES and not is_stream(output):
        msg = f"{output} does not name a page: end it in .html or .htm"
        raise UsageProblem(msg)


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _is_stdout(output: Path) -> bool:
    return str(output) == STANDARD_INPUT


def _as_json(value: object) -> str:
    return json.dumps(value, indent=2)

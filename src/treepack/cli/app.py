"""The commands; only here and in flags: typer."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Unpack

import typer

from treepack.cli.audit import AuditTask, audit_documents, largest_record, match_rows, print_report
from treepack.cli.files import collected_warnings, find_documents, load
from treepack.cli.flags import DecodingErrors, Jobs, Paths, Settings, with_settings
from treepack.cli.output import FAILED, MISUSED, UsageProblem, complain, complain_about, explain
from treepack.cli.pack import PackTask, pack_documents
from treepack.cli.records import read_rows
from treepack.cli.settings import FileSettings, make_config, read_settings
from treepack.cli.show import print_chunks, print_document, print_outline_changes
from treepack.cli.work import WorkerDiedError
from treepack.config import PackConfig
from treepack.errors import ChunkRecordError, MissingExtraError, SourceError, TokenizerError
from treepack.sentences import sentence_splitter
from treepack.tokens import token_counter

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def treepack(
    *,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Pack documents into chunks for retrieval: nothing lost, no cap broken.

    Settings are read from treepack.toml, or else [tool.treepack] of pyproject.toml, in the current
    folder; flags win. Exit status: 0 all went well, 1 a document failed or a law is broken, 2 the
    call makes no sense.
    """
    if show_version:
        print(f"treepack {version('treepack')}")
        raise typer.Exit


@app.command()
@with_settings
def pack(
    paths: Paths,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write JSON lines here; - is standard output, as when nothing is given, "
            "except that a terminal then gets chunks to read.",
        ),
    ] = None,
    encoding_errors: DecodingErrors = "replace",
    jobs: Jobs = 1,
    **settings: Unpack[Settings],
) -> None:
    """Pack documents into chunks: one JSON line for each, files in sorted order."""
    with _plain_endings() as ending:
        config = _config(settings, read_settings(Path.cwd()))
        documents = find_documents(paths, ending.complain)
        tasks = [PackTask(document, config, encoding_errors) for document in documents]
        ending.all_well &= pack_documents(tasks, output, jobs, print_chunks)


@app.command()
@with_settings
def show(
    file: Annotated[Path, typer.Argument(help="A document; - is standard input.")],
    *,
    outline_changes: Annotated[
        bool,
        typer.Option(
            "--outline-changes",
            help="Print only which headings did not keep their level, and why.",
        ),
    ] = False,
    encoding_errors: DecodingErrors = "replace",
    **settings: Unpack[Settings],
) -> None:
    """Print a document's outline and its chunks for people to read."""
    with _plain_endings() as ending:
        config = _config(settings, read_settings(Path.cwd()))
        if file.is_dir():
            msg = f"{file} is a folder; show takes one file"
            raise UsageProblem(msg)
        [document] = find_documents([file], ending.complain)
        error = None
        with collected_warnings() as warnings:
            try:
                source = load(document, encoding_errors)
                (print_outline_changes if outline_changes else print_document)(
                    source, document.label, config
                )
            except SourceError as problem:
                error = explain(problem)
        complain_about(document.label, warnings, error)
        ending.all_well &= error is None


@app.command()
@with_settings
def audit(
    paths: Paths,
    *,
    chunks: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Chunks to judge, as JSON lines of treepack or of another tool (text, document); "
            "without it the documents are packed first.",
        ),
    ] = None,
    encoding_errors: DecodingErrors = "replace",
    jobs: Jobs = 1,
    **settings: Unpack[Settings],
) -> None:
    """Hold chunks against the laws: print a table by law, then each finding with its place."""
    with _plain_endings() as ending:
        from_file = read_settings(Path.cwd())
        config = _config(settings, from_file)
        documents = find_documents(paths, ending.complain)
        given = None
        if chunks is not None:
            given, strays = match_rows(read_rows(chunks), documents)
            for name, count in strays.items():
                ending.complain(f"{chunks}: {count} chunks of {name!r}, which is not there")
        cap_is_known = chunks is None or "max_tokens" in {**from_file.values, **_given(settings)}
        cap = config.max_tokens if cap_is_known else largest_record(given or {})
        report, complete = audit_documents(
            [
                AuditTask(
                    document,
                    config,
                    cap,
                    encoding_errors,
                    None if given is None else given[document.name],
                )
                for document in documents
            ],
            jobs,
        )
        print_report(report)
        if cap is None:
            complain("note: the cap (law 3) was not checked; give it with --max")
        elif not cap_is_known:
            complain(
                f"note: the largest chunk ({cap} tokens) stands for the cap; give it with --max"
            )
        ending.all_well &= complete and report.ok


@dataclass
class _Ending:
    """How a command is going to end."""

    all_well: bool = True

    def complain(self, message: str) -> None:
        """Say what went wrong; the command goes on, but does not end well."""
        complain(message)
        self.all_well = False


@contextmanager
def _plain_endings() -> Generator[_Ending, None, None]:
    """Turn what can go wrong into a sentence on standard error and an exit status."""
    ending = _Ending()
    try:
        yield ending
        sys.stdout.flush()
    except (UsageProblem, ChunkRecordError, TokenizerError, MissingExtraError) as problem:
        complain(str(problem))
        raise typer.Exit(MISUSED) from None
    except WorkerDiedError as problem:
        complain(str(problem))
        raise typer.Exit(FAILED) from None
    except OSError as problem:  # of the output; what a document raises is reported with it
        if not isinstance(problem, BrokenPipeError):  # else the reader has seen enough
            complain(f"cannot write: {problem}")
        _abandon_stdout()
        raise typer.Exit(FAILED) from None
    if not ending.all_well:
        raise typer.Exit(FAILED)


def _abandon_stdout() -> None:
    """Let Python's last flush of standard output go nowhere instead of failing once more."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _config(settings: Settings, from_file: FileSettings) -> PackConfig:
    """Make the settings and try what they name once, before any document is touched."""
    config = make_config(_given(settings), from_file)
    token_counter(config.encoding)
    sentence_splitter(config.sentence_splitter)
    return config


def _given(settings: Settings) -> dict[str, object]:
    """The settings whose flags were given."""
    return {name: value for name, value in settings.items() if value is not None}

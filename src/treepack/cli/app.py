"""How the commands are called: their flags and their help.

What a command does is imported only when it is called, so that help appears at once.
"""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer
from typer.core import TyperGroup

from treepack.cli.flags import (
    FOLDER_FLAGS,
    File,
    Jobs,
    OutputFormat,
    Paths,
    with_setting_flags,
)


@contextmanager
def _usage_errors_in_one_line() -> Generator[None, None, None]:
    try:
        yield
    except Exception as problem:
        # Some versions of typer contain their own click, so its errors may be of two classes.
        format_message = getattr(problem, "format_message", None)
        # A NoArgsIsHelpError prints the help.
        if format_message is None or type(problem).__name__ == "NoArgsIsHelpError":
            raise
        from treepack.cli.terminal.output import MISUSED, print_message  # noqa: PLC0415 - deferred

        message: str = format_message().rstrip(".")
        path = getattr(getattr(problem, "ctx", None), "command_path", "treepack")
        see = " See" if message.endswith("?") else "; see"
        print_message(f"{message[:1].lower()}{message[1:]}{see} {path} --help")
        raise typer.Exit(MISUSED) from None


_SAME: Final = {
    **{f"{name}-tokens": name for name in ("target", "max", "min", "overlap")},
    "chunk-size": "max",
    "chunk-overlap": "overlap",
}
"""Other names of flags, which help leaves out: those of the settings and of the frameworks."""


Chunk = Annotated[
    int | None,
    typer.Option("--chunk", metavar="N", help="Print only the chunk with this number."),
]
ReportOutput = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the report to this file, whose name must end in .html or .htm; - is standard "
        "output, which must not be a terminal.",
    ),
]


def _same_name(name: str) -> str:
    return _SAME.get(name, name)


class Commands(TyperGroup):
    """All commands; a wrong call is reported in one line, like every other error."""

    make_context = _usage_errors_in_one_line()(TyperGroup.make_context)
    invoke = _usage_errors_in_one_line()(TyperGroup.invoke)


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "token_normalize_func": _same_name,
    },
)


def _print_version(is_asked: bool) -> None:  # noqa: FBT001 - typer calls it with the flag's value
    if is_asked:
        from importlib.metadata import version  # noqa: PLC0415 - a slow import

        print(f"treepack {version('treepack')}")
        raise typer.Exit


@app.callback(
    epilog="**Examples**\n\n"
    "- `treepack demo`: what it does, on a short law\n\n"
    "- `treepack pack docs/ -o chunks.jsonl`\n\n"
    "- `treepack show manual.md`\n\n"
    "- `treepack report manual.md -o manual.html`"
)
def treepack(
    *,
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Pack documents into chunks for retrieval: nothing lost, no cap broken.

    Settings come from [tool.treepack] of pyproject.toml in the current folder; flags win over them.

    Exit status: 0 success, 1 a document failed or a law is broken, 2 the command line is wrong,
    130 interrupted, 141 the reading end of a pipe was closed.
    """


@app.command(
    epilog="**Examples**\n\n"
    "- `treepack pack docs/ -o chunks.jsonl --target 400 --max 800`: a folder into a file\n\n"
    "- `treepack pack docs/ -o chunks.parquet --jobs 4`: a table for pandas, Polars, DuckDB\n\n"
    "- `treepack pack - < notes.md | head -n 1`: in a pipe\n\n"
    "- `treepack pack docs/ --exclude drafts/ --strict -o chunks.jsonl`: skipping is an error",
)
@with_setting_flags()
def pack(
    paths: Paths,
    *,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to this file; its suffix determines the format: .jsonl, .ndjson or "
            ".parquet. - is standard output. Without this flag, chunks go to standard output, and "
            "a terminal shows a line about each document instead.",
        ),
    ] = None,
    output_format: Annotated[
        OutputFormat | None,
        typer.Option(
            "--format",
            help="The format for standard output and for file names with another suffix. (jsonl)",
        ),
    ] = None,
    jobs: Jobs = 1,
    **flags: object,
) -> None:
    """Pack documents into chunks: one line or row for each chunk, files in sorted order."""
    from treepack.cli.pack import pack_paths  # noqa: PLC0415 - see the module's beginning

    pack_paths(paths, output, jobs, flags, output_format=output_format)


@app.command(
    epilog="**Examples**\n\n"
    "- `treepack show manual.md --chunk 7`: one chunk with its whole text\n\n"
    "- `treepack show manual.md --full | less`: all chunks with their texts",
)
@with_setting_flags(*FOLDER_FLAGS)
def show(
    file: File,
    *,
    full: Annotated[
        bool,
        typer.Option("--full", help="Print all of the outline, what changed in it, and all texts."),
    ] = False,
    chunk: Chunk = None,
    **flags: object,
) -> None:
    """Print a page about a document and its chunks: outline, a line for each chunk, summary.

    On a terminal, the page fits its height; in a file or a pipe, the page has all lines.
    """
    from treepack.cli.one_document import show_file  # noqa: PLC0415 - see the module's beginning

    show_file(file, flags, full=full, chunk=chunk)


@app.command(
    epilog="**Examples**\n\n"
    "- `treepack audit docs/`: pack and check\n\n"
    "- `treepack audit docs/ --chunks chunks.jsonl --max 1024`: check chunks of any tool",
)
@with_setting_flags()
def audit(
    paths: Paths,
    *,
    chunks: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Chunks to check, from treepack or another tool (fields text and document): JSON "
            "lines, Parquet, or a folder of Parquet files. Without this flag, the documents are "
            "packed first.",
        ),
    ] = None,
    jobs: Jobs = 1,
    **flags: object,
) -> None:
    """Check chunks against the laws: print a table by law, then each finding with its place.

    A terminal shows the first findings of each law; a file or a pipe gets all of them.
    """
    from treepack.cli.audit import audit_paths  # noqa: PLC0415 - see the module's beginning

    audit_paths(paths, chunks, jobs, flags)


@app.command(
    epilog="**Examples**\n\n- `treepack demo --chunk 9`: a part of a table, with its header\n\n"
    "- `treepack demo -o act.html`: the report page"
)
@with_setting_flags(*FOLDER_FLAGS)
def demo(
    *,
    chunk: Chunk = None,
    output: ReportOutput = None,
    **flags: object,
) -> None:
    """Pack a short law that comes with treepack, and print a page about it, or write its report."""
    from treepack.cli.one_document import show_sample  # noqa: PLC0415 - see the module's beginning

    show_sample(flags, chunk, output)


@app.command(epilog="**Example**\n\n- `treepack report manual.md -o manual.html`")
@with_setting_flags(*FOLDER_FLAGS)
def report(
    file: File,
    *,
    output: ReportOutput = None,
    **flags: object,
) -> None:
    """Write one self-contained HTML page that shows where a document is cut, and why."""
    from treepack.cli.one_document import report_file  # noqa: PLC0415 - see the module's beginning

    report_file(file, output, flags)

"""The commands that pack and judge; only here and in flags, choices, endings, looking: typer."""

from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Unpack

import typer

from treepack.cli.audit import AuditTask, audit_documents, largest_record, match_rows, print_report
from treepack.cli.choices import choices, document_at, documents_at
from treepack.cli.endings import plain_endings
from treepack.cli.files import collected_warnings, load
from treepack.cli.flags import DecodingErrors, File, Flags, Jobs, Paths, with_settings
from treepack.cli.looking import compare, report, stats
from treepack.cli.output import complain, complain_about, explain
from treepack.cli.pack import PackTask, pack_documents
from treepack.cli.records import read_rows
from treepack.cli.show import print_chunks, print_document
from treepack.errors import SourceError

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(is_asked: bool) -> None:  # noqa: FBT001 - typer calls it with the flag's value
    if is_asked:
        print(f"treepack {version('treepack')}")
        raise typer.Exit


@app.callback(
    epilog="**Examples**\n\n"
    "- `treepack pack docs/ -o chunks.jsonl`\n\n"
    "- `treepack stats docs/`\n\n"
    "- `treepack report manual.md -o manual.html`"
)
def treepack(
    *,
    show_version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print it.")
    ] = False,
) -> None:
    """Pack documents into chunks for retrieval: nothing lost, no cap broken.

    Settings come from flags, then --config, then environment variables such as
    TREEPACK_MAX_TOKENS, then treepack.toml or [tool.treepack] of pyproject.toml in the current
    folder; the first that says something wins.

    Exit status: 0 all went well, 1 a document failed or a law is broken, 2 the call makes no
    sense, 130 interrupted, 141 the reader of a pipe went away.
    """


@app.command(
    epilog="**Examples**\n\n"
    "- `treepack pack docs/ -o chunks.jsonl --target 400 --max 800`: a folder into a file\n\n"
    "- `treepack pack act.md --preset standards -o act-chunks.md`: chunks to read through\n\n"
    "- `treepack pack - < notes.md | head -n 1`: in a pipe\n\n"
    "- `treepack pack docs/ --config oversize_table=keep --show-settings`: what would be in effect"
)
@with_settings
def pack(
    paths: Paths = None,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write JSON lines here, or a text to read if the name ends in .md; - is standard "
            "output, as when nothing is given, except that a terminal then gets chunks to read.",
        ),
    ] = None,
    encoding_errors: DecodingErrors = "replace",
    jobs: Jobs = 1,
    **flags: Unpack[Flags],
) -> None:
    """Pack documents into chunks: one JSON line for each, files in sorted order."""
    with plain_endings() as ending:
        chosen = choices(flags)
        documents = documents_at(paths, ending.complain)
        tasks = [PackTask(document, chosen.config, encoding_errors) for document in documents]
        ending.all_well &= pack_documents(tasks, output, jobs, print_chunks, quiet=chosen.quiet)


@app.command(
    epilog="**Examples**\n\n"
    "- `treepack show manual.md --target 256`\n\n"
    "- `treepack show manual.md | less`"
)
@with_settings
def show(
    file: File = None,
    *,
    encoding_errors: DecodingErrors = "replace",
    **flags: Unpack[Flags],
) -> None:
    """Print a document's outline and its chunks for people to read."""
    with plain_endings() as ending:
        chosen = choices(flags)
        document = document_at(file, "show", ending.complain)
        error = None
        with collected_warnings() as warnings:
            try:
                source = load(document, encoding_errors)
                print_document(source, document.label, chosen.config)
            except SourceError as problem:
                error = explain(problem)
        complain_about(document.label, () if chosen.quiet else warnings, error)
        ending.all_well &= error is None


@app.command(
    epilog="**Examples**\n\n"
    "- `treepack audit docs/`: pack and judge\n\n"
    "- `treepack audit docs/ --chunks chunks.jsonl --max 1024`: judge chunks, also another tool's"
)
@with_settings
def audit(
    paths: Paths = None,
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
    **flags: Unpack[Flags],
) -> None:
    """Hold chunks against the laws: print a table by law, then each finding with its place."""
    with plain_endings() as ending:
        chosen = choices(flags)
        documents = documents_at(paths, ending.complain)
        given = None
        if chunks is not None:
            given, strays = match_rows(read_rows(chunks), documents)
            for name, count in strays.items():
                ending.complain(f"{chunks}: {count} chunks of {name!r}, which is not there")
        cap_is_known = chunks is None or "max_tokens" in chosen.settings
        cap = chosen.config.max_tokens if cap_is_known else largest_record(given or {})
        tasks = [
            AuditTask(
                document,
                chosen.config,
                cap,
                encoding_errors,
                None if given is None else given[document.name],
            )
            for document in documents
        ]
        found, complete = audit_documents(tasks, jobs, quiet=chosen.quiet)
        print_report(found)
        if not chosen.quiet:
            _note_on_cap(cap, is_known=cap_is_known)
        ending.all_well &= complete and found.ok


def _note_on_cap(cap: int | None, *, is_known: bool) -> None:
    if cap is None:
        complain("note: the cap (law 3) was not checked; give it with --max")
    elif not is_known:
        complain(f"note: the largest chunk ({cap} tokens) stands for the cap; give it with --max")


app.command(
    epilog="**Examples**\n\n"
    "- `treepack report manual.md -o manual.html`\n\n"
    "- `treepack report act.md -o act.html --compare standards`: two packings side by side\n\n"
    "- `treepack report act.md -o act.html --compare standards,max_tokens=800`"
)(with_settings(report))
app.command(
    epilog="**Examples**\n\n- `treepack stats docs/ --jobs 2`\n\n- `treepack stats act.md --json`"
)(with_settings(stats))
app.command(
    epilog="**Examples**\n\n"
    "- `treepack compare docs/ --preset default --preset standards`\n\n"
    "- `treepack compare docs/ --preset max_tokens=512 --preset max_tokens=1024`\n\n"
    "- `treepack compare docs/ --preset ours.toml --preset sections --json`"
)(with_settings(compare, without={"preset"}))

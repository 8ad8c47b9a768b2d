"""What the commands pack, show and audit do; ``app`` defines how they are called."""

import sys
from functools import partial
from pathlib import Path

from treepack.cli.audit import audit_documents, auditing, largest_record, match_rows, print_report
from treepack.cli.choices import choices, document_at, documents_at
from treepack.cli.draw import Drawing, draw_document, preview_documents
from treepack.cli.endings import plain_endings
from treepack.cli.flags import Engine, Flags, Form
from treepack.cli.inputs.records import read_rows
from treepack.cli.pack import pack_documents
from treepack.cli.ray_output import pack_into_folder
from treepack.cli.terminal.chunks import print_chunk, print_outline_changes, print_whole
from treepack.cli.terminal.output import as_file, complain
from treepack.cli.terminal.page import print_page
from treepack.display import counted


def pack(  # noqa: PLR0913 - each is a choice of its own
    paths: list[Path] | None,
    output: str | None,
    jobs: int,
    flags: Flags,
    *,
    form: Form | None,
    engine: Engine,
) -> None:
    """Pack documents; see ``treepack pack --help``."""
    with plain_endings() as ending:
        chosen = choices(flags)
        documents = documents_at(paths, ending, chosen)
        config = chosen.config
        if engine == "ray":
            folder = None if output is None else Path(output)
            packed = pack_into_folder(
                documents, config, folder, jobs, form=form, quiet=chosen.quiet
            )
        elif output is None and form is None and sys.stdout.isatty():
            packed = preview_documents(documents, config, jobs, quiet=chosen.quiet)
        else:
            file = as_file(output)
            packed = pack_documents(documents, config, file, jobs, form=form, quiet=chosen.quiet)
        ending.close(len(documents) - packed, packed)


def show(
    file: Path | None,
    flags: Flags,
    *,
    only_changes: bool,
    full: bool,
    chunk: int | None,
) -> None:
    """Print a document's outline and chunks; see ``treepack show --help``."""
    with plain_endings() as ending:
        chosen = choices(flags)
        document = document_at(file, "show", ending.complain, chosen.reading)
        print_it: Drawing = print_page
        if only_changes:
            print_it = print_outline_changes
        elif chunk is not None:
            print_it = partial(print_chunk, number=chunk)
        elif full:
            print_it = print_whole
        ending.all_well &= draw_document(document, chosen.config, print_it, quiet=chosen.quiet)


def audit(
    paths: list[Path] | None,
    chunks: Path | None,
    jobs: int,
    flags: Flags,
) -> None:
    """Check chunks against the laws; see ``treepack audit --help``."""
    with plain_endings() as ending:
        chosen = choices(flags)
        documents = documents_at(paths, ending, chosen)
        given = None
        if chunks is not None:
            given, strays = match_rows(read_rows(chunks), documents)
            for name, count in strays.items():
                ending.complain(
                    f"{chunks} has {counted(count, 'chunk')} of {name!r}, which is not among the "
                    "documents given; give its path as well"
                )
        cap_is_known = chunks is None or "max_tokens" in chosen.settings
        cap = chosen.config.max_tokens if cap_is_known else largest_record(given or {})
        tasks = [
            auditing(document, chosen.config, cap, None if given is None else given[document.name])
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
        complain(
            f"note: the largest chunk ({cap} tokens) was taken as the cap; give the cap with --max"
        )

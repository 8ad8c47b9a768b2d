"""The flags that several commands have in common, described once."""

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

from typer import Argument, Option

from treepack.config import FRAMEWORK_NAMES, PackConfig
from treepack.presets import Preset

OutputFormat = Literal["jsonl", "parquet"]

Command = TypeVar("Command", bound=Callable[..., None])

Paths = Annotated[
    list[Path], Argument(metavar="PATH...", help="Files and folders; - is standard input.")
]
File = Annotated[Path, Argument(metavar="FILE", help="A document; - is standard input.")]
Jobs = Annotated[
    int,
    Option(
        "--jobs",
        "-j",
        min=1,
        metavar="N",
        help="The number of processes; it does not change the result.",
    ),
]

FOLDER_FLAGS: Final = ("exclude", "no_ignore", "strict")
"""Flags that apply only to folders."""

_SIZES: Final = (*FRAMEWORK_NAMES, "flat_overlap_tokens", "overlap_separator", "levels")
_METAVARS: Final = {
    "overlap_separator": "LINE",
    "encoding": "NAME",
    "page_pattern": "REGEX",
    "heading_patterns": "LEVEL=REGEX",
}
_MORE_HELP: Final = {
    "levels": "; or give the flag once for each.",
    "heading_patterns": ", such as '1=^ARTICLE [IVXLC]+'; give the flag once for each level.",
}

_OTHER: Final = "Other settings and messages"
_FOLDERS: Final = "Files in folders"
_POLICIES: Final = "Policies"


def _flag(kind: Any, panel: str, help_text: str, *names: str, **more: Any) -> Any:  # noqa: ANN401 - typer's
    """Return the annotated type of a flag whose value is None if it was not given."""
    return Annotated[kind | None, Option(*names, help=help_text, rich_help_panel=panel, **more)]


def _flag_of(name: str) -> Any:  # noqa: ANN401 - a type with what typer reads
    """Return the annotated type of a setting's flag, whose value is None if it was not given."""
    field = PackConfig.model_fields[name]
    kind: Any = list[str] if name in _MORE_HELP else field.annotation
    kind = str if name == "encoding" else kind  # no function can be given here
    default = field.default
    help_text = f"{field.description}{_MORE_HELP.get(name, '')}"
    if default is not None and default is not False:
        help_text += f" ({'on' if default is True else default})"
    flag = name.replace("_", "-")
    metavar: str | None = " "
    if kind is bool:
        # Switches have their own panel and show no type; otherwise names are cut at 80 columns.
        names, panel = f"--{flag}/--no-{flag}", "Switches"
    else:
        # The flag of a setting with several values gives one of them, so it is not in the plural.
        names = f"--{flag.removesuffix('s' if name in _MORE_HELP else '-tokens')}"
        is_size = name in _SIZES
        metavar = _METAVARS.get(name, "N" if is_size else None)
        panel = "Limits, in tokens" if is_size else _POLICIES
    return _flag(kind, panel, help_text, names, metavar=metavar)


_FLAGS: Final[Mapping[str, Any]] = {
    "preset": _flag(Preset, _POLICIES, "Start from the settings of this preset. (default)"),
    **{name: _flag_of(name) for name in PackConfig.model_fields if name != "sentence_splitter"},
    "encoding_errors": _flag(
        Literal["replace", "strict"],
        _OTHER,
        "Text that is not UTF-8: decode it as well as possible, or refuse it. (replace)",
    ),
    "password": _flag(
        str,
        _OTHER,
        "The password of encrypted PDFs. Other users of the machine can see a flag in the list of "
        "processes, so it is safer to set the environment variable.",
        envvar="PDF_PASSWORD",
        metavar="TEXT",
    ),
    "links": _flag(
        Literal["text", "keep"],
        _OTHER,
        "Links in HTML, Word and Docling: keep only their text, or the target too. (text)",
    ),
    "emphasis": _flag(
        Literal["text", "keep"],
        _OTHER,
        "Bold and italic words in these formats: as plain text, or with markup. (text)",
    ),
    "via": _flag(
        Literal["markitdown", "docling"],
        _OTHER,
        "The converter for files that treepack cannot read itself, such as slides.pptx; it must be "
        "installed.",
    ),
    "exclude": _flag(
        list[str],
        _FOLDERS,
        "Leave out files and folders that match a pattern, written as in a .gitignore: drafts/, "
        "*.bak, /old/**; may be given several times.",
        "--exclude",
        metavar="PATTERN",
    ),
    "no_ignore": _flag(bool, _FOLDERS, "Include files that a .gitignore excludes.", "--no-ignore"),
    "strict": _flag(
        bool,
        _FOLDERS,
        "A file that is skipped because of its format is an error: exit status 1.",
        "--strict",
    ),
    "quiet": _flag(
        bool,
        _OTHER,
        "Print only errors: no progress, no warnings, no summary.",
        *("--quiet", "-q"),
    ),
}
"""The flags of all commands, those of the settings among them, in the order of the help."""


def with_setting_flags(*excluded: str) -> Callable[[Command], Command]:
    """Decorate a command that ends in ``**flags`` with all these flags.

    Args:
        excluded: Flags that the command does not have, or defines itself.
    """

    def decorated(command: Command) -> Command:
        own = [
            parameter
            for parameter in inspect.signature(command).parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        shared = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=flag)
            for name, flag in _FLAGS.items()
            if name not in excluded
        ]
        untyped: Any = command  # what typer reads of it
        untyped.__signature__ = inspect.Signature([*own, *shared])
        untyped.__annotations__ = {each.name: each.annotation for each in [*own, *shared]}
        return command

    return decorated

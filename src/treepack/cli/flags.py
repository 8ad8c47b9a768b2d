"""The flags that several commands have in common, described once."""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypedDict, TypeVar, get_type_hints

from typer import Argument, Option

from treepack.config import FRAMEWORK_NAMES, PackConfig
from treepack.presets import Preset

EncodingErrors = Literal["replace", "strict"]
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
# Of settings whose types a command line cannot express.
_TYPES: Final[Mapping[str, Any]] = {
    "levels": list[str],
    "heading_patterns": list[str],
    "encoding": str,
}
_MORE_HELP: Final = {
    "levels": "; or give the flag once for each.",
    "heading_patterns": ", such as '1=^ARTICLE [IVXLC]+'; give the flag once for each level.",
}

_other_option = partial(Option, rich_help_panel="Other settings and messages")
_folder_option = partial(Option, rich_help_panel="Files in folders")


def _flag_of(name: str) -> Any:  # noqa: ANN401 - a type with what typer reads
    """Return the annotated type of a setting's flag, whose value is None if it was not given."""
    field = PackConfig.model_fields[name]
    kind, default = _TYPES.get(name, field.annotation), field.default
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
        panel = "Limits, in tokens" if is_size else "Policies"
    option = Option(names, help=help_text, metavar=metavar, rich_help_panel=panel)
    return Annotated[kind | None, option]


class Flags(TypedDict, total=False):
    """The flags of all commands, besides those of the settings, which are made from `PackConfig`.

    At run time the dictionary of a call contains both.
    """

    preset: Annotated[
        Preset | None,
        Option(
            help="Start from the settings of this preset. (default)", rich_help_panel="Policies"
        ),
    ]
    encoding_errors: Annotated[
        EncodingErrors | None,
        _other_option(
            help="Text that is not UTF-8: decode it as well as possible, or refuse it. (replace)"
        ),
    ]
    password: Annotated[
        str | None,
        _other_option(
            envvar="PDF_PASSWORD",
            metavar="TEXT",
            help="The password of encrypted PDFs. Other users of the machine can see a flag in "
            "the list of processes, so it is safer to set the environment variable.",
        ),
    ]
    links: Annotated[
        Literal["text", "keep"] | None,
        _other_option(
            help="Links in HTML, Word and Docling: keep only their text, or the target too. (text)"
        ),
    ]
    emphasis: Annotated[
        Literal["text", "keep"] | None,
        _other_option(
            help="Bold and italic words in these formats: as plain text, or with markup. (text)"
        ),
    ]
    via: Annotated[
        Literal["markitdown", "docling"] | None,
        _other_option(
            help="The converter for files that treepack cannot read itself, such as slides.pptx; "
            "it must be installed."
        ),
    ]
    exclude: Annotated[
        list[str] | None,
        _folder_option(
            "--exclude",
            metavar="PATTERN",
            help="Leave out files and folders that match a pattern, written as in a .gitignore: "
            "drafts/, *.bak, /old/**; may be given several times.",
        ),
    ]
    no_ignore: Annotated[
        bool | None,
        _folder_option("--no-ignore", help="Include files that a .gitignore excludes."),
    ]
    strict: Annotated[
        bool | None,
        _folder_option(
            "--strict",
            help="A file that is skipped because of its format is an error: exit status 1.",
        ),
    ]
    quiet: Annotated[
        bool | None,
        _other_option(
            "--quiet", "-q", help="Print only errors: no progress, no warnings, no summary."
        ),
    ]


def with_setting_flags(*excluded: str) -> Callable[[Command], Command]:
    """Decorate a command that ends in ``**flags: Unpack[Flags]`` with all these flags.

    Args:
        excluded: Flags that the command does not have, or defines itself.
    """

    def decorated(command: Command) -> Command:
        hints = get_type_hints(command, include_extras=True)
        own = [
            parameter.replace(annotation=hints[parameter.name])
            for parameter in inspect.signature(command).parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        names = [name for name in PackConfig.model_fields if name != "sentence_splitter"]
        common = get_type_hints(Flags, include_extras=True)
        all_flags = {"preset": common["preset"], **{name: _flag_of(name) for name in names}}
        shared = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)
            for name, hint in {**all_flags, **common}.items()
            if name not in excluded
        ]
        untyped: Any = command  # what typer reads of it
        untyped.__signature__ = inspect.Signature([*own, *shared])
        untyped.__annotations__ = {each.name: each.annotation for each in [*own, *shared]}
        return command

    return decorated

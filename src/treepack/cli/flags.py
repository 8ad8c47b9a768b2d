"""The flags that several commands have in common, described once."""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict, TypeVar, get_type_hints

from typer import Argument, Option

from treepack.settings import SETTINGS, TYPES, Preset, Setting

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

_SHORT_NAMES = {
    "--max-tokens": "--max",
    "--target-tokens": "--target",
    "--min-tokens": "--min",
    "--overlap-tokens": "--overlap",
    "--flat-overlap-tokens": "--flat-overlap",
    "--levels": "--level",
    "--heading-patterns": "--heading-pattern",
}
"""Flags whose names differ from those of their settings."""

_METAVARS = {
    "overlap_separator": "LINE",
    "encoding": "NAME",
    "page_pattern": "REGEX",
    "heading_patterns": "LEVEL=REGEX",
    "levels": "N",
}
_FLAG_TYPES: Mapping[str, Any] = {
    "levels": list[str],
    "heading_patterns": list[str],
    "encoding": str,
}
"""The types of flags whose settings have a type that a command line cannot express."""

_EXTRA_HELP = {
    "levels": "; or give the flag once for each.",
    "heading_patterns": ", such as '1=^ARTICLE [IVXLC]+'; give the flag once for each level.",
}
"""Text about a setting that only the help of its flag has."""

_policy_option = partial(Option, rich_help_panel="Policies")
_other_option = partial(Option, rich_help_panel="Other settings and messages")
_folder_option = partial(Option, rich_help_panel="Files in folders")

FOLDER_FLAGS = ("exclude", "no_ignore", "strict")
"""Flags that apply only to folders."""


def _switch(name: str, help: str) -> Any:  # noqa: A002, ANN401 - as typer has it
    # Switches have their own panel and show no type; otherwise names are cut at 80 columns.
    return Option(f"--{name}/--no-{name}", help=help, metavar=" ", rich_help_panel="Switches")


def _flag_of(name: str, setting: Setting) -> Any:  # noqa: ANN401 - a type with what typer reads
    """Return the annotated type of a setting's flag, whose value is None if it was not given."""
    flag_type: Any = _FLAG_TYPES.get(name, TYPES[name])
    flag = f"--{name.replace('_', '-')}"
    help_text = setting.help + _EXTRA_HELP.get(name, "")
    if setting.default is not None and setting.default is not False:
        help_text += f" ({'on' if setting.default is True else setting.default})"
    if flag_type is bool:
        return Annotated[bool | None, _switch(flag.removeprefix("--"), help_text)]
    is_size = "tokens" in name or name in {"levels", "overlap_separator", "encoding"}
    option = Option(
        _SHORT_NAMES.get(flag, flag),
        help=help_text,
        metavar=_METAVARS.get(name, "N" if is_size else None),
        rich_help_panel="Limits, in tokens" if is_size else "Policies",
    )
    return Annotated[flag_type | None, option]


class Flags(TypedDict, total=False):
    """The flags of all commands, besides those of the settings, which are made from `SETTINGS`.

    At run time the dictionary of a call contains both. ``fast`` sets the setting ``engine``.
    """

    preset: Annotated[
        Preset | None, _policy_option(help="Start from the settings of this preset. (default)")
    ]
    fast: Annotated[
        bool | None,
        _switch("fast", "Count tokens with the faster engine (extra fast); same chunks."),
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
            "--quiet",
            "-q",
            help="Print only errors: no progress, no warnings, no summary.",
        ),
    ]


def with_setting_flags(*excluded: str) -> Callable[[Command], Command]:
    """Decorate a command that ends in ``**flags: Unpack[Flags]`` with all these flags.

    Args:
        excluded: Flags that the command does not have, or defines itself.
    """

    def decorated(command: Command) -> Command:
        hints = get_type_hints(command, include_extras=True)
        own_parameters = [
            parameter.replace(annotation=hints[parameter.name])
            for parameter in inspect.signature(command).parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        setting_flags = {name: _flag_of(name, setting) for name, setting in SETTINGS.items()}
        del setting_flags["engine"], setting_flags["sentence_splitter"]
        common_flags = get_type_hints(Flags, include_extras=True)
        all_flags = {"preset": common_flags["preset"], **setting_flags, **common_flags}
        flag_parameters = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)
            for name, hint in all_flags.items()
            if name not in excluded
        ]

        untyped: Any = command  # what typer reads of it
        untyped.__signature__ = inspect.Signature([*own_parameters, *flag_parameters])
        untyped.__annotations__ = {
            parameter.name: parameter.annotation
            for parameter in [*own_parameters, *flag_parameters]
        }
        return command

    return decorated

"""The flags that several commands have in common, described once; only here and in app: typer."""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal, ParamSpec, TypedDict, TypeVar, get_type_hints

from typer import Argument, Option

EncodingErrors = Literal["replace", "strict"]

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_LIMITS = "Limits, in tokens"
_POLICIES = "Policies"
_SENTENCES = "Sentences"
_ABOUT = "Where settings come from, and what is said"

# A path may be missing where --show-settings is given; `given_paths` asks for it otherwise.
Paths = Annotated[
    list[Path] | None,
    Argument(metavar="PATH...", help="Files and folders; - is standard input."),
]
File = Annotated[Path | None, Argument(metavar="FILE", help="A document; - is standard input.")]
Jobs = Annotated[
    int, Option("--jobs", min=1, metavar="N", help="Processes; the result is the same for any.")
]
DecodingErrors = Annotated[
    EncodingErrors,
    Option(help="Files that are not UTF-8: read them as windows-1252, or refuse them."),
]


AsJson = Annotated[bool, Option("--json", help="Print JSON instead of tables.")]


class Settings(TypedDict, total=False):
    """The fields of ``PackConfig`` as flags; None where a flag was not given."""

    preset: Annotated[
        Literal["default", "standards", "sections", "datasheet"] | None,
        Option(help="Begin with the settings of this name. (default)", rich_help_panel=_POLICIES),
    ]
    target_tokens: Annotated[
        int | None,
        Option("--target", metavar="N", help="Pack up to here. (512)", rich_help_panel=_LIMITS),
    ]
    max_tokens: Annotated[
        int | None,
        Option("--max", metavar="N", help="Never go above. (1024)", rich_help_panel=_LIMITS),
    ]
    min_tokens: Annotated[
        int | None,
        Option("--min", metavar="N", help="Merge what is smaller. (64)", rich_help_panel=_LIMITS),
    ]
    overlap_tokens: Annotated[
        int | None,
        Option(
            "--overlap",
            metavar="N",
            help="Repeat at most so much of the chunk before. (0)",
            rich_help_panel=_LIMITS,
        ),
    ]
    flat_overlap_tokens: Annotated[
        int | None,
        Option(
            "--flat-overlap",
            metavar="N",
            help="The same for documents without headings.",
            rich_help_panel=_LIMITS,
        ),
    ]
    levels: Annotated[
        list[int] | None,
        Option(
            "--level",
            metavar="N",
            help="A cap of parents or children; give it twice or more, largest first.",
            rich_help_panel=_LIMITS,
        ),
    ]
    overlap_separator: Annotated[
        str | None,
        Option(
            metavar="LINE",
            help="A line after the overlap, such as ---.",
            rich_help_panel=_LIMITS,
        ),
    ]
    encoding: Annotated[
        str | None,
        Option(
            metavar="NAME",
            help="A tiktoken encoding, a model, or hf:FOLDER. (cl100k_base)",
            rich_help_panel=_LIMITS,
        ),
    ]
    sentence_splitter: Annotated[
        Literal["regex", "sentencex"] | None,
        Option(
            help="What finds sentences where a paragraph is cut. (regex)",
            rich_help_panel=_SENTENCES,
        ),
    ]
    outline: Annotated[
        Literal["auto", "trust"] | None,
        Option(
            help="Mend heading levels that contradict their numbers, or leave them. (auto)",
            rich_help_panel=_POLICIES,
        ),
    ]
    clauses: Annotated[
        bool | None,
        Option(
            "--clauses/--no-clauses",
            help="Find clause numbers and cross-references.",
            show_default=False,
            rich_help_panel=_POLICIES,
        ),
    ]
    sections: Annotated[
        Literal["pack", "separate"] | None,
        Option(
            help="Put small neighbouring sections together, or never. (pack)",
            rich_help_panel=_POLICIES,
        ),
    ]
    oversize_table: Annotated[
        Literal["split", "keep"] | None,
        Option(
            help="Cut a table above the limits by rows, or leave it whole. (split)",
            rich_help_panel=_POLICIES,
        ),
    ]
    oversize_code: Annotated[
        Literal["split", "keep"] | None,
        Option(help="The same for code blocks. (split)", rich_help_panel=_POLICIES),
    ]
    repeat_heading: Annotated[
        bool | None,
        Option(
            "--repeat-heading/--no-repeat-heading",
            help="Begin the continuations of a section with its heading.",
            show_default=False,
            rich_help_panel=_POLICIES,
        ),
    ]
    attach_definitions: Annotated[
        bool | None,
        Option(
            "--attach-definitions/--no-attach-definitions",
            help="Put the footnotes and link targets that a chunk uses behind it.",
            show_default=False,
            rich_help_panel=_POLICIES,
        ),
    ]
    front_matter: Annotated[
        Literal["metadata", "text"] | None,
        Option(
            help="Take front matter out as metadata, or leave it in the text. (metadata)",
            rich_help_panel=_POLICIES,
        ),
    ]


class Flags(Settings, total=False):
    """All flags that the commands have in common: the settings, and how to speak of them."""

    config: Annotated[
        list[str] | None,
        Option(
            "--config",
            metavar="KEY=VALUE",
            help="Any setting by its name, such as max_tokens=800; as often as you like. "
            "The flags above win.",
            rich_help_panel=_ABOUT,
        ),
    ]
    show_settings: Annotated[
        bool | None,
        Option(
            "--show-settings",
            help="Print the settings in effect, each with where it comes from, and stop.",
            rich_help_panel=_ABOUT,
        ),
    ]
    quiet: Annotated[
        bool | None,
        Option(
            "--quiet",
            "-q",
            help="Say nothing but what went wrong: no progress, no warnings, no summary.",
            rich_help_panel=_ABOUT,
        ),
    ]


def with_settings(command: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Give a command that ends in ``**flags: Unpack[Flags]`` a flag for each of them."""
    return with_settings_but()(command)


def with_settings_but(
    *others: str,
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """As `with_settings`, without flags that the command has another use for."""

    def decorated(command: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        hints = get_type_hints(command, include_extras=True)
        named = [
            parameter.replace(annotation=hints[parameter.name])
            for parameter in inspect.signature(command).parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        flags = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)
            for name, hint in get_type_hints(Flags, include_extras=True).items()
            if name not in others
        ]

        @wraps(command)
        def wrapped(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
            return command(*args, **kwargs)

        seen: Any = wrapped
        seen.__signature__ = inspect.Signature([*named, *flags])
        seen.__annotations__ = {each.name: each.annotation for each in [*named, *flags]}
        del seen.__wrapped__
        return wrapped

    return decorated

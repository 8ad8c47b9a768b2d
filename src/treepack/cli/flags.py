"""The flags that several commands have in common, described once."""

import inspect
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any, Literal, ParamSpec, TypedDict, TypeVar, get_type_hints

from typer import Argument, Option

EncodingErrors = Literal["replace", "strict"]
Engine = Literal["local", "ray"]
Form = Literal["jsonl", "parquet", "md"]

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

# A path may be missing only with --show-settings; `documents_at` and `document_at` check that.
Paths = Annotated[
    list[Path] | None,
    Argument(metavar="PATH...", help="Files and folders; - is standard input."),
]
File = Annotated[Path | None, Argument(metavar="FILE", help="A document; - is standard input.")]
Jobs = Annotated[
    int,
    Option(
        "--jobs",
        "-j",
        min=1,
        metavar="N",
        help="How many processes; the result is the same for any.",
    ),
]
DecodingErrors = Annotated[
    EncodingErrors,
    Option(help="Text that is not UTF-8: read it as well as possible, or refuse it."),
]
AsJson = Annotated[bool, Option("--json", help="Print JSON instead of tables.")]

_OTHER_NAMES = {
    "--max-tokens": "--max",
    "--target-tokens": "--target",
    "--min-tokens": "--min",
    "--overlap-tokens": "--overlap",
    "--flat-overlap-tokens": "--flat-overlap",
    "--levels": "--level",
    "--heading-patterns": "--heading-pattern",
    "--chunk-size": "--max",
    "--max-chunk-size": "--max",
    "--chunk-overlap": "--overlap",
    "--target-size": "--target",
    "--min-size": "--min",
    "--tokenizer": "--encoding",
    "--encoding-name": "--encoding",
    "--workers": "--jobs",
    "--out": "--output",
}
"""Flags by the names that the settings have in Python, and in other tools."""

_limit = partial(Option, rich_help_panel="Limits, in tokens")
_number = partial(_limit, metavar="N")
_policy = partial(Option, rich_help_panel="Policies")
_about = partial(Option, rich_help_panel="Other settings, and messages")
_files = partial(Option, rich_help_panel="Files of folders")

OF_FOLDERS = ("exclude", "no_ignore", "strict")
"""Flags that say something only about folders."""


def _switch(name: str, help: str) -> Any:  # noqa: A002, ANN401 - as typer has it
    # Switches have their own panel and show no type; otherwise names are cut at 80 columns.
    return Option(f"--{name}/--no-{name}", help=help, metavar=" ", rich_help_panel="Switches")


class Settings(TypedDict, total=False):
    """The fields of ``PackConfig`` as flags; None where a flag was not given.

    ``fast`` sets ``engine``, because `pack` has another flag of that name.
    """

    preset: Annotated[
        Literal["default", "standards", "sections", "datasheet", "retrieval"] | None,
        _policy(help="Start from the settings of this preset. (default)"),
    ]
    target_tokens: Annotated[int | None, _number("--target", help="Fill chunks up to here. (512)")]
    max_tokens: Annotated[int | None, _number("--max", help="Never go above this. (1024)")]
    min_tokens: Annotated[int | None, _number("--min", help="Merge smaller chunks. (64)")]
    overlap_tokens: Annotated[
        int | None, _number("--overlap", help="Repeat at most this much of the previous chunk. (0)")
    ]
    flat_overlap_tokens: Annotated[
        int | None, _number("--flat-overlap", help="The overlap in documents without headings.")
    ]
    levels: Annotated[
        list[str] | None,
        _number(
            "--level", help="Caps of parents and children, such as 2048,512; or give it twice."
        ),
    ]
    overlap_separator: Annotated[
        str | None, _limit(metavar="LINE", help="A line after the overlap, such as ---.")
    ]
    breadcrumb_tokens: Annotated[
        int | None,
        _number("--breadcrumb-tokens", help="Embed at most this much of the breadcrumb."),
    ]
    encoding: Annotated[
        str | None,
        _limit(metavar="NAME", help="A tiktoken encoding, a model, or hf:FOLDER. (cl100k_base)"),
    ]
    sentence_splitter: Annotated[
        Literal["regex", "sentencex"] | None,
        _policy(help="What finds sentences where a paragraph is cut. (regex)"),
    ]
    markup: Annotated[
        Literal["auto", "markdown", "plain"] | None,
        _policy(help="Take texts as markdown or as plain text, or as each looks. (auto)"),
    ]
    outline: Annotated[
        Literal["auto", "trust"] | None,
        _policy(help="Repair heading levels that contradict their numbers, or not. (auto)"),
    ]
    clauses: Annotated[
        bool | None, _switch("clauses", "Find clause numbers and cross-references. (on)")
    ]
    sections: Annotated[
        Literal["pack", "separate"] | None,
        _policy(help="Put small neighbouring sections into one chunk, or never. (pack)"),
    ]
    oversize_table: Annotated[
        Literal["split", "keep"] | None,
        _policy(help="Cut a table above the limits by rows, or leave it whole. (split)"),
    ]
    oversize_code: Annotated[
        Literal["split", "keep"] | None, _policy(help="The same for code blocks. (split)")
    ]
    repeat_heading: Annotated[
        bool | None,
        _switch("repeat-heading", "Repeat the heading in each later chunk of its section."),
    ]
    name_in_breadcrumb: Annotated[
        bool | None,
        _switch("name-in-breadcrumb", "Begin breadcrumbs with the document's name. (on)"),
    ]
    attach_definitions: Annotated[
        bool | None,
        _switch("attach-definitions", "Append footnotes, link targets and terms that it uses."),
    ]
    front_matter: Annotated[
        Literal["metadata", "text"] | None,
        _policy(help="Take front matter out as metadata, or leave it in the text. (metadata)"),
    ]
    page_pattern: Annotated[
        str | None,
        _policy(
            metavar="REGEX",
            help="Page marks besides the known ones; a group holds the number of the page.",
        ),
    ]
    heading_patterns: Annotated[
        list[str] | None,
        _policy(
            "--heading-pattern",
            metavar="LEVEL=REGEX",
            help="Lines that are titles of a level, such as '1=^ARTICLE [IVXLC]+'; for several "
            "levels give it as often.",
        ),
    ]
    parser: Annotated[
        Literal["scanner", "markdown-it"] | None,
        _policy(help="What finds blocks; the chunks are the same. (scanner)"),
    ]
    fast: Annotated[
        bool | None,
        _switch("fast", "Count with the faster engine of the extra fast; the chunks are the same."),
    ]


class Flags(Settings, total=False):
    """All flags that the commands have in common: the settings, and what is read and printed."""

    password: Annotated[
        str | None,
        _about(
            envvar="PDF_PASSWORD",
            metavar="TEXT",
            help="What opens encrypted PDFs; other users of the machine see it in the list of "
            "processes, unless it is in the environment.",
        ),
    ]
    links: Annotated[
        Literal["text", "keep"] | None,
        _about(help="Links of HTML, Word and Docling: only their text, or the target too. (text)"),
    ]
    emphasis: Annotated[
        Literal["text", "keep"] | None,
        _about(help="Bold and italic words of the same: as plain text, or marked. (text)"),
    ]
    via: Annotated[
        Literal["markitdown", "docling"] | None,
        _about(
            help="What converts a file whose format is not read, such as slides.pptx; it must be "
            "installed."
        ),
    ]

    exclude: Annotated[
        list[str] | None,
        _files(
            "--exclude",
            metavar="PATTERN",
            help="Leave out files and folders, as a line of a .gitignore would: drafts/, *.bak, "
            "/old/**; may be given several times.",
        ),
    ]
    no_ignore: Annotated[
        bool | None,
        _files("--no-ignore", help="Take also what a .gitignore leaves out."),
    ]
    strict: Annotated[
        bool | None,
        _files(
            "--strict",
            help="A file that is passed over because of its format is an error: status 1.",
        ),
    ]
    config: Annotated[
        list[str] | None,
        _about(
            "--config",
            metavar="KEY=VALUE",
            help="Any setting by its name, such as max_tokens=800; may be given several times. "
            "The flags above win.",
        ),
    ]
    show_settings: Annotated[
        bool | None,
        _about(
            "--show-settings",
            help="Print the settings in effect and where each one comes from, then stop.",
        ),
    ]
    quiet: Annotated[
        bool | None,
        _about(
            "--quiet",
            "-q",
            help="Print only errors: no progress, no warnings, no summary.",
        ),
    ]


def usual_spelling(arguments: list[str]) -> list[str]:
    """A call with its flags spelled as in the help: ``--max_tokens=9`` is ``--max=9``."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return [*map(_usual_spelling, arguments[:end]), *arguments[end:]]


def _usual_spelling(argument: str) -> str:
    if not argument.startswith("--"):
        return argument
    name, sign, value = argument.partition("=")
    spelled = name.replace("_", "-")
    return f"{_OTHER_NAMES.get(spelled, spelled)}{sign}{value}"


def with_settings(command: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Give a command that ends in ``**flags: Unpack[Flags]`` a flag for each of them."""
    return with_settings_but()(command)


def with_settings_but(
    *others: str,
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Like `with_settings`, but without flags that the command itself defines."""

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

"""What MkDocs does besides: pages from files of the project, and commands from the code.

The pages are written to be read in the repository, where relative links lead to any file. Here such
links are turned to the pages of the site, or to the repository where there is none.
"""

import inspect
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any, Final, Literal, get_args, get_origin

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from typer.main import get_command

from treepack import pack, show
from treepack.cli.app import app

ROOT: Final = Path(__file__).parents[1]
REPOSITORY: Final = "https://github.com/treepack/treepack/blob/main"
FROM_PROJECT: Final = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Files of the project that are pages of the site, and their names there."""
_PROJECT_FILES: Final = {page: file for file, page in FROM_PROJECT.items()}
_LINK: Final = re.compile(r"(\]\()([^)\s#]+)([^)\s]*\))")
_HIDDEN: Final = re.compile(r"^<!---.*?--->\n", re.MULTILINE | re.DOTALL)
_COMMANDS: Final = "<!-- commands -->"
_PICTURE: Final = re.compile(r'<p><img alt="[^"]*" src="images/show.png" /></p>')


class _Examples(Preprocessor):
    """Examples in docstrings, which no fence marks, become code."""

    def run(self, lines: list[str]) -> list[str]:
        """Put a fence around each line that begins with a prompt, and what follows it."""
        made: list[str] = []
        is_fenced = is_example = False
        for line in [*lines, ""]:
            is_fenced ^= line.startswith("```")
            if not is_fenced and not is_example and line.startswith(">>> "):
                is_example = True
                made.append("```pycon")
            elif is_example and not line.strip():
                is_example = False
                made.append("```")
            made.append(line)
        return made


class _ExamplesExtension(Extension):
    """`_Examples`, before fences are read."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - the library's name
        """Add them to a converter."""
        md.preprocessors.register(_Examples(md), "treepack-examples", 28)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Let every converter, also that of docstrings, know examples."""
    extensions: list[Any] = config.markdown_extensions
    extensions.append(_ExamplesExtension())
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files of the project."""
    for name, page in FROM_PROJECT.items():
        content = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=content))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: object) -> str:
    """Turn links to the site, take out what only tests see, and list the commands."""
    name = page.file.src_uri
    if name == "index.md":
        page.meta["hide"] = ["navigation", "toc"]
    home = _PROJECT_FILES.get(name, f"docs/{name}")

    def turned(link: re.Match[str]) -> str:
        return link[1] + _target(link[2], home, name) + link[3]

    markdown = _LINK.sub(turned, _HIDDEN.sub("", markdown))
    markdown = markdown.replace("```python\n>>>", "```pycon\n>>>").replace("\n<BLANKLINE>", "\n")
    return markdown.replace(_COMMANDS, "\n".join(_commands()))


def on_page_content(html: str, *, page: Page, **_: object) -> str:
    """Put the view itself where the front page has its picture."""
    if page.file.src_uri != "index.md":
        return html
    act = files("treepack.cli").joinpath("river-act.md").read_text(encoding="utf-8")
    view = show(pack(act, name="river-act.md")[8:11])._repr_html_()
    made, count = _PICTURE.subn(lambda _: view, html)
    assert count == 1, "the front page has one picture"
    return f'<div class="front">{made}</div>'


def _target(link: str, home: str, name: str) -> str:
    """Where a link of a file leads on the site."""
    if "://" in link:
        return link
    path = normpath(str(PurePosixPath(home).parent / link))
    page = FROM_PROJECT.get(path) or path.removeprefix("docs/")
    if page == path:
        return f"{REPOSITORY}/{path}"
    return relpath(page, str(PurePosixPath(name).parent))


def _commands() -> Iterator[str]:
    """The flags of each command, as its help has them."""
    yield "## All flags\n"
    commands: dict[str, Any] = getattr(get_command(app), "commands", {})
    for name, command in commands.items():
        yield f"### treepack {name}\n\n{command.help}\n"
        yield "| Flag | Value | |\n|---|---|---|"
        hints = inspect.signature(command.callback).parameters
        for parameter in command.params:
            value = _choices(hints[parameter.name].annotation) or _metavar(parameter)
            yield f"| {_names(parameter)} | {value} | {_help(parameter)} |"
        yield f"\n{command.epilog or ''}\n"


def _names(parameter: Any) -> str:  # noqa: ANN401 - of a class that versions of typer call differently
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar}`"
    return ", ".join(f"`{flag}`" for flag in (*parameter.opts, *parameter.secondary_opts))


def _choices(annotation: Any) -> str:  # noqa: ANN401 - any type
    """The words that a flag takes, if its type is one of some words."""
    if get_origin(annotation) is Literal:
        return ", ".join(f"`{word}`" for word in get_args(annotation))
    inner = [each for each in get_args(annotation) if get_origin(annotation) is not list]
    return next(filter(None, map(_choices, inner)), "")


def _metavar(parameter: Any) -> str:  # noqa: ANN401 - see above
    metavar = (parameter.metavar or "").strip()
    return f"`{metavar}`" if metavar and not getattr(parameter, "is_flag", False) else ""


def _help(parameter: Any) -> str:  # noqa: ANN401 - see above
    return re.sub(r"\s+", " ", parameter.help or "").replace("|", "\\|")

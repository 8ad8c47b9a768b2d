"""treepack's command line, called in this process: to start one costs half a second each time."""

from subprocess import CompletedProcess

from typer.testing import CliRunner

from treepack.cli.app import app


def run(*arguments: object, stdin: str | bytes | None = None) -> CompletedProcess[str]:
    """What a call prints and how it ends; an error that no one expects is raised."""
    words = [str(argument) for argument in arguments]
    done = CliRunner().invoke(app, words, input=stdin, prog_name="treepack", catch_exceptions=False)
    return CompletedProcess(words, done.exit_code, done.stdout, done.stderr)

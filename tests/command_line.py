"""Calls treepack's command line in this process: starting another one takes half a second."""

from subprocess import CompletedProcess

from typer.testing import CliRunner

from treepack.cli.app import app


def run(*arguments: object, stdin: str | bytes | None = None) -> CompletedProcess[str]:
    """Return what a call prints and its exit code; unexpected exceptions are raised."""
    words = [str(argument) for argument in arguments]
    done = CliRunner().invoke(app, words, input=stdin, prog_name="treepack", catch_exceptions=False)
    return CompletedProcess(words, done.exit_code, done.stdout, done.stderr)

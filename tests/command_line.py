"""Calls treepack's command line in this process: starting another one takes half a second."""

from subprocess import CompletedProcess

from typer.testing import CliRunner, Result

from treepack import Chunk
from treepack.cli.app import app


def run(*arguments: object, stdin: str | bytes | None = None) -> CompletedProcess[str]:
    """Return what a call prints and its exit code; unexpected exceptions are raised."""
    words = [str(argument) for argument in arguments]
    done = CliRunner().invoke(app, words, input=stdin, prog_name="treepack", catch_exceptions=False)
    return CompletedProcess(words, done.exit_code, done.stdout, done.stderr)


def invoke(*arguments: object, stdin: str | bytes | None = None) -> Result:
    """Return the result of a call; unexpected exceptions become its exit code."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)


def chunks_of(jsonl: str) -> list[Chunk]:
    """Return the chunks in JSON lines."""
    assert not jsonl or jsonl.endswith("\n")
    return [Chunk.model_validate_json(line) for line in jsonl.split("\n")[:-1]]

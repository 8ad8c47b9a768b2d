"""The setting engine changes how tokens are counted, but not the chunks."""

import os
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from hypothesis import given
from strategies import any_text, configs, documents, generated
from typer.testing import CliRunner, Result

from treepack import Document, PackConfig, Source, TokenCounter, pack, pack_many, parse
from treepack.cli.app import app
from treepack.errors import MissingExtraError, TokenizerError
from treepack.tokens import token_counter
from treepack.tokens.counters import EncodingCounter, SplintrCounter

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip("splintr")

CORPUS = os.environ.get("TREEPACK_CORPUS", "")
SAMPLE_STEP = 10  # every tenth document
LARGE_FILE = 60_000  # bytes
SUFFIXES = {".md", ".mdx", ".txt"}

TEXT = "# Guide\n\nTurn the valve.\n\n- one\n- two\n\n## End\n\n| a |\n|---|\n| b |\n\nDone.\n"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record each call of a tokenizer."""
    noted: list[str] = []

    def noting(kind: type, name: str, note: str) -> None:
        done: Callable[..., Any] = vars(kind)[name]

        def and_note(*arguments: object) -> object:
            noted.append(note)
            return done(*arguments)

        monkeypatch.setattr(kind, name, and_note)

    for name in ("encode_piece", "encode_to_numpy"):
        noting(EncodingCounter, name, "tiktoken")
        noting(SplintrCounter, name, "splintr")
    return noted


# -------------------------------------------------------------------- the same chunks


@generated
@given(text=documents(), config=configs())
def test_chunks_are_the_same_as_with_the_defaults(text: str, config: PackConfig) -> None:
    source = Source(text, "doc.md")

    assert pack(source, config) == pack(source, config.model_copy(update={"engine": "fast"}))


@generated
@given(any_text)
def test_any_text_gives_the_same_document(text: str) -> None:
    usual, other = parse(text, name="doc.md"), parse(text, name="doc.md", engine="fast")

    assert other == usual
    assert other.to_json() == usual.to_json()


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS, reason="TREEPACK_CORPUS names no folder")
def test_chunks_of_real_documents_are_the_same_as_with_the_defaults() -> None:
    files = sorted(file for file in Path(CORPUS).rglob("*") if file.suffix in SUFFIXES)
    sample = [file for file in files[::SAMPLE_STEP] if file.stat().st_size < LARGE_FILE]
    assert len(sample) > 20

    for file in sample:
        source = Source(file.read_bytes().decode("utf-8", "replace"), file.name)
        assert pack(source) == pack(source, PackConfig(engine="fast")), file


def test_adapters_give_the_same_texts_and_serialized_settings() -> None:
    pytest.importorskip("llama_index.core")
    pytest.importorskip("langchain_text_splitters")
    from treepack import TreepackNodeParser, TreepackTextSplitter  # noqa: PLC0415 - extras

    usual, other = (
        TreepackNodeParser(chunk_size=64),
        TreepackNodeParser(chunk_size=64, engine="fast"),
    )
    assert other.split_text(TEXT) == usual.split_text(TEXT)
    assert other.to_dict() == usual.to_dict(), "or caches would not hold for both"
    assert pickle.loads(pickle.dumps(other)).engine == other.engine  # noqa: S301 - our own
    splitters = TreepackTextSplitter(64), TreepackTextSplitter(64, engine="fast")
    assert splitters[0].split_text(TEXT) == splitters[1].split_text(TEXT)


# -------------------------------------------------------------------- who does the work


@pytest.mark.parametrize(("engine", "worker"), [("default", "tiktoken"), ("fast", "splintr")])
def test_the_engine_setting_determines_who_counts(
    calls: list[str], engine: Literal["default", "fast"], worker: str
) -> None:
    config = PackConfig(engine=engine)
    parsed = parse(TEXT, engine=engine)
    arrived = pickle.loads(pickle.dumps(parsed))  # noqa: S301 - our own
    other = parse(TEXT, encoding="o200k_base")
    actions: list[Callable[[], object]] = [
        lambda: pack(TEXT, config, name="doc.md", metadata={"a": 1}),
        lambda: pack(Document.from_json(parsed.to_json()), config),
        lambda: pack(arrived),
        lambda: list(pack_many([TEXT], config)),
        lambda: pack(other, config),
    ]

    for action in actions:
        calls.clear()
        action()
        assert set(calls) == {worker}


@pytest.mark.parametrize("name", ["text-embedding-3-small", "splintr:cl100k_base"])
def test_the_fast_engine_gives_the_splintr_counter_of_the_encoding(name: str) -> None:
    assert token_counter(name, engine="fast") == SplintrCounter("cl100k_base")


# -------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("encoding", ["p50k_base", "hf:folder", len])
def test_the_fast_engine_is_rejected_for_encodings_it_cannot_count(
    encoding: str | TokenCounter,
) -> None:
    with pytest.raises(TokenizerError, match=r"engine='fast'.* cl100k_base, o200k_base"):
        pack("text", PackConfig(encoding=encoding, engine="fast"))


@pytest.fixture
def _without_splintr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treepack.tokens.counters.find_spec", lambda _name: None)


@pytest.mark.usefixtures("_without_splintr")
def test_the_error_for_a_missing_engine_names_its_extra() -> None:
    message = r"pip install treepack\[fast\]"
    with pytest.raises(MissingExtraError, match=message):
        pack("text", PackConfig(engine="fast"))
    with pytest.raises(MissingExtraError, match=message):
        parse("text", engine="fast")
    result = invoke("pack", "README.md", "--fast")
    assert result.exit_code == 2
    assert "treepack[fast]" in result.stderr


# -------------------------------------------------------------------- the command line


def test_the_command_line_has_the_setting() -> None:
    assert 'engine = "fast"' in invoke("pack", "--show-settings", "--fast").stdout
    flags = ("--config", "engine=fast", "--no-fast")
    assert 'engine = "default"' in invoke("pack", "--show-settings", *flags).stdout


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)

"""Presets and other settings of the core in both adapters, and arguments that are rejected."""

import json
import pickle
from typing import Any

import pytest
from adapter_texts import ACT, TERMS
from case_files import case_table
from langchain_core.documents import Document as LangDocument
from llama_index.core import Document

from treepack import (
    PackConfig,
    Source,
    TreepackNodeParser,
    TreepackTextSplitter,
    pack,
)
from treepack.presets import Preset

# -------------------------------------------------------------------- presets


@pytest.mark.parametrize("name", ["default", "standards", "sections", "datasheet"])
def test_a_preset_cuts_the_same_in_the_adapters_and_the_core(name: Preset) -> None:
    text = ACT + "\n" + TERMS * 4
    core = [chunk.text for chunk in pack(Source(text), PackConfig.preset(name))]
    assert TreepackNodeParser(preset=name).split_text(text) == core
    assert TreepackTextSplitter(preset=name).split_text(text) == core
    parser = TreepackNodeParser(preset=name)
    again = TreepackNodeParser.from_dict(json.loads(parser.to_json()))
    assert again.to_dict() == TreepackNodeParser.from_defaults(preset=name).to_dict()
    assert again.split_text(text) == core
    splitter = pickle.loads(pickle.dumps(TreepackTextSplitter(preset=name)))  # noqa: S301 - ours
    assert splitter.split_text(text) == core


def test_explicit_settings_override_a_preset() -> None:
    given: dict[str, Any] = {"preset": "standards", "min_size": 0, "overlap_separator": None}
    parser = TreepackNodeParser(**given)
    assert (parser.chunk_size, parser.target_size, parser.chunk_overlap) == (1000, 500, 100)
    assert (parser.min_size, parser.overlap_separator) == (0, None)
    with_levels = TreepackNodeParser(preset="standards", levels=(2048, 512))
    assert (with_levels.chunk_size, with_levels.target_size) == (512, 500)
    assert TreepackNodeParser.from_dict(parser.to_dict()).to_dict() == parser.to_dict()
    text = "# A\n\n" + "Some words are said. " * 400
    core = PackConfig.preset("standards", min_tokens=0, overlap_separator=None)
    texts = [chunk.text for chunk in pack(Source(text), core)]
    assert parser.split_text(text) == TreepackTextSplitter(**given).split_text(text) == texts


@pytest.mark.parametrize("name", ["default", "standards", "sections", "datasheet"])
@pytest.mark.parametrize("size", [16, 48, 300, 5000])
def test_an_explicit_size_overrides_a_preset_in_both_adapters(name: Preset, size: int) -> None:
    config = PackConfig.preset(name, max_tokens=size)
    text = "# A\n\n" + "Some words are said. " * 200
    texts = [chunk.text for chunk in pack(Source(text), config)]
    assert config.max_tokens == TreepackNodeParser(preset=name, chunk_size=size).chunk_size == size
    for adapter in (TreepackNodeParser, TreepackTextSplitter):
        assert adapter(preset=name, chunk_size=size).split_text(text) == texts


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"preset": "books"}, "the presets are default"),
    ({"preset": "standards", "chunk_size": 256, "target_size": 500}, "target_size is 500.*256"),
    ({"levels": (512, 2048)}, "512, 2048"),
    ({"levels": (2048, 512), "chunk_size": 256}, r"chunk_size is 256.*\(2048, 512\)"),
    ({"levels": (2048, 8)}, "chunk_size is 8"),
    ({"levels": ()}, r"levels are \(\)"),
    ({"sentence_splitter": str.split}, "an object with a method spans, not method_descr"),
]
WRONG_FOR_THE_SPLITTER: list[tuple[dict[str, Any], str]] = [
    ({"strip_whitespace": False}, "chunks never begin or end with whitespace"),
    ({"metadata_mode": "nativ"}, "must be one of 'lean', 'full', 'uniform', 'native'"),
    ({"length_function": 512}, "a function that counts tokens, not int"),
    *(
        ({name: wrong}, f"{name}: Input should be a valid integer")
        for name in ("chunk_size", "chunk_overlap", "target_size", "min_size")
        for wrong in ("many", 6.4, [64], PackConfig())
    ),
]


@pytest.mark.parametrize(("settings", "message"), [*WRONG, *WRONG_FOR_THE_SPLITTER], ids=str)
def test_invalid_settings_are_rejected(settings: dict[str, Any], message: str) -> None:
    """LlamaIndex's other parsers take functions as sentence splitters, without positions."""
    both = (settings, message) in WRONG
    for adapter in (TreepackTextSplitter, *([TreepackNodeParser] if both else [])):
        with pytest.raises(ValueError, match=message):
            adapter(**settings)


# -------------------------------------------------------------------- other settings of the core


@pytest.mark.parametrize(("text", "setting"), case_table("adapter_settings", "core"))
def test_core_settings_have_the_same_effect_in_both_adapters(
    text: str, setting: dict[str, Any]
) -> None:
    size: dict[str, Any] = {"chunk_size": 64, "sections": "separate"}
    core = pack(Source(text), PackConfig(max_tokens=64, sections="separate", **setting))
    nodes = TreepackNodeParser(**size, include_metadata=False, **setting)([Document(text=text)])
    made = TreepackTextSplitter(**size, **setting).create_documents([text])
    texts = [chunk.text for chunk in core]
    assert texts == [node.get_content() for node in nodes] == [each.page_content for each in made]
    assert made != TreepackTextSplitter(**size).create_documents([text])
    assert [each.metadata.get("clause") for each in made] == [c.clause_number for c in core]


@pytest.mark.parametrize("overlap", [15, 16, 32])
def test_an_overlap_up_to_the_cap_is_lowered_below_the_target(overlap: int) -> None:
    """LangChain and LlamaIndex allow it, so code that moves to treepack may have it."""
    sizes: dict[str, Any] = {"chunk_size": 32, "target_size": 16, "min_size": 0}
    config = PackConfig(max_tokens=32, target_tokens=16, min_tokens=0, overlap_tokens=15)
    text = "# A\n\n" + "Some words are said. " * 60
    core = [chunk.text for chunk in pack(Source(text), config)]
    for adapter in (TreepackTextSplitter, TreepackNodeParser):
        assert adapter(**sizes, chunk_overlap=overlap).split_text(text) == core
        with pytest.raises(ValueError, match="overlap"):
            adapter(**sizes, chunk_overlap=33)


class Halves:
    """A sentence splitter that ignores sentences and halves the text."""

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return two spans of about the same length."""
        middle = len(text) // 2
        return [(0, middle), (middle, len(text))] if middle else [(0, len(text))]


def test_a_sentence_splitter_is_serialized_by_name_and_must_be_given_again() -> None:
    parser = TreepackNodeParser(sentence_splitter=Halves())
    record = json.loads(parser.to_json())
    assert record["sentence_splitter"]["sentence_splitter_name"].endswith("Halves")
    with pytest.raises(ValueError, match=r"only the name of .*Halves.* was stored"):
        TreepackNodeParser.from_dict(record)
    again = TreepackNodeParser.from_dict(record, sentence_splitter=Halves())
    assert again.to_dict() == parser.to_dict() != TreepackNodeParser().to_dict()
    copied = pickle.loads(pickle.dumps(parser))  # noqa: S301 - ours
    assert isinstance(copied.sentence_splitter, Halves)


# -------------------------------------------------------------------- texts are not paths


def test_a_single_text_or_document_is_rejected_where_a_list_is_expected() -> None:
    splitter = TreepackTextSplitter()
    one: Any = "some text"
    with pytest.raises(TypeError, match="create_documents takes a list of texts, not str"):
        splitter.create_documents(one)
    for call in (splitter.split_documents, splitter.split_with_parents):
        with pytest.raises(TypeError, match="takes a list of Documents, not Document"):
            call(LangDocument("some text"))  # type: ignore[arg-type]
        with pytest.raises(
            TypeError, match="takes Documents, not str; use create_documents for texts"
        ):
            list(call([one]))


def test_from_tiktoken_encoder_rejects_a_length_function() -> None:
    with pytest.raises(TypeError, match="leave length_function out"):
        TreepackTextSplitter.from_tiktoken_encoder(length_function=len)


def test_misspelt_settings_are_refused_and_seen_by_type_checkers() -> None:
    """Mypy would report each comment that ignores nothing."""
    with pytest.raises(ValueError, match="chunk_size"):
        TreepackNodeParser.from_defaults(chunk_sise=512)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="chunk_size"):
        TreepackTextSplitter(chunk_sise=512)  # type: ignore[call-arg]


@pytest.mark.filterwarnings("ignore:Default value .*default_id_func")  # LlamaIndex's own field
def test_the_parser_has_a_schema_with_the_sizes_first() -> None:
    properties = TreepackNodeParser.model_json_schema()["properties"]
    assert list(properties)[:2] == ["chunk_size", "chunk_overlap"]
    assert (properties["chunk_size"]["default"], properties["levels"]["default"]) == (400, None)

"""A setting cannot be misspelt: each wrong name is refused, and the right one is named."""

import json
import pickle
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from llama_index.core.callbacks import CallbackManager
from llama_index.core.schema import Document

from treepack import PackConfig, TreepackNodeParser, TreepackTextSplitter
from treepack.config import FRAMEWORK_NAMES, PolicyFields
from treepack.integrations.langchain.splitter import _NAMES
from treepack.integrations.settings import REPLACED_ARGUMENTS

Make = Callable[..., object]
CORE = tuple(PackConfig.model_fields)
OF_PARSER = tuple(TreepackNodeParser.model_fields)
MAKERS: dict[str, tuple[Make, tuple[str, ...]]] = {
    "PackConfig": (PackConfig, CORE),
    "PackConfig.preset": (lambda **given: PackConfig.preset("standards", **given), CORE),
    "PackConfig.model_copy": (lambda **given: PackConfig().model_copy(update=given), CORE),
    "node parser": (TreepackNodeParser, OF_PARSER),
    "node parser, from_defaults": (TreepackNodeParser.from_defaults, OF_PARSER),
    "node parser, from_dict": (
        lambda **given: TreepackNodeParser.from_dict(TreepackNodeParser().to_dict(), **given),
        OF_PARSER,
    ),
    "text splitter": (TreepackTextSplitter, tuple(sorted(_NAMES))),
    "text splitter, from_tiktoken_encoder": (
        TreepackTextSplitter.from_tiktoken_encoder,
        tuple(sorted(_NAMES - {"encoding_name", "length_function"})),
    ),
}
ADAPTERS = [each for each in MAKERS if not each.startswith("PackConfig")]


def misspellings(name: str) -> Iterator[str]:
    """Yield the name with a letter dropped, doubled or swapped, and in other spellings."""
    for at, letter in enumerate(name):
        yield name[:at] + name[at + 1 :]
        yield name[:at] + letter + name[at:]
        yield name[:at] + name[at + 1 : at + 2] + letter + name[at + 2 :]
    yield name.upper()[0] + name[1:]
    yield name.replace("_", "-")
    yield name.replace("_", "")


@pytest.mark.slow
@pytest.mark.parametrize("maker", MAKERS)
def test_a_misspelt_setting_is_rejected_and_the_right_one_suggested(maker: str) -> None:
    make, names = MAKERS[maker]
    assert len(names) >= 19
    with pytest.raises(ValueError, match=r"'qqqq'; the settings are .*oversize_table.*sections"):
        make(qqqq=1)
    for name in names:
        # A fifth of the possible mistakes; which fifth depends on the name.
        possible = sorted({*misspellings(name)} - {*names})
        for wrong in possible[len(name) % 5 :: 5]:
            with pytest.raises(ValueError, match=re.escape(repr(wrong))) as caught:
                make(**{wrong: None})
            assert f"did you mean {name!r}?" in str(caught.value), wrong


@pytest.mark.parametrize("maker", ADAPTERS)
def test_adapters_reject_a_core_name_and_suggest_their_own(maker: str) -> None:
    make, _ = MAKERS[maker]
    for core, own in FRAMEWORK_NAMES.items():
        with pytest.raises(ValueError, match=f"no setting '{core}': use {own}"):
            make(**{core: 64})
        for wrong in misspellings(core):
            with pytest.raises(ValueError, match="there is no setting") as caught:
                make(**{wrong: 64})
            assert f"use {own}" in str(caught.value), wrong


def test_the_core_rejects_an_adapter_name_and_suggests_its_own() -> None:
    for core, own in FRAMEWORK_NAMES.items():
        with pytest.raises(ValueError, match=f"no setting '{own}': use {core}"):
            PackConfig(**{own: 64})
    with pytest.raises(ValueError, match=r"'preset': use PackConfig\.preset\(name"):
        PackConfig(**dict.fromkeys(["preset"]))


@pytest.mark.parametrize("name", sorted(REPLACED_ARGUMENTS))
def test_an_argument_of_a_replaced_splitter_is_rejected_with_a_remedy(name: str) -> None:
    given: dict[str, Any] = {name: None}
    for adapter in (TreepackNodeParser, TreepackTextSplitter):
        with pytest.raises(ValueError, match=re.escape(f"{name!r}: {REPLACED_ARGUMENTS[name]}")):
            adapter(**given)


def test_settings_with_the_same_name_are_equal_in_core_and_node_parser() -> None:
    core, ours = PackConfig.model_fields, TreepackNodeParser.model_fields
    assert {*PolicyFields.model_fields} == {*core} - {*FRAMEWORK_NAMES}
    for name in PolicyFields.model_fields:
        assert ours[name].annotation == core[name].annotation, name
        assert ours[name].default == core[name].default, name


# -------------------------------------------------------------------- what must continue to work


class Own(TreepackNodeParser):
    """A subclass with a setting of its own, and a constructor."""

    greeting: str = "hello"

    def __init__(self, size: int = 128, **more: Any) -> None:  # noqa: ANN401 - any setting
        super().__init__(**{"chunk_size": size, **more})

    @classmethod
    def class_name(cls) -> str:
        """Return the subclass's own name."""
        return "Own"


def test_a_subclass_may_add_its_own_settings() -> None:
    node_parser = Own(64, greeting="hi", sections="separate")
    assert (node_parser.chunk_size, node_parser.greeting) == (64, "hi")
    with pytest.raises(ValueError, match="'greting'; did you mean 'greeting'"):
        Own(greting="hi")


def test_every_inherited_field_of_the_node_parser_can_be_given() -> None:
    node_parser = TreepackNodeParser(
        chunk_size=64,
        include_metadata=False,
        include_prev_next_rel=False,
        callback_manager=CallbackManager([]),
        id_func=lambda number, _: f"node-{number}",
    )
    text = "# A\n\n" + "Some words are said. " * 40
    nodes = node_parser([Document(text=text, metadata={"k": "v"})])
    assert [node.node_id for node in nodes[:2]] == ["node-0", "node-1"]
    assert not any(node.metadata or node.next_node for node in nodes)


def test_a_serialized_parser_can_be_read_in_every_way() -> None:
    node_parser = TreepackNodeParser(chunk_size=64, sections="separate", levels=(256, 64))
    record = node_parser.to_dict()
    again = [
        TreepackNodeParser.from_dict(record),
        TreepackNodeParser.from_json(node_parser.to_json()),
        TreepackNodeParser.model_validate(node_parser.model_dump()),
        TreepackNodeParser.model_validate(record),
        TreepackNodeParser.model_validate_json(json.dumps(record)),
        TreepackNodeParser(**record),
        pickle.loads(pickle.dumps(node_parser)),  # noqa: S301 - ours
        node_parser.model_copy(),
        node_parser.model_copy(deep=True),
    ]
    assert all(each.to_dict() == record for each in again)
    assert isinstance(pickle.loads(pickle.dumps(Own(64))), Own)  # noqa: S301 - ours

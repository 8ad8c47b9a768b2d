"""Reads YAML as JSON values only."""

from typing import Any, Final, cast

import yaml

_TAG: Final = "tag:yaml.org,2002:"
_MAPPING: Final = f"{_TAG}map"
_SEQUENCE: Final = f"{_TAG}seq"
_TEXT: Final = f"{_TAG}str"
_OTHER_SCALARS: Final = tuple(f"{_TAG}{name}" for name in ("null", "bool", "int", "float"))


class _Loader(yaml.SafeLoader):
    """Resolves only the tags of JSON values, and refuses aliases.

    Dates stay text, and so do the keys ``<<`` and ``=``, which are not special in YAML 1.2. With
    aliases, a few lines could expand to gigabytes; no front matter needs them.
    """

    def compose_node(self, parent: Any, index: Any) -> Any:  # noqa: ANN401 - PyYAML's types
        if self.check_event(yaml.events.AliasEvent):
            msg = "aliases are not supported"
            raise yaml.YAMLError(msg)
        return super().compose_node(parent, index)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag in _OTHER_SCALARS]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load_yaml(text: str) -> object:
    """Read YAML as dicts, lists, strings, numbers, booleans and None; keys stay as written.

    Raises:
        ValueError: The text is not YAML, or has something that JSON cannot express: aliases, other
            tags, a key that is not text or appears twice.
        RecursionError: The values are nested too deeply.
    """
    try:
        loader: Any = _Loader(text)  # the stubs leave most methods untyped
        node = loader.get_single_node()
        return None if node is None else _value(loader, node)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def _value(loader: Any, node: yaml.Node) -> object:  # noqa: ANN401 - an untyped loader
    if isinstance(node, yaml.MappingNode) and node.tag == _MAPPING:
        pairs = cast("list[tuple[yaml.Node, yaml.Node]]", node.value)
        values = {_key(key): _value(loader, item) for key, item in pairs}
        if len(values) < len(pairs):
            raise _refused(node, "holds a key twice")
        return values
    if isinstance(node, yaml.SequenceNode) and node.tag == _SEQUENCE:
        return [_value(loader, item) for item in cast("list[yaml.Node]", node.value)]
    if isinstance(node, yaml.ScalarNode):
        return _scalar(loader, node)
    raise _refused(node, f"is tagged {node.tag}")


def _key(node: yaml.Node) -> str:
    if not isinstance(node, yaml.ScalarNode):
        raise _refused(node, "is a key but not text")
    return cast("str", node.value)


def _scalar(loader: Any, node: yaml.ScalarNode) -> object:  # noqa: ANN401 - an untyped loader
    """Return a string, number, boolean or None; an explicit tag must match the text."""
    if node.tag == _TEXT:
        return cast("str", node.value)
    if node.tag != loader.resolve(yaml.ScalarNode, node.value, (True, False)):
        raise _refused(node, f"does not match its tag {node.tag}")
    return cast("object", loader.construct_object(node))


def _refused(node: yaml.Node, what: str) -> ValueError:
    return ValueError(f"the value at {node.start_mark} {what}")

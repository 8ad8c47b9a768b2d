"""YAML as plain values."""

from typing import Any

import yaml


class _Loader(yaml.SafeLoader):
    """YAML with dates left as text, so that metadata is JSON, and without aliases.

    An alias lets a few lines stand for gigabytes; no front matter needs one.
    """

    def compose_node(self, parent: Any, index: Any) -> Any:  # noqa: ANN401 - PyYAML's types
        if self.check_event(yaml.events.AliasEvent):
            msg = "aliases are not read"
            raise yaml.YAMLError(msg)
        return super().compose_node(parent, index)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load_yaml(text: str) -> object:
    """Read YAML.

    Raises:
        ValueError: It is none, or has aliases.
        RecursionError: It is nested too deep.
    """
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a SafeLoader
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error

"""Reads YAML as JSON values only."""

from typing import TYPE_CHECKING, Any, Final

import yaml

if TYPE_CHECKING:
    _SafeLoader = yaml.SafeLoader
else:  # PyYAML may be built without libyaml
    _SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_TAGS: Final = tuple(f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float"))


class _Loader(_SafeLoader):
    """Resolves only the tags of JSON values, and refuses aliases, which could expand to gigabytes.

    Dates stay text, and so do the keys ``<<`` and ``=``, which are not special in YAML 1.2. libyaml
    takes a tenth of the time; seven lines of front matter took as long as a page of text.
    """

    def construct_object(self, node: Any, deep: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 - PyYAML's types
        if node in self.constructed_objects or node in self.recursive_objects:
            msg = "aliases are not supported"
            raise yaml.YAMLError(msg)
        return super().construct_object(node, deep)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 - PyYAML's types
        """Return a mapping whose keys stay as written."""
        values: dict[str, Any] = {}
        for key, item in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.value in values:
                msg = f"the key at {key.start_mark} is not text, or appears twice"
                raise yaml.YAMLError(msg)
            values[key.value] = self.construct_object(item, deep)  # pyright: ignore[reportUnknownMemberType]
        return values


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag in _TAGS]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load_yaml(text: str) -> object:
    """Read YAML as dicts, lists, strings, numbers, booleans and None; keys stay as written.

    Values of other types, which only explicit tags give, are left to the caller.

    Raises:
        ValueError: The text is not YAML, has aliases, or a key that is not text or appears twice.
        RecursionError: The values are nested too deeply.
    """
    try:
        return yaml.load(text, _Loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, AttributeError, LookupError, TypeError) as error:  # of wrong tags
        raise ValueError(str(error)) from error

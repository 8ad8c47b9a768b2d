"""Reads formats that have no reader here, through a converter that the user has installed.

A converter is foreign code that may load models and open connections. So it runs only if a call
names it.
"""

import importlib
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import PurePath
from typing import Any, Final, TypeAlias

from treepack.errors import MissingExtraError, SourceError, check_choice
from treepack.model.source import Source
from treepack.readers.docling import read_docling
from treepack.readers.formats import Via
from treepack.readers.links_and_emphasis import TEXT_ONLY, KeepOptions


def convert(data: bytes, label: str, via: Via, keep: KeepOptions = TEXT_ONLY) -> Source:
    """Convert a document; the suffix of its label, a name or path, shows the format.

    Returns:
        The document as markdown, with page marks if the converter gives them.

    Raises:
        ValueError: There is no converter of that name.
        MissingExtraError: The converter is not installed; the message says what to install.
        SourceError: The converter failed; the message gives its reason.
    """
    check_choice("via", via, tuple(_CONVERTERS))
    module, package, run = _CONVERTERS[via]
    try:
        converter = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        msg = f'{label}: via="{via}" needs: pip install "{package}"'
        raise MissingExtraError(msg) from error
    try:
        result = run(converter, data, PurePath(label).name or "document")
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        msg = f"{label}: {via} cannot convert it: {reason}"
        raise SourceError(msg) from error
    return Source(result) if isinstance(result, str) else read_docling(result, label, keep)


def _markitdown(module: Any, data: bytes, name: str) -> str:  # noqa: ANN401 - a foreign module
    converter = module.MarkItDown(enable_plugins=False)
    result = converter.convert_stream(BytesIO(data), file_extension=PurePath(name).suffix)
    return str(result.text_content)


def _docling(module: Any, data: bytes, name: str) -> Mapping[str, object]:  # noqa: ANN401 - foreign
    stream = importlib.import_module("docling.datamodel.base_models").DocumentStream
    result = module.DocumentConverter().convert(stream(name=name, stream=BytesIO(data)))
    return result.document.export_to_dict()  # type: ignore[no-any-return] # foreign


_Run: TypeAlias = Callable[[Any, bytes, str], str | Mapping[str, object]]
_CONVERTERS: Final[dict[Via, tuple[str, str, _Run]]] = {
    "markitdown": ("markitdown", "markitdown[all]", _markitdown),
    "docling": ("docling.document_converter", "docling", _docling),
}

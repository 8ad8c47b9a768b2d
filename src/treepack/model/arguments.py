"""How a caller gives a document: as text, never as a file path to open."""

import re
from typing import Final

from treepack.errors import SourceError, wrong_type
from treepack.model.source import Source

_LONGEST_PATH: Final = 1024  # characters; paths that people type are shorter
# File name extensions of formats that treepack reads, converts first (`readers.formats`) or writes.
# ".org" is missing because host names end with it too.
_PATH: Final = re.compile(
    r"""
    # A heading, a quote, a row, an item or a link definition is markdown. "See: a.md" and
    # "Moved to https://host/a.md" are texts.
    (?! (?:\#{1,6}|[>|*+-]) [ \t] | \[[^\[\]]{1,99}\]: | [^\r\n]*(?::[ \t] | [ \t]https?://) )
    [^\r\n]* [^\r\n/\\] \.
    (?: md|markdown|mdx|txt|html?|xhtml|do[ct][xm]|json
      | pdf|pptx?|xlsx?|epub|msg|eml|[ct]sv|doc|od[tps]|rtf|wpd|pages|tex|typ|ipynb|fb2
      | re?st|adoc|asciidoc|png|jpe?g|tiff?|bmp|webp|gif
      | jsonl|parquet )
    """,
    re.VERBOSE | re.IGNORECASE,
)


def text_source(text: object, name: str, *, call: str, takes: str, opener: str) -> Source:
    """Return the caller's text as a source; no file is ever opened.

    Messages name the ``call``, what it ``takes``, and the ``opener`` that reads a path for it.

    Raises:
        TypeError: ``text`` is neither a string nor a `Source`.
        SourceError: ``text`` is one line that looks like a file path, given by mistake.
    """
    if isinstance(text, Source):
        return text
    if not isinstance(text, str):
        raise wrong_type(text, call, takes)
    if looks_like_a_path(text):
        path = text.strip()
        msg = (
            f"{path!r} looks like the path of a file, but {call} takes a string as text and never "
            f"opens it: to read the file, give {opener}({path!r}); if this is the text, give "
            f"Source({path!r})"
        )
        raise SourceError(msg)
    return Source(text, name)


def looks_like_a_path(text: str) -> bool:
    """Whether a text is a single line that ends like a file name of a document.

    It does not ask the file system, because then a text could be used to find out which files
    exist.

    >>> [looks_like_a_path(text) for text in ("docs/my notes.md", "Read notes.md.", "# notes.md")]
    [True, False, False]
    """
    return len(text) <= _LONGEST_PATH and _PATH.fullmatch(text.strip()) is not None

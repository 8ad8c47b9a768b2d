"""What a caller gives for a document: text, never the path of a file that would be opened."""

import re
from typing import Final

from treepack.document.source import Source
from treepack.errors import SourceError, wrong_type

_LONGEST_PATH: Final = 1024  # characters; paths that people type are shorter
# Of formats that are read, that are converted first (`readers.formats`), and that are written. Not
# ".org", which ends the names of hosts as well.
_PATH: Final = re.compile(
    r"""
    # A heading, a quote, a row, an item or a link definition is markdown.
    (?! (?:\#{1,6}|[>|*+-]) [ \t] | \[[^\[\]]{1,99}\]: )
    [^\r\n]* [^\r\n/\\] \.
    (?: md|markdown|mdx|txt|html?|xhtml|do[ct][xm]|json
      | pdf|pptx?|xlsx?|epub|msg|eml|csv|doc|od[tps]|rtf|wpd|pages|tex|rst|adoc|typ|ipynb|fb2
      | png|jpe?g|tiff?|bmp|webp|gif
      | jsonl|parquet )
    """,
    re.VERBOSE | re.IGNORECASE,
)


def text_source(text: object, name: str, *, call: str, takes: str, opener: str) -> Source:
    """The text that a caller gave, as a source; no file is ever opened.

    Args:
        text: What was given.
        name: The document's name, if the text is a plain string.
        call: The function that was called, for messages.
        takes: What that function takes, for messages.
        opener: What turns a path into something that the function takes: ``Path`` or ``read``.

    Raises:
        TypeError: It is neither a string nor a `Source`.
        SourceError: It is one line that looks like the path of a file, and so surely a mistake.
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
    """Whether a text is a single line that ends as the name of a document does.

    Only the text decides, never the file system: else a text could be used to ask which files
    exist.

    >>> [looks_like_a_path(text) for text in ("docs/my notes.md", "Read notes.md.", "# notes.md")]
    [True, False, False]
    """
    return len(text) <= _LONGEST_PATH and _PATH.fullmatch(text.strip()) is not None

"""The running document with its chunks: a fragment for a notebook, or a page of its own.

No script is needed. All rules of the stylesheet are below one class, and its colours are mixed from
the text's own, so that the view fits into a light and into a dark page.
"""

import hashlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from treepack.display import counted, escaped, one_line
from treepack.document.document import Document
from treepack.model.chunk import Skipped
from treepack.view.passages import Passage, Shown
from treepack.view.texts import TextView

_TINTS: Final = 4
_FOLDED: Final = 50  # chunks in each part of a document that has more of them
_MARKUP: Final = dict.fromkeys(map(ord, "#|`*"), " ")
_KEY: Final = 8  # characters that tell the views of one notebook apart


class View:
    """Chunks in their running document: rich output of a notebook, or a page in a file.

    Args:
        shown: The documents.
        given: How many chunks were given, those included that are not shown.
    """

    def __init__(self, shown: Sequence[Shown], given: int) -> None:
        self._shown = shown
        self._given = given

    def __repr__(self) -> str:
        """Say what is shown, and how to see it outside a notebook."""
        chunks = sum(len(each.passages) for each in self._shown)
        what = f"{counted(chunks, 'chunk')} of {counted(len(self._shown), 'document')}"
        if parents := self._given - chunks:
            what += f", without {counted(parents, 'parent')}"
        return f"<{what}; save('chunks.html') writes a page>"

    def _repr_html_(self) -> str:
        return f"<style>{style()}</style>{self._documents('notebook')}"

    def to_html(self) -> str:
        """Return a page of its own, which loads nothing."""
        css = style()
        names = [each.name for each in self._shown[:2]]
        title = one_line(names[0] if len(names) == 1 and names[0] else "Chunks")
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{policy(css)}">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta name="color-scheme" content="light dark">'
            f"<title>{escaped(title)}</title><style>{css}</style></head>"
            f"<body>{self._documents('paged')}</body></html>\n"
        )

    def save(self, path: str | Path) -> None:
        """Write the page to a file, in UTF-8.

        Raises:
            OSError: The file cannot be written.
        """
        Path(path).write_text(self.to_html(), encoding="utf-8")

    def _documents(self, name: str) -> str:
        made = [_document(each, is_open=name == "paged") for each in self._shown]
        if made[1:]:
            names = [escaped(one_line(each.name) or "without a name") for each in self._shown]
            opened = [" open", *("" for _ in names[1:])]
            made = [
                f'<details class="part"{one}><summary><bdi>{name}</bdi></summary>{html}</details>'
                for one, name, html in zip(opened, names, made, strict=True)
            ]
        inner = "".join(made) or "<p>No chunks.</p>"
        return f'<div class="treepack {name}">{inner}</div>'


def _document(shown: Shown, *, is_open: bool) -> str:
    """Return a document after the list of its chunks."""
    texts = "".join(part.text for each in shown.passages for part in each.segments)
    digest = hashlib.sha256(f"{shown.name}\n{texts}".encode("utf-8", "surrogatepass"))
    key = f"t{digest.hexdigest()[:_KEY]}-"
    entries = "".join(_entries(shown.passages, key))
    tokens = [passage.tokens for passage in shown.passages]
    least = f"{min(tokens):,} to " * (min(tokens) < max(tokens))
    facts = f"{counted(len(tokens), 'chunk')} of {least}{counted(max(tokens), 'token')}"
    roles = {part.role for each in shown.passages for part in each.segments}
    repeats = bool(roles - {"body", "glue"})
    facts += '; <span class="legend">repeated text</span> is marked' * repeats
    running = "".join(running_text(shown.document, shown.passages, key, is_open=is_open))
    title = f"<strong><bdi>{escaped(one_line(shown.name))}</bdi></strong> " * bool(shown.name)
    return (
        f'<p class="title">{title}<span class="soft">{facts}</span></p>'
        f'<div class="sides"><nav aria-label="Chunks"><ol>{entries}</ol></nav>'
        f'<div class="running">{running}</div></div>'
    )


def _entries(passages: Sequence[Passage], key: str) -> Iterator[str]:
    """Yield the entries of the list: a chunk's heading, or under the same one its first words."""
    before: tuple[str, ...] = ()
    for passage in passages:
        label = passage.path[-1] if passage.path and passage.path != before else _words(passage)
        clause = f" <small>{escaped(one_line(passage.clause))}</small>" * bool(passage.clause)
        name = ' class="same"' * (passage.path == before)
        before = passage.path
        yield (
            f'<li{name}><a href="#{key}{passage.index}" title="{_told(passage)}">'
            f'<span class="n t{passage.index % _TINTS}">{passage.index}</span> '
            f"<bdi>{escaped(one_line(label))}</bdi>{clause}</a></li>"
        )


def _words(passage: Passage) -> str:
    bodies = (part.text for part in passage.segments if part.role == "body")
    return one_line(" ".join("".join(bodies).translate(_MARKUP).split()))


def running_text(
    document: Document,
    passages: Sequence[Passage],
    key: str,
    note: Callable[[Passage], tuple[str, str]] = lambda _: ("", ""),
    *,
    is_open: bool = True,
) -> Iterator[str]:
    """Yield the running document in HTML, a section for each chunk; many are folded in parts.

    Args:
        document: What the spans of the passages are in.
        passages: The chunks, in order.
        key: Before a chunk's number, the id of its section.
        note: For a chunk, more classes of its section, and HTML between its head and its text.
        is_open: Whether all parts are open, so that they can be searched and printed; else the
            first one is.
    """
    view = TextView(document)
    for first in range(0, len(passages), _FOLDED):
        some = passages[first : first + _FOLDED]
        if len(passages) > _FOLDED:
            title = " › ".join(some[0].path[-2:])
            label = f"Chunks {some[0].index} to {some[-1].index}: {one_line(title)}"
            opened = " open" * (is_open or not first)
            yield f'<details class="part"{opened}><summary><bdi>{escaped(label)}</bdi></summary>'
        for passage in some:
            start, end = _body(passage)
            yield from _left_out(document, passage.skipped, 0, start)
            yield _section(view, passage, key, *note(passage))
            yield from _left_out(document, passage.skipped, max(start, end), None)
        if len(passages) > _FOLDED:
            yield "</details>"


def _section(view: TextView, passage: Passage, key: str, name: str, note: str) -> str:
    path = " › ".join(map(one_line, passage.path))
    clause = f'<span class="clause"><bdi>{escaped(one_line(passage.clause))}</bdi></span> '
    return (
        f'<section class="chunk t{passage.index % _TINTS}{name}" id="{key}{passage.index}" '
        f'aria-label="Chunk {passage.index}"><p class="head" title="{_told(passage)}">'
        f'<a class="n" href="#{key}{passage.index}">{passage.index}</a> '
        f'<span class="path"><bdi>{escaped(path)}</bdi></span> {clause * bool(passage.clause)}'
        f'<span class="size">{counted(passage.tokens, "token")}</span></p>{note}'
        f'<div class="text" dir="auto">{"".join(view.parts(passage))}</div></section>'
    )


def _told(passage: Passage) -> str:
    """Return what is known of a chunk, for an attribute that is shown on hover."""
    path = " › ".join(map(one_line, passage.path))
    clause = f"clause {one_line(passage.clause)}" * bool(passage.clause)
    facts = [f"Chunk {passage.index}, {counted(passage.tokens, 'token')}", path, clause]
    return escaped("\n".join(filter(None, [*facts, one_line(passage.place)])))


def _body(passage: Passage) -> tuple[int, int]:
    spans = [part.span for part in passage.segments if part.role == "body" and part.span]
    return (spans[0][0], spans[-1][1]) if spans else (0, 0)


def _left_out(
    document: Document, skipped: Sequence[Skipped], first: int, after: int | None
) -> Iterator[str]:
    """Yield the texts in no chunk that begin in a range of the source, each with its reason."""
    for each in skipped:
        if each.span[0] >= first and (after is None or each.span[0] < after):
            text = document.source.text[slice(*each.span)].strip()
            inner = f'<bdi class="text">{escaped(text)}</bdi>'
            reason = f"In no chunk: <bdi>{escaped(one_line(each.reason))}</bdi>"
            yield f'<div class="left-out">{reason} {inner}</div>'


def policy(css: str) -> str:
    """Return a policy that allows only the page's own style, by its hash: no script, no loading."""
    digest = b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


@cache
def style() -> str:
    """Return the stylesheet of views."""
    return files("treepack.view").joinpath("view.css").read_text(encoding="utf-8")

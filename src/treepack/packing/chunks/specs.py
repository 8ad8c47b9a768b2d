"""Chunks before anybody asks for them: where their texts stand in the source, without the texts.

The records of a document hold its text two or three times. So the text of a chunk is cut from the
source only when the chunk is asked for. By then the section tree and all other data of packing are
freed.
"""

from typing import Any, NamedTuple, Self

from treepack.model.chunk import Chunk, Segment
from treepack.packing.wrappers import Part


class ChunkSpec(NamedTuple):
    """What a chunk record is made from.

    Attributes:
        values: The fields that hold no text of the source, by name.
        header: What stands before the text in ``embed_text``.
        parts: The segments; those with a span have no text here.
    """

    values: dict[str, Any]
    header: str
    parts: tuple[Part, ...]

    def updated(self, **values: Any) -> Self:  # noqa: ANN401 - each field has its own type
        """The spec with some values replaced."""
        return self._replace(values=self.values | values)

    def record(self, source: str) -> Chunk:
        """Make the complete chunk.

        Args:
            source: The text that the chunk is cut from.
        """
        segments = [
            Segment.trusted(role=role, text=source[slice(*span)] if span else own, span=span)
            for role, own, span in self.parts
        ]
        text = "".join([segment.text for segment in segments])
        return Chunk.trusted(
            text=text,
            segments=tuple(segments),
            embed_text=self.header + text,
            lexical_text="".join([each.text for each in segments if each.role == "body"]),
            **self.values,
        )


def without_text(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts for a spec: those with a span lose their text."""
    return tuple([Part(part.role, "", part.span) if part.span else part for part in parts])

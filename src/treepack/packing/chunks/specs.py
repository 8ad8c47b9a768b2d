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
        texts = [source[span[0] : span[1]] if span else own for _, own, span in self.parts]
        segments = tuple(
            [
                Segment.named({"role": part.role, "text": text, "span": part.span})
                for part, text in zip(self.parts, texts, strict=True)
            ]
        )
        text = lexical = texts[0]
        if texts[1:]:
            text = "".join(texts)
            lexical = "".join([each.text for each in segments if each.role == "body"])
        own = {
            "text": text,
            "segments": segments,
            "embed_text": self.header + text,
            "lexical_text": lexical,
        }
        return Chunk.named(own | self.values)


def without_text(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts for a spec: those with a span lose their text."""
    return tuple([Part(part.role, "", part.span) if part.span else part for part in parts])

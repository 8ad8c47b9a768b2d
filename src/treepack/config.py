"""The settings of packing, checked once."""

from collections.abc import Callable
from typing import Any, Literal, Self, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from treepack.sentences import SentenceSplitter

MIN_CAP = 16
DEFAULT_TARGET = 512
DEFAULT_MIN = 64


class PackConfig(BaseModel):
    """Limits and policies of packing. All sizes are tokens of ``encoding``.

    A limit that is not given follows from the others: ``target_tokens`` is 512 or ``max_tokens``,
    whichever is smaller, and ``min_tokens`` is 64 or half the target, whichever is smaller.

    Attributes:
        max_tokens: Hard cap of what will be embedded: breadcrumb, context, overlap and body.
        target_tokens: Up to here a section's own long content is packed.
        min_tokens: Smaller chunks merge with a neighbour where the breadcrumb stays true.
        overlap_tokens: At most so much of the previous chunk's end is repeated; 0 for none.
        overlap_separator: A line between the overlap and the body, such as ``---``.
        encoding: A tiktoken encoding, a model name, ``hf:<folder>``, or any callable that counts.
        sentence_splitter: ``regex``, ``sentencex`` (the extra ``sentences``), or any object that
            finds sentences; see `SentenceSplitter`.
        sections: ``pack`` puts whole neighbouring sections together, ``separate`` never does.
        oversize_table: ``split`` cuts a table above the cap by rows, ``keep`` leaves it whole.
        oversize_code: The same for code blocks.
        repeat_heading: Begin each continuation chunk with the heading line of its section.
        front_matter: ``metadata`` takes it out of the text, ``text`` leaves it there.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    max_tokens: int = Field(default=1024)
    target_tokens: int = Field(default=DEFAULT_TARGET, ge=1)
    min_tokens: int = Field(default=DEFAULT_MIN, ge=0)
    overlap_tokens: int = Field(default=0, ge=0)
    overlap_separator: str | None = None
    encoding: str | Callable[[str], int] = "cl100k_base"
    sentence_splitter: Literal["regex", "sentencex"] | SentenceSplitter = "regex"
    sections: Literal["pack", "separate"] = "pack"
    oversize_table: Literal["split", "keep"] = "split"
    oversize_code: Literal["split", "keep"] = "split"
    repeat_heading: bool = False
    front_matter: Literal["metadata", "text"] = "metadata"

    @model_validator(mode="before")
    @classmethod
    def _derive_limits(cls, values: Any) -> Any:  # noqa: ANN401 - raw input of any shape
        if not isinstance(values, dict):
            return values
        given = cast("dict[str, Any]", values).copy()
        cap = given.get("max_tokens", 1024)
        if "target_tokens" not in given and isinstance(cap, int):
            given["target_tokens"] = min(DEFAULT_TARGET, max(cap, 1))
        target = given.get("target_tokens")
        if "min_tokens" not in given and isinstance(target, int):
            given["min_tokens"] = min(DEFAULT_MIN, max(target, 0) // 2)
        return given

    @model_validator(mode="after")
    def _check_limits(self) -> Self:
        # A function may count characters, of which one is enough to go on.
        least = MIN_CAP if isinstance(self.encoding, str) else 1
        if self.max_tokens < least:
            msg = f"max_tokens is {self.max_tokens}, but must be at least {least}"
            raise ValueError(msg)
        for small, large, relation in (
            ("target_tokens", "max_tokens", "at most"),
            ("min_tokens", "target_tokens", "at most"),
            ("overlap_tokens", "target_tokens", "less than"),
        ):
            low, high = getattr(self, small), getattr(self, large)
            if low > high or (relation == "less than" and low == high):
                msg = f"{small} is {low}, but must be {relation} {large}, which is {high}"
                raise ValueError(msg)
        return self

"""Reads JSON of other programs: its parts are checked, and errors name the place."""

import json
import re
import warnings
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, TypeVar, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from treepack.errors import LeftOutWarning, SourceError

_WRONG_TYPE: Final = "wrong_type"
_PAGE: Final = re.compile(r"\s*0*([1-9][0-9]{0,5})(?:\.0+)?\s*")


class JsonReader:
    """Reads the parts of one document."""

    def __init__(self, name: str, format_name: str) -> None:
        self.name = name
        self._format_name = format_name
        self.has_bad_pages = False

    def fault(self, place: str, what: str) -> SourceError:
        """Return an error that names file, format and place, which is empty for all of the file."""
        where = f"{place}: " if place else ""
        return SourceError(f"{self.name}: cannot read as {self._format_name}: {where}{what}")

    def load(self, data: bytes) -> object:
        """Parse JSON text."""
        try:
            return cast("object", json.loads(data))
        except (ValueError, RecursionError) as error:
            what = f"not valid JSON, or nested too deeply: {error}"
            raise self.fault(place="", what=what) from error

    def part(self, kind: "type[_Part]", value: object, place: str = "") -> "_Part":
        """Return a part of the document, checked.

        Raises:
            SourceError: The part or a value inside it has the wrong type.
        """
        try:
            return kind.model_validate(value, context=self)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            where = "/".join([*filter(None, [place]), *map(str, first["loc"])])
            raise self.fault(where, first["msg"]) from error


class JsonPart(BaseModel):
    """An object of a document; other keys are ignored, and null is no value."""

    model_config = ConfigDict(frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            raise PydanticCustomError(_WRONG_TYPE, "should be an object")
        members = cast("Mapping[object, object]", value).items()
        return {key: member for key, member in members if member is not None}


_Part = TypeVar("_Part", bound=JsonPart)


def or_empty(kind: type[JsonPart]) -> Any:  # noqa: ANN401 - of a field of any type
    """Return the default of a field that is an object: one empty object for all."""
    empty = kind()
    return Field(default_factory=lambda: empty)


def _text(value: object) -> str:
    """Return a text; pydantic's own check refuses lone surrogates, which are read as they are."""
    if isinstance(value, str):
        return value
    raise PydanticCustomError(_WRONG_TYPE, "should be a string")


def _page(value: object, info: ValidationInfo) -> int | None:
    """Return a page number, also one that is written as text; others are left out."""
    if isinstance(value, str | int | float) and (match := _PAGE.fullmatch(str(value))):
        return int(match[1])
    reader = info.context
    if isinstance(reader, JsonReader) and not reader.has_bad_pages:
        reader.has_bad_pages = True
        what = f"the page number {value!r:.40} is left out, and any other not from 1 to 999999"
        warnings.warn(f"{reader.name}: {what}", LeftOutWarning, stacklevel=2)
    return None


def _or_nothing(value: object, read: ValidatorFunctionWrapHandler) -> object:
    """Return a value that is no text; a broken one is nothing, because the text can be read."""
    try:
        return read(value)
    except ValidationError:
        return None


Text = Annotated[str, PlainValidator(_text)]
Page = Annotated[int | None, BeforeValidator(_page)]
OR_NOTHING: Final = WrapValidator(_or_nothing)


def with_boxes(place: str, boxes: Iterable[Mapping[str, object]]) -> str:
    """Return an origin's place and, as JSON, the boxes of its content whose page is known."""
    known = [box for box in boxes if box["page"]]
    return f"{place} {json.dumps(known)}" if known else place

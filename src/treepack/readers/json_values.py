"""Reads JSON of other programs: types of values are checked, and errors name the place."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from treepack.errors import SourceError

WHOLE: Final = ""
"""The place or key to give for an error in a document or an object as a whole."""
LARGEST_NUMBER: Final = 2**53 - 1
"""The largest whole number that every JSON reader represents exactly (RFC 8259, section 6)."""


class PartError(SourceError):
    """A value of a document has the wrong type or form; the message says where."""


class JsonReader:
    """Reads the values of one document."""

    def __init__(self, name: str, format_name: str) -> None:
        self.name = name
        self.format_name = format_name

    def fault(self, place: str, what: str) -> PartError:
        """Return an error that names file, format and place."""
        where = f"{place}: " if place else ""
        return PartError(f"{self.name}: cannot read as {self.format_name}: {where}{what}")

    def limit_error(self, place: str, what: str) -> SourceError:
        """Return an error that refuses the whole document, because it exceeds a limit."""
        return SourceError(str(self.fault(place, what)))

    def load(self, data: bytes) -> object:
        """Parse JSON text."""
        try:
            return cast("object", json.loads(data))
        except json.JSONDecodeError as error:
            place = f"line {error.lineno}, column {error.colno}"
            raise self.fault(place, f"not valid JSON: {error.msg}") from error
        except UnicodeDecodeError as error:
            place = f"byte {error.start}"
            raise self.fault(place, "not valid JSON: not UTF-8") from error
        except RecursionError as error:
            raise self.fault(WHOLE, "the JSON is nested too deeply") from error
        except ValueError as error:  # a number of too many digits
            raise self.fault(WHOLE, f"not valid JSON: {error}") from error

    def record(self, value: object, place: str) -> "JsonRecord":
        """Return the value at a place as a record; it must be an object."""
        if not isinstance(value, Mapping):
            raise self.fault(place, f"should be an object, not {_json_type(value)}")
        return JsonRecord(self, cast("Mapping[str, object]", value), place)

    def array(self, value: object, place: str) -> Sequence[object]:
        """Return the value at a place; it must be an array, and null counts as an empty one."""
        if value is None:
            return ()
        if not isinstance(value, Sequence) or isinstance(value, str | bytes):
            raise self.fault(place, f"should be an array, not {_json_type(value)}")
        return cast("Sequence[object]", value)


class JsonRecord:
    """An object of a document, whose values are read by key.

    Attributes:
        reader: The reader of the document.
        members: The object's keys and values.
        place: Where the object is in the document; empty for the document as a whole.
    """

    __slots__ = ("members", "place", "reader")

    def __init__(self, reader: JsonReader, members: Mapping[str, object], place: str) -> None:
        self.reader = reader
        self.place = place
        self.members = members

    def __contains__(self, key: str) -> bool:
        return key in self.members

    def at(self, place: str) -> "JsonRecord":
        """Return the same object with another place for messages."""
        return JsonRecord(self.reader, self.members, place)

    def get(self, key: str, default: object = None) -> object:
        """Return a value of any type, or the default if the key is missing."""
        return self.members.get(key, default)

    def place_of(self, key: str) -> str:
        """Return the place of a key's value."""
        return f"{self.place}/{key}" if self.place else key

    def fault(self, key: str, what: str) -> PartError:
        """Return an error about the value of a key, or about the object as a `WHOLE`."""
        return self.reader.fault(self.place_of(key) if key else self.place, what)

    def record(self, key: str) -> "JsonRecord":
        """Return an object that must be there."""
        return self.reader.record(self.get(key), self.place_of(key))

    def record_or_empty(self, key: str) -> "JsonRecord":
        """Return an object; null or a missing key counts as an empty one."""
        value = self.get(key)
        return self.reader.record({} if value is None else value, self.place_of(key))

    def array(self, key: str) -> Sequence[object]:
        """Return an array; null or a missing key counts as an empty one."""
        return self.reader.array(self.get(key), self.place_of(key))

    def entries(self, key: str) -> Iterator[tuple[object, str]]:
        """Yield the values of an array, each with its place."""
        for at, value in enumerate(self.array(key)):
            yield value, f"{self.place_of(key)}/{at}"

    def records(self, key: str) -> "Iterator[JsonRecord]":
        """Yield the objects of an array."""
        return (self.reader.record(value, place) for value, place in self.entries(key))

    def text(self, key: str) -> str:
        """Return a string; null or a missing key counts as an empty one."""
        value = self.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.fault(key, f"should be a string, not {_json_type(value)}")
        return value

    def required(self, key: str) -> str:
        """Return a string that must be there."""
        if self.get(key) is None:
            raise self.fault(WHOLE, f"has no {key!r}")
        return self.text(key)

    def whole_number(self, key: str) -> int | None:
        """Return a whole number; None for null or a missing key."""
        value = self.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.fault(key, f"should be a whole number, not {_json_type(value)}")
        if abs(value) > LARGEST_NUMBER:
            raise self.fault(key, f"should be from -{LARGEST_NUMBER} to {LARGEST_NUMBER}")
        return value

    def count(self, key: str) -> int:
        """Return a whole number that must be there and must not be negative."""
        value = self.whole_number(key)
        if value is None:
            raise self.fault(WHOLE, f"has no {key!r}")
        if value < 0:
            raise self.fault(key, f"should not be negative, but is {value}")
        return value


def size_of(document: object) -> int:
    """Return the number of bytes of a document; for a parsed one, roughly that of its JSON."""
    if isinstance(document, bytes):
        return len(document)
    size = 0
    seen: set[int] = set()  # ids of containers; the same one may appear in several places
    stack = [document]
    while stack:
        container = value = stack.pop()
        size += len(value) if isinstance(value, str) else 1
        contents: list[object] = []
        if isinstance(value, Mapping):
            record = cast("Mapping[object, object]", value)
            contents = [*record, *record.values()]
        elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
            contents = list(cast("Sequence[object]", value))
        if contents and id(container) not in seen:
            seen.add(id(container))
            stack += contents
    return size


def _json_type(value: object) -> str:
    """Return the name of a value's JSON type, for messages."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case Mapping():
            return "an object"
        case _:
            return "an array" if isinstance(value, Sequence) else type(value).__name__

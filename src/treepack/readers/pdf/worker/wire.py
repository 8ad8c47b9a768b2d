"""Messages between this process and the one that reads PDFs: a JSON header and arrays of bytes.

No pickle: what a damaged or hostile file makes PDFium write must not run here.
"""

import json
import struct
from collections.abc import Sequence
from typing import Any, BinaryIO, Final, NamedTuple, TypeAlias, cast

Header: TypeAlias = dict[str, Any]
_LENGTH: Final = struct.Struct("<I")
_LARGEST_HEADER: Final = 1 << 28  # bytes


class Message(NamedTuple):
    """A header, and the arrays that belong to it."""

    header: Header
    arrays: list[bytes]


def send(stream: BinaryIO, header: Header, arrays: Sequence[bytes] = ()) -> None:
    """Write a message."""
    text = json.dumps({**header, "arrays": [len(array) for array in arrays]}).encode()
    stream.write(_LENGTH.pack(len(text)))
    stream.write(text)
    stream.writelines(arrays)
    stream.flush()


def receive(stream: BinaryIO) -> Message | None:
    """Read a message; None where the other side is gone."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > _LARGEST_HEADER:
        return None
    text = stream.read(length)
    if len(text) < length:
        return None
    header = cast("Header", json.loads(text))
    arrays: list[bytes] = []
    for size in header.pop("arrays"):
        array = stream.read(size)
        if len(array) < size:
            return None
        arrays.append(array)
    return Message(header, arrays)

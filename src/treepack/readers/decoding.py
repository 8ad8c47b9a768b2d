"""Decodes bytes: the one place that chooses an encoding and refuses binary files.

A byte order mark decides the encoding. Without one, the text is UTF-8 if that works, UTF-16 or
UTF-32 if that explains its NUL bytes, and otherwise windows-1252. Data that is not text in any of
them is binary.
"""

import codecs
import re
import unicodedata
import warnings
from typing import Final, Literal

from treepack.errors import SourceError

# windows-1252 gives nearly every byte the meaning that it has in Western European files. The five
# bytes that it leaves undefined are replaced, never dropped.
FALLBACK_ENCODING: Final = "cp1252"

MOST_ODD_BYTES: Final = 0.4
"""A file is refused if more than this share of its bytes is not text.

The share is below 0.15 in Western text that is not UTF-8, and about 0.5 in compressed data. It is
higher in text of another script in a single-byte encoding, which windows-1252 would turn into
nonsense.
"""

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is the first half of this one
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WIDE_CODECS: Final = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")

_ODD_CONTROLS: Final = bytes({*range(0x20), 0x7F} - {*b"\a\b\t\n\v\f\r\x1b"})
"""C0 and DEL, without what file(1) accepts in text: bell, backspace, whitespace and escape."""

_HIGH_BYTES: Final = bytes(range(0x80, 0x100))
_LETTER_BEFORE_QUOTE: Final = re.compile(
    rb"(?<=[A-Za-z])[\xc4-\xdf][\x85\x91-\x97\x9b\xbb](?![\w\x80-\xff])"
)
"""The end of a word in windows-1252 that is valid UTF-8: the last two bytes of „Spaß“ or «CAFÉ»."""
# Control characters, unassigned code points, private use, surrogates.
_NON_TEXT_CATEGORIES: Final = frozenset({"Cc", "Cn", "Co", "Cs"})
_SEPARATORS: Final = "\n\r \u3000"

_BINARY_STARTS: Final = (
    (b"\x89PNG\r\n\x1a\n", "it is a PNG image"),
    (b"\xff\xd8\xff", "it is a JPEG image"),
    (b"GIF87a", "it is a GIF image"),
    (b"GIF89a", "it is a GIF image"),
    (b"\x1f\x8b", "it is compressed by gzip"),
    (b"BZh", "it is compressed by bzip2"),
    (b"\xfd7zXZ\0", "it is compressed by xz"),
    (b"\x28\xb5\x2f\xfd", "it is compressed by zstd"),
    (b"PK\x03\x04", "it is a ZIP archive"),
    (b"7z\xbc\xaf\x27\x1c", "it is a 7z archive"),
    (b"Rar!\x1a\x07", "it is a RAR archive"),
    (b"PAR1", "it is a Parquet file"),
    (b"\x7fELF", "it is a program"),
)


class DecodingWarning(UserWarning):
    """A file was not UTF-8 and was read in another encoding."""


def decode(data: bytes, name: str, encoding_errors: Literal["replace", "strict"]) -> str:
    """Decode a document's bytes.

    Args:
        data: The bytes.
        name: The document's name, for messages.
        encoding_errors: ``replace`` reads text that is not UTF-8 and has no byte order mark, or
            that has invalid bytes, as well as possible, and a `DecodingWarning` says how;
            ``strict`` refuses it.

    Raises:
        SourceError: The document is binary, or ``strict`` refuses it.
    """
    encoding, doubt = _encoding_of(data, name)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        doubt = f"byte {error.start} is not valid {encoding}"
        text, encoding = _decode_invalid(data, encoding)
    if (nul := text.find("\0")) >= 0:
        raise _binary(name, f"character {nul} is NUL")
    if doubt and encoding_errors == "strict":
        remedy = "convert the file to UTF-8, or allow replacement (encoding_errors='replace')"
        msg = f"{name}: {doubt}; {remedy}"
        raise SourceError(msg)
    if doubt:
        warnings.warn(f"{name}: {doubt}; read as {encoding}", DecodingWarning, stacklevel=3)
    return text


def _encoding_of(data: bytes, name: str) -> tuple[str, str]:
    """Return the likely encoding of a text, and the reason to doubt it (empty if there is none).

    Raises:
        SourceError: The data is binary.
    """
    codec = next((codec for mark, codec in _BYTE_ORDER_MARKS if data.startswith(mark)), None)
    if codec is not None:
        return codec, ""
    for start, reason in _BINARY_STARTS:
        if data.startswith(start):
            raise _binary(name, reason)
    if b"\0" in data:
        wide = _wide_encoding(data)
        if wide is None:
            raise _binary(name, f"byte {data.index(0)} is NUL")
        return wide, "it has no byte order mark and is not UTF-8"
    odd_share = (_count(data, _ODD_CONTROLS) + _undecodable(data)) / max(len(data), 1)
    if odd_share > MOST_ODD_BYTES:
        why = f"{odd_share:.0%} of its bytes are control characters or not UTF-8"
        raise _binary(name, why)
    return "utf-8", ""


def _wide_encoding(data: bytes) -> str | None:
    """Return the UTF-16 or UTF-32 codec in which bytes with NULs are text, or None.

    In UTF-16, nearly any bytes are Chinese characters. So the text must have spaces or line ends
    and only assigned characters; and bytes that are ASCII apart from NUL must become ASCII.
    """
    without_nuls = data.replace(b"\0", b"")
    is_ascii = without_nuls.isascii() and not _count(without_nuls, _ODD_CONTROLS)
    space_counts: dict[str, int] = {}
    for codec in _WIDE_CODECS:
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        characters = set(text)
        is_text = all(
            unicodedata.category(character) not in _NON_TEXT_CATEGORIES or character in "\t\n\v\f\r"
            for character in characters
        )
        if is_text and not characters.isdisjoint(_SEPARATORS) and (text.isascii() or not is_ascii):
            space_counts[codec] = sum(map(text.count, _SEPARATORS))
    return max(space_counts, key=space_counts.__getitem__, default=None)


def _undecodable(data: bytes) -> int:
    """Count the byte sequences that are not UTF-8."""
    if data.isascii():
        return 0
    return data.decode("utf-8", "replace").count("\ufffd") - data.count("\ufffd".encode())


def _decode_invalid(data: bytes, encoding: str) -> tuple[str, str]:
    """Decode invalid text as well as possible; return it with the encoding that was used.

    Damaged UTF-8 has at least as many valid multi-byte characters as invalid ones. A text in
    another encoding has hardly any valid ones, except for letters before closing quotes.
    """
    text = data.decode(encoding, "replace")
    if encoding != "utf-8":
        return text, encoding
    invalid = _undecodable(data)
    ascii_bytes = len(data) - _count(data, _HIGH_BYTES)
    valid = len(text) - ascii_bytes - invalid - len(_LETTER_BEFORE_QUOTE.findall(data))
    if valid >= invalid:
        return text, encoding
    return data.decode(FALLBACK_ENCODING, "replace"), FALLBACK_ENCODING


def _count(data: bytes, counted: bytes) -> int:
    return len(data) - len(data.translate(None, counted))


def _binary(name: str, why: str) -> SourceError:
    return SourceError(
        f"{name}: it is binary, not text: {why}; if it should be text, convert it to UTF-8 first"
    )

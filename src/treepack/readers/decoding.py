"""Decodes bytes: the one place that chooses an encoding and refuses binary files.

A byte order mark decides the encoding. Without one, the text is UTF-8 if that works; otherwise
charset-normalizer guesses. Data that is not text in any encoding is binary.
"""

import codecs
import re
import warnings
from typing import Final, Literal

from treepack.errors import SourceError
from treepack.model.source import Source

USUAL_ENCODING: Final = "cp1252"
"""What is most often meant by text that is not UTF-8; its five undefined bytes are replaced."""

_FEWEST_BYTES: Final = 16
"""Bytes beyond ASCII from which an encoding is guessed; of 25 short texts, fewer misled it in 4."""

_MOST_ODD: Final = 0.4
"""A file is refused if more than this share of its bytes are control characters, or no characters.

The share is below 0.15 in Western text that is not UTF-8, and about 0.5 in compressed data.
"""

_WIDE_ENCODINGS: Final = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
# Those of the web (WHATWG Encoding) that are in use, and UTF-16 and UTF-32 without a mark.
_ENCODINGS: Final = [
    *(f"cp{number}" for number in (1252, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258, 874)),
    *("koi8-r", "koi8-u", "iso8859-2", "iso8859-5", "iso8859-7"),
    *("gb18030", "big5", "cp932", "euc-jp", "cp949"),
    *_WIDE_ENCODINGS,
]

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is the first half of this one
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_ODD_CONTROLS: Final = bytes({*range(1, 0x20), 0x7F} - {*b"\a\b\t\n\v\f\r\x1b"})
"""C0 and DEL, without NUL and what file(1) accepts in text: bell, backspace, whitespace, escape."""
_ASCII: Final = bytes(range(0x80))
_LETTER_BEFORE_QUOTE: Final = re.compile(
    rb"(?<=[A-Za-z])[\xc4-\xdf][\x85\x91-\x97\x9b\xbb](?![\w\x80-\xff])"
)
"""The end of a word in windows-1252 that is valid UTF-8: the last two bytes of „Spaß“ or «CAFÉ»."""

_BINARY_STARTS: Final = (
    (b"\x89PNG\r\n\x1a\n", "it is a PNG image"),
    (b"\xff\xd8\xff", "it is a JPEG image"),
    (b"GIF8", "it is a GIF image"),
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


def read_text(
    data: bytes, name: str, *, encoding_errors: Literal["replace", "strict"] = "replace"
) -> Source:
    """Return markdown or plain text as it is; see `decode`."""
    return Source(decode(data, name, encoding_errors))


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
    for start, reason in _BINARY_STARTS:
        if data.startswith(start):
            raise _binary(name, reason)
    marked = next((codec for mark, codec in _BYTE_ORDER_MARKS if data.startswith(mark)), None)
    encoding, doubt = marked or "utf-8", ""
    if not marked and 0 in data:
        encoding, doubt = _wide_encoding(data, name), "it has no byte order mark and is not UTF-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        doubt = f"byte {error.start} is not valid {encoding}"
        encoding = marked or _guessed(data, name)
        text = data.decode(encoding, "replace")
    if (nul := text.find("\0")) >= 0:
        raise _binary(name, f"character {nul} is NUL")
    if (count := sum(text.count(chr(odd)) for odd in _ODD_CONTROLS)) > _MOST_ODD * len(text):
        raise _binary(name, f"{count} of its {len(text)} characters are control characters")
    if doubt and encoding_errors == "strict":
        remedy = "convert the file to UTF-8, or allow replacement (encoding_errors='replace')"
        msg = f"{name}: {doubt}; {remedy}"
        raise SourceError(msg)
    if doubt:
        warnings.warn(f"{name}: {doubt}; read as {encoding}", DecodingWarning, stacklevel=4)
    return text


def _guessed(data: bytes, name: str) -> str:
    """Return the likely encoding of a text that is not valid UTF-8.

    Damaged UTF-8 has at least as many valid characters beyond ASCII as invalid ones. A text in
    another encoding has hardly any, except for letters before closing quotes.
    """
    text = data.decode("utf-8", "replace")
    beyond_ascii = len(data.translate(None, _ASCII))
    invalid = text.count("\ufffd") - data.count("\ufffd".encode())
    valid = len(text) - (len(data) - beyond_ascii) - invalid
    if valid - len(_LETTER_BEFORE_QUOTE.findall(data)) >= invalid:
        return "utf-8"
    if beyond_ascii < min(_FEWEST_BYTES, _MOST_ODD * len(data)):
        return USUAL_ENCODING
    encodings = _guesses(data, _ENCODINGS)
    if not encodings and invalid + _count(data, _ODD_CONTROLS) <= _MOST_ODD * len(data):
        return USUAL_ENCODING
    if not encodings:
        raise _binary(name, f"{invalid} places are not UTF-8, and no other encoding fits")
    is_western = encodings[0] == "cp1250" and USUAL_ENCODING in encodings  # they share most letters
    return USUAL_ENCODING if is_western else encodings[0]


def _wide_encoding(data: bytes, name: str) -> str:
    """Return the encoding in which bytes with NULs are text.

    In UTF-16, nearly any bytes are Chinese characters. So bytes that are ASCII apart from NUL must
    become ASCII.
    """
    is_ascii = data.isascii() and not _count(data, _ODD_CONTROLS)
    for encoding in _guesses(data, _WIDE_ENCODINGS):
        if data.decode(encoding).isascii() or not is_ascii:
            return encoding
    raise _binary(name, f"byte {data.index(0)} is NUL")


def _guesses(data: bytes, encodings: list[str]) -> list[str]:
    """Return the encodings in which data looks like text, the likeliest first."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 - 40 ms, and rarely needed

    return [match.encoding.replace("_", "-") for match in from_bytes(data, cp_isolation=encodings)]


def _count(data: bytes, counted: bytes) -> int:
    return len(data) - len(data.translate(None, counted))


def _binary(name: str, why: str) -> SourceError:
    return SourceError(
        f"{name}: it is binary, not text: {why}; if it should be text, convert it to UTF-8 first"
    )

"""Bytes become text, or are refused because they are not text."""

import gzip
import io
import random
import warnings
import zipfile
import zlib

import pytest
from case_files import case_table
from hypothesis import given
from hypothesis import strategies as st

from treepack import SourceError, read
from treepack.readers.decoding import DecodingWarning, decode

TEXTS = case_table("decoding", "texts")
WIDE = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]


def noise(size: int) -> bytes:
    return random.Random(size).randbytes(size)  # noqa: S311 - the same each time


def zipped() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("notes.txt", "text")
    return stream.getvalue()


PROSE = ("The operator of the valve checks the pressure before each shift. " * 40).encode()
BINARY = {
    "every byte": bytes(range(256)) * 50,
    "noise": noise(5000),
    "noise without NUL": noise(5000).replace(b"\0", b"\1"),
    "a little noise without NUL": noise(90).replace(b"\0", b"\1"),
    "one NUL in a text": b"# A\0\n\ntext\n",
    "NUL in pairs": b"# A\0\0\0\0\n" * 9,
    "NUL after each record": b"name    addr    city    \0" * 20,
    "NUL after records of even length": b"abc\0def\0ghi\0jkl\0 mn\0",
    "NUL at the end": PROSE + bytes(64),
    "a UTF-8 mark and NUL": b"\xef\xbb\xbf# A\0\n",
    "a UTF-16 mark and NUL": "\ufeff# A\0\n".encode("utf-16-le"),
    "control characters": bytes(range(1, 32)) * 9,
    "deflated": zlib.compress(PROSE)[:400],
    "gzip": gzip.compress(PROSE),
    "zip": zipped(),
    "a PNG image, its beginning": b"\x89PNG\r\n\x1a\n and words that follow it, many words",
    "a JPEG image, its beginning": b"\xff\xd8\xff\xe0 and words that follow it, many words",
    "PDF": b"%PDF-1.7\n" + PROSE,
    "RTF": b"{\\rtf1\\ansi Text.}",
    "an old Word file": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(200),
}


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.mdx", "a.html", ""])
@pytest.mark.parametrize("kind", BINARY)
def test_binary_files_are_rejected_regardless_of_their_name(kind: str, name: str) -> None:
    if kind in {"PDF", "RTF", "zip"} and name in {"a.html", ""}:
        return  # read as what they are
    remedies = "binary", "is not a format that treepack reads", "rename it to end in .pdf"
    with pytest.raises(SourceError) as raised:
        read(BINARY[kind], name=name)
    assert str(raised.value).startswith(f"{name or 'the input'}: ")
    assert any(remedy in str(raised.value) for remedy in remedies)


GUESSED = [("Russian", "cp1251"), ("Russian", "koi8-r"), ("Greek", "cp1253"), ("Hebrew", "cp1255")]
GUESSED += [("Chinese", "gb18030"), ("Japanese", "cp932"), ("Japanese", "euc-jp")]
WESTERN = ["Café\n", "# Größe\n\nÄ, Ö.\n", "Ça va à l'été\n", "20 °C\n", "Es machte „Spaß“.\n"]
WESTERN += ["Le «CAFÉ» est fermé.\n", "Das „CAFÉ“\n"]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *[(text, encoding) for text in TEXTS.values() for encoding in WIDE],
        *[(text, "cp1252") for text in WESTERN],
        *[(4 * TEXTS[language], encoding) for language, encoding in GUESSED],
    ],
)
def test_other_encodings_are_guessed_with_a_warning_that_names_them(
    text: str, encoding: str
) -> None:
    data = text.encode(encoding)
    with pytest.warns(DecodingWarning, match=f"read as {encoding}"):
        assert read(data).text == text
    with pytest.raises(SourceError, match="convert the file to UTF-8"):
        read(data, encoding_errors="strict")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-8"])
@pytest.mark.parametrize("language", TEXTS)
def test_utf_8_and_text_with_a_byte_order_mark_are_read_without_a_warning(
    language: str, encoding: str
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = read(TEXTS[language].encode(encoding), encoding_errors="strict").text
    assert text == TEXTS[language]


@pytest.mark.parametrize("language", ["Russian", "Greek", "Chinese", "Japanese"])
def test_broken_utf_8_loses_only_the_broken_bytes(language: str) -> None:
    """If it were read as windows-1252, one byte would spoil the whole text."""
    data = TEXTS[language].encode() + b"\xff\n"
    with pytest.warns(DecodingWarning, match="read as utf-8"):
        assert read(data).text == TEXTS[language] + "\ufffd\n"


@pytest.mark.parametrize("text", ["Café. ", "20 °C. ", "It’s done. ", "Fuß. ", "A dû. "])
@pytest.mark.parametrize("broken", [b"\xff", b"\xc3", b"\xe9t"])
def test_one_valid_character_outweighs_one_broken_byte(text: str, broken: bytes) -> None:
    with pytest.warns(DecodingWarning, match="read as utf-8"):
        assert read(text.encode() + broken).text.startswith(f"{text}\ufffd")


def test_a_few_control_characters_do_not_make_a_text_binary() -> None:
    """Logs have colours, old manuals backspaces and form feeds, DOS files an end-of-file mark."""
    text = PROSE.decode() + "\x1b[31mred\x1b[0m \x0c N\bNA\bA \x01\x02 \x1a"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(text.encode()).text == text


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs", "Cc"])))
def test_any_utf_8_text_without_control_characters_is_read(text: str) -> None:
    beginnings = ("%PDF-", "{\\rtf", "PK", "GIF8", "BZh", "PAR1", "7z", "Rar!")
    if not text.startswith(beginnings) and not text.startswith("\ufeff"):
        assert decode(text.encode(), "x", "strict") == text

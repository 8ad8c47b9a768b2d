"""Bad input: nothing raises, nothing is lost, nothing hangs.

Tests judge how work grows with the text, never how long it takes. Work is measured in counted
tokens and in function calls, which are the same on any machine.
"""

import codecs
from collections.abc import Callable
from pathlib import Path

import pytest
from function_calls import calls, growing
from written_files import file_writer

from treepack import Chunks, PackConfig, Source, SourceError, audit, pack, parse, read
from treepack.readers.decoding import DecodingWarning
from treepack.tokens import token_counter

CAPS = (1024, 64)

HOSTILE_TEXTS: dict[str, Callable[[int], str]] = {
    **growing("parts/hostile_texts.json"),
    "lists in lists by lines": lambda n: "".join("  " * i + f"- item {i}\n" for i in range(2 * n)),
}


def assert_first_four_laws_hold(text: str, chunks: Chunks, cap: int) -> None:
    report = audit(text, chunks, PackConfig(max_tokens=cap), name="h.md")
    assert [str(finding) for finding in report.findings[:3] if finding.law in (1, 2, 3, 4)] == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE_TEXTS)
def test_hostile_input_is_packed_without_loss(kind: str) -> None:
    text = HOSTILE_TEXTS[kind](6)
    cap = CAPS[len(kind) % len(CAPS)]
    chunks = pack(Source(text, "h.md"), PackConfig(max_tokens=cap))
    assert chunks
    assert_first_four_laws_hold(text, chunks, cap)


def packing_calls(text: str) -> int:
    """Count the function calls while a text is packed."""
    config = PackConfig(max_tokens=64)
    return calls(lambda: pack(Source(text, "h.md"), config))


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [kind for kind in HOSTILE_TEXTS if kind != "lists in lists by lines"]
)
def test_packing_work_grows_linearly_with_hostile_text(kind: str) -> None:
    """Twice the text must not take four times the calls."""
    packing_calls("warm up")
    assert (
        packing_calls(HOSTILE_TEXTS[kind](12))
        <= 2.6 * packing_calls(HOSTILE_TEXTS[kind](6)) + 3_000
    )


def test_ten_thousand_nested_quotes_and_lists_do_not_reach_the_recursion_limit() -> None:
    for mark in ("> ", ">", "- ", "1. "):
        text = mark * 10_000 + "deep\n"
        assert_first_four_laws_hold(text, pack(Source(text, "h.md")), 400)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["a" * 300_000, "x" + " " * 1_050_000 + "y"])
def test_a_long_text_without_words_is_cut_within_the_cap(text: str) -> None:
    """Older versions of tiktoken hang on many spaces, newer ones panic."""
    assert_first_four_laws_hold(text, pack(Source(text, "h.md")), 400)


def packed_without_findings(text: str) -> Chunks:
    chunks = pack(Source(text, "h.md"))
    assert audit(text, chunks, PackConfig(), name="h.md").findings == ()
    return chunks


def test_a_row_of_twenty_thousand_tokens_stays_a_table_in_each_piece() -> None:
    chunks = packed_without_findings("| a | b |\n|---|---|\n| key | " + "word " * 20_000 + "|\n")
    assert all(chunk.text.startswith("| a | b |\n|---|---|\n| key |") for chunk in chunks)
    assert [c.tables[0].cell_part for c in chunks] == list(range(1, len(chunks) + 1))


def test_a_heading_of_five_thousand_tokens_is_cut_and_its_breadcrumb_shortened() -> None:
    text = "# " + "long heading " * 2_500 + "\n\n" + "Some text of it. " * 400 + "\n"
    title = packed_without_findings(text)[-1].breadcrumb[-1]
    assert ("long heading " * 2_500).startswith(title.removesuffix("…"))
    assert 900 < len(title) <= 1_001


def test_special_tokens_are_counted_as_plain_text() -> None:
    text = "<|endoftext|> and <|fim_prefix|>"
    (chunk,) = pack(Source(text))
    assert chunk.token_count == token_counter("cl100k_base")(text) > 10


def test_lone_surrogates_are_counted_and_written() -> None:
    text = "a\ud800b \udc00\n\n# h\udfff\n\n" + "word\ud800 " * 100
    chunks = pack(Source(text, "s.md"), PackConfig(max_tokens=32))
    assert_first_four_laws_hold(text, chunks, 32)
    lines = chunks.to_jsonl()
    lines.encode()
    assert Chunks.from_jsonl(lines) == chunks


def test_a_file_that_is_not_utf_8_is_read_with_a_warning_that_names_file_and_byte(
    tmp_path: Path,
) -> None:
    path = file_writer(tmp_path)("# Größe\n\nText.\n".encode("cp1252"))
    with pytest.warns(DecodingWarning, match="byte 4 is not valid utf-8; read as cp1252") as caught:
        (chunk,) = pack(path)
    assert str(path) in str(caught[0].message)
    assert chunk.text == "# Größe\n\nText."
    with pytest.raises(SourceError, match="byte 4 is not valid utf-8; convert the file") as raised:
        read(path, encoding_errors="strict")
    assert str(path) in str(raised.value)


def test_any_byte_except_nul_is_decoded_and_none_is_dropped() -> None:
    data = b"".join(b"word " + bytes([number]) for number in range(1, 256))
    with pytest.warns(DecodingWarning):
        assert len(read(data).text) == len(data)


def test_truncated_utf_16_is_read_with_a_warning() -> None:
    with pytest.warns(DecodingWarning, match="not valid utf-16"):
        assert read(codecs.BOM_UTF16_LE + "ab".encode("utf-16-le") + b"\x41").text == "ab\ufffd"


@pytest.mark.parametrize("data", [b"", codecs.BOM_UTF8])
def test_an_empty_file_gives_no_chunk_and_no_error(tmp_path: Path, data: bytes) -> None:
    path = file_writer(tmp_path)(data)
    assert len(pack(path)) == 0
    assert parse(read(path)).root.blocks == ()


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"cannot read .*gone\.md: No such file"):
        pack(tmp_path / "gone.md")
    with pytest.raises(SourceError, match="cannot read"):
        read(tmp_path)
    with pytest.raises(SourceError, match=r"it is a folder; give its files"):
        pack(tmp_path)

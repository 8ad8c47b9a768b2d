"""What the public functions accept, and what they refuse by name; a text never opens a file."""

import re
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Any

import pytest
from case_files import case_file
from written_files import file_writer

import treepack
from treepack import Chunks, PackConfig, Source, SourceError, audit, pack, pack_many, parse, read
from treepack.errors import SentenceSplitterError, TokenizerError
from treepack.packing import Packer
from treepack.readers.formats import UNREAD, suffixes
from treepack.sentences import sentence_splitter
from treepack.tokens import token_counter


def type_name(value: object) -> str:
    return type(value).__name__


@pytest.fixture
def write_file(tmp_path: Path) -> Callable[[bytes], Path]:
    """Return a function that writes a file with the given bytes."""
    return file_writer(tmp_path)


# -------------------------------------------------------------------- texts that look like paths

TEXTS = case_file("parts/texts_and_paths.json")
PATH_LIKE_TEXTS = [
    *(f"report{suffix}" for suffix in sorted({*suffixes(), *UNREAD} - {".org"})),
    *TEXTS["like_paths"],
]
OTHER_TEXTS = [*TEXTS["other"], "x" * 5_000, "~" * 300, "word " * 300 + "notes.md"]


CHUNKS = pack("# A\n\nText.")
ENTRIES: dict[str, Callable[[Any], object]] = {  # every public function that takes a text
    "pack": pack,
    "Packer.pack": Packer().pack,
    "pack_many": lambda text: list(pack_many([text])),
    "parse": parse,
    "audit": lambda text: audit(text, []),
    "report": lambda text: treepack.report(CHUNKS, text),
}


@pytest.mark.parametrize("text", PATH_LIKE_TEXTS)
def test_a_text_that_looks_like_a_path_is_rejected_with_a_remedy(text: str) -> None:
    for name, entry in ENTRIES.items():
        with pytest.raises(SourceError, match="looks like the path of a file") as caught:
            entry(text)
        for part in (repr(text.strip()), "Source(", "Path(" if "ack" in name else "read("):
            assert part in str(caught.value), name


@pytest.mark.parametrize("text", OTHER_TEXTS)
def test_text_that_does_not_look_like_a_path_is_accepted(text: str) -> None:
    for name, entry in ENTRIES.items():
        entry(text)
        assert "".join(chunk.text for chunk in pack(text)) == text.strip(), name


def test_a_text_never_opens_a_file_even_if_it_exists(
    write_file: Callable[[bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever writes a text must not learn which files exist, let alone what is in them."""
    existing = write_file(b"SECRET")
    messages: set[str] = set()
    for path in (existing, existing.with_name("x.md")):
        with pytest.raises(SourceError) as caught:
            pack(str(path))
        messages.add(str(caught.value).replace(str(path), ""))
    assert len(messages) == 1
    bare = existing.rename(existing.with_name("SECRETS"))  # a name without a suffix is text
    monkeypatch.chdir(bare.parent)
    for text in ("SECRETS", str(bare)):
        assert [chunk.text for chunk in pack(text)] == [text]


# -------------------------------------------------------------------- arguments of a wrong type


class AnyPath:
    """A path that is not a `pathlib.Path`."""

    def __fspath__(self) -> str:
        return "notes.md"


NOT_DOCUMENTS: list[Any] = [
    *(None, 5, 1.5, True, object(), b"# A", bytearray(b"# A"), memoryview(b"# A"), ["# A"], ("A",)),
    *({"text": "# A"}, {"# A"}, PurePath("notes.md"), AnyPath(), PackConfig(), len, str),
]


@pytest.mark.parametrize("wrong", NOT_DOCUMENTS, ids=type_name)
def test_a_value_that_is_not_a_document_is_rejected_by_its_type_name(wrong: Any) -> None:  # noqa: ANN401 - any
    kind = type(wrong).__name__
    for name, entry in ENTRIES.items():
        if name == "report" and wrong is None:
            continue  # None means the document that the chunks remember
        with pytest.raises(TypeError, match=rf"takes text.* or a (Source|Document), not {kind}"):
            entry(wrong)
    with pytest.raises(TypeError, match=f"not {kind}"):
        Source(wrong)
    with pytest.raises(TypeError, match=f"not {kind}"):
        Chunks.from_jsonl(wrong)


def test_read_accepts_any_kind_of_path_or_bytes_and_nothing_else(
    write_file: Callable[[bytes], Path],
) -> None:
    path = write_file(b"# A\n")
    for given in (path, str(path), PurePath(path), b"# A\n", bytearray(b"# A\n")):
        assert read(given).text == "# A\n"
    assert read(memoryview(b"# A\n")).text == "# A\n"
    wrong: list[Any] = [None, 5, 1.5, ["a.md"], {"a": 1}, Source("x"), object()]
    for each in wrong:
        with pytest.raises(
            TypeError, match=f"a path or the bytes of a file, not {type_name(each)}"
        ):
            read(each)
    for text in ("# A\n\nText.", "a\0b", "a\rb"):
        with pytest.raises(SourceError, match=r"this string is text: use Source\(text\)"):
            read(text)


NOT_CONFIGS: list[tuple[Any, str]] = [
    *((wrong, "PackConfig") for wrong in (512, {"max_tokens": 512}, {}, [512], b"", len)),
    *(("standards", r"PackConfig\.preset\('standards'\)"), (PackConfig, "not ModelMetaclass")),
]


@pytest.mark.parametrize(("wrong", "remedy"), NOT_CONFIGS, ids=str)
def test_a_config_of_another_type_is_rejected_with_a_remedy(wrong: Any, remedy: str) -> None:  # noqa: ANN401 - any wrong value
    entries: list[Callable[[], object]] = [
        lambda: Packer(wrong),
        lambda: pack("# A", wrong),
        lambda: pack_many(["# A"], wrong),
        lambda: pack_many(["# A"], wrong, jobs=2),
        lambda: treepack.report(pack("# A"), config=wrong),
        lambda: treepack.audit("# A", ["# A"], wrong),
    ]
    for entry in entries:
        with pytest.raises(TypeError, match=f"must be a PackConfig, not {type_name(wrong)}") as e:
            entry()
        assert re.search(remedy, str(e.value))


@pytest.mark.parametrize(
    "wrong", ["# A", "notes.md", b"text", Path("a.md"), Source("x"), parse("x"), None, 5], ids=str
)
def test_pack_many_rejects_a_single_document_immediately(wrong: Any) -> None:  # noqa: ANN401 - any
    """A string is iterable too, but its items are characters."""
    with pytest.raises(TypeError, match=f"iterable of documents, not {type_name(wrong)}"):
        pack_many(wrong)


@pytest.mark.parametrize("jobs", ["2", None, 1.5])
def test_pack_many_rejects_wrong_jobs_immediately(jobs: Any) -> None:  # noqa: ANN401 - any
    with pytest.raises(TypeError, match=r"jobs is .*, but must be a whole number"):
        pack_many(["# A"], jobs=jobs)


@pytest.mark.parametrize("wrong", ["# A", b"text", None, 5, 3, [3], [{"text": "a"}], iter(["a"])])
def test_audit_rejects_anything_but_a_sequence_of_chunks(wrong: Any) -> None:  # noqa: ANN401 - any
    with pytest.raises(TypeError, match=r"list of chunks|must be a Chunk or a str") as caught:
        audit("# A", wrong)
    assert isinstance(wrong, list) or f", not {type_name(wrong)}" in str(caught.value)


@pytest.mark.parametrize("wrong", [5, b"a.md", Path("a.md"), ["a.md"]])
def test_a_name_must_be_a_string(wrong: Any) -> None:  # noqa: ANN401 - any
    calls: list[Callable[..., object]] = [Source, pack, parse]
    for call, given in [*((call, "x") for call in calls), (pack, Source("x"))]:
        with pytest.raises(TypeError, match=f"a str as its name, not {type_name(wrong)}"):
            call(given, name=wrong)


@pytest.mark.parametrize("wrong", [None, 5, [len], b"cl100k_base"])
def test_invalid_tokenizers_and_sentence_splitters_are_rejected(wrong: Any) -> None:  # noqa: ANN401 - any
    with pytest.raises(TokenizerError, match=f"not {type_name(wrong)}"):
        token_counter(wrong)
    with pytest.raises(TokenizerError, match=f"not {type_name(wrong)}"):
        parse("x", encoding=wrong)
    with pytest.raises(SentenceSplitterError, match=f"not {type_name(wrong)}"):
        sentence_splitter(wrong)
    with pytest.raises(ValueError, match=f"object with a method spans, not {type_name(wrong)}"):
        PackConfig(sentence_splitter=wrong)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("front_matter", lambda wrong: parse("x", front_matter=wrong)),
        ("outline", lambda wrong: parse("x", outline=wrong)),
        ("encoding_errors", lambda wrong: read(b"x", encoding_errors=wrong)),
        ("on_error", lambda wrong: pack_many([], on_error=wrong)),
    ],
)
def test_an_invalid_choice_is_rejected_with_its_name_and_value(
    name: str, call: Callable[[object], object]
) -> None:
    for wrong in ("", "trusted", "separated", "metadata ", "Auto", None, 1, True, ["auto"]):
        with pytest.raises(ValueError, match=re.escape(f"{name} is {wrong!r}, but must be one of")):
            call(wrong)

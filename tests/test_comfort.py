"""Conveniences for interactive work: short forms, finding, adding, settings by name."""

import inspect
import pickle
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from audits import findings_in
from case_files import CASES, case_file
from hypothesis import given
from strategies import any_text, configs, generated

from treepack import Chunks, PackConfig, Source, audit, pack, parse
from treepack.config import Settings

ACT = (CASES / "texts" / "act.md").read_text("utf-8")
SMALL = PackConfig(max_tokens=24, target_tokens=24, min_tokens=0)


def texts(chunks: Chunks) -> str:
    return "\n".join(chunk.lexical_text for chunk in chunks)


# --- short forms ---


def test_the_repr_of_a_chunk_shows_its_section_size_and_text() -> None:
    chunk = pack(ACT, SMALL, name="act.md")[1]
    begin, size = "<Chunk 1 of 'act.md › The Act › Article 21", f"{chunk.embed_token_count} tokens"
    assert repr(chunk) == str(chunk)
    assert all(part in repr(chunk) for part in (begin, size, "records"))


@generated
@given(any_text, configs())
def test_the_repr_of_any_chunk_is_one_short_line(text: str, config: PackConfig) -> None:
    for chunk in pack(Source(text, "x\ny.md"), config):
        assert 1 == len(repr(chunk).splitlines())
        assert len(repr(chunk)) < 800


# --- finding ---


FOUND: dict[str, tuple[str, str]] = case_file("parts/found_clauses.json")
"""Words that are found with a clause, and words that are not."""


@pytest.mark.parametrize("clause", FOUND)
def test_find_returns_a_clause_with_everything_inside_it_or_nothing(clause: str) -> None:
    expected, unexpected = (words.split("|") for words in FOUND[clause])
    chunks = pack(ACT, SMALL).find(clause)
    found = texts(chunks)
    assert all(words in found for words in expected), found
    assert not [words for words in unexpected if words in found]
    assert bool(len(chunks)) == bool(expected[0])


def test_find_returns_all_chunks_of_a_cut_clause() -> None:
    text = f"# Act\n\n## Article 5 Long\n\n1. {'The operator keeps records. ' * 40}\n\n2. End.\n"
    chunks = pack(text, SMALL)
    found = chunks.find("5(1)")
    assert len(found) > 3
    assert texts(found).count("records") == 40
    assert "End." not in texts(found[:-1])


def test_at_finds_chunks_by_page_line_and_offset() -> None:
    second, third = ACT.index("## Article 21"), ACT.index("## Article 22")
    chunks = pack(Source(ACT, "act.md", page_marks=((0, 1), (second, 2), (third, 3))), SMALL)
    assert {2} == {page for chunk in chunks.at(page=2) for page in chunk.pages}
    assert len(chunks.at(page=2)) == sum(2 in chunk.pages for chunk in chunks)
    line = ACT[: ACT.index("(b)")].count("\n") + 1
    assert "check the pump" in texts(chunks.at(line=line))
    [at] = chunks.at(offset=ACT.index("check the pump"))
    assert "check the pump" in at.text
    assert at in chunks.at(page=2, offset=ACT.index("check the pump"))
    assert 0 == len(chunks.at(page=1, offset=ACT.index("check the pump")))
    assert 0 == len(chunks.at(page=9))
    with pytest.raises(TypeError, match=r"chunks\.at\(page=7\)"):
        chunks.at()


def test_chunks_can_be_filtered_and_added() -> None:
    chunks, more = pack(ACT, SMALL, name="a.md"), pack("# B\n\nText.\n", name="b.md")
    tables = chunks.filter(lambda chunk: chunk.tables)
    assert tables
    assert [chunk for chunk in chunks if chunk.tables] == list(tables)
    both = chunks + more
    assert [*chunks, *more] == list(both)
    assert ["a.md", "b.md"] == list(dict.fromkeys(chunk.document for chunk in both))
    assert Chunks.from_jsonl(both.to_jsonl()) == both
    wrong: Any = 3
    with pytest.raises(TypeError):
        _ = chunks + wrong


def test_json_lines_can_be_written_to_a_file(tmp_path: Path) -> None:
    chunks = pack("# Tür\n\nTe\u2028xt.\n", name="tür.md")
    for path in (tmp_path / "a.jsonl", str(tmp_path / "b.jsonl")):
        chunks.to_jsonl(path)
        assert chunks.to_jsonl().encode() == Path(path).read_bytes()
    with pytest.raises(FileNotFoundError):
        chunks.to_jsonl(tmp_path / "nowhere" / "c.jsonl")


# --- settings ---


def test_settings_can_be_given_as_keyword_arguments() -> None:
    by_name = pack(ACT, max_tokens=24, target_tokens=24, min_tokens=0, name="act.md")
    assert pack(ACT, SMALL, name="act.md") == by_name
    assert not findings_in(by_name), "they are remembered"
    with pytest.raises(ValueError, match="did you mean 'max_tokens'"):
        pack(ACT, max_token=24)  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]
    with pytest.raises(TypeError, match="not both: max_tokens"):
        pack(ACT, SMALL, max_tokens=24)


def test_settings_have_the_names_and_types_of_the_configuration_and_descriptions() -> None:
    ours, theirs = get_type_hints(Settings), get_type_hints(PackConfig)
    assert {*PackConfig.model_fields} == {*ours}
    assert {name: theirs[name] for name in ours} == ours
    descriptions = {field.description for field in PackConfig.model_fields.values()}
    assert len(descriptions - {None, ""}) == len(ours)


def test_parameters_of_parse_have_the_types_and_defaults_of_settings() -> None:
    fields, ours, taken = PackConfig.model_fields, get_type_hints(Settings), get_type_hints(parse)
    parameters = inspect.signature(parse).parameters
    assert {*PackConfig().parsing} == {*fields} & {*parameters}
    for name in PackConfig().parsing:
        assert taken[name] == ours[name], name
        assert parameters[name].default == fields[name].default, name


def test_the_repr_of_settings_shows_differences_from_the_defaults() -> None:
    assert repr(PackConfig()) == str(PackConfig()) == "PackConfig()"
    assert repr(PackConfig(max_tokens=800)) == "PackConfig(max_tokens=800)"
    assert "repeat_heading=True" in repr(PackConfig.preset("sections", sections="pack"))


@generated
@given(configs())
def test_the_repr_of_settings_evaluates_to_equal_settings(config: PackConfig) -> None:
    assert eval(repr(config)) == config  # noqa: S307 - that it is code is the claim


# --- hashes ---


def test_all_records_are_hashable() -> None:
    def made() -> list[object]:
        document = parse(ACT, name="act.md")
        chunks = pack(document, SMALL)
        patterns = PackConfig(heading_patterns={1: "^ARTICLE"})
        report = audit(document.source, chunks, name="act.md")
        return [*chunks, chunks, document, document.source, SMALL, patterns, report, *report.laws]

    first = made()
    assert first == made()
    assert list(map(hash, first)) == list(map(hash, made()))
    assert len({*first, *made()}) == len({*first})
    assert hash(pickle.loads(pickle.dumps(first[0]))) == hash(first[0])  # noqa: S301 - our own

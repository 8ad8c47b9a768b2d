"""``treepack audit``: its verdicts, and where it reports what is wrong."""

import json
from pathlib import Path

import pytest
from cli_documents import FLATTENED_OUTLINE, write_guides
from command_line import invoke, run


@pytest.fixture(autouse=True)
def _run_in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads another folder's settings."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder with documents, and with files that are not documents."""
    return write_guides(tmp_path / "docs")


def test_audit_accepts_packed_chunks(docs: Path) -> None:
    assert 0 == invoke("pack", docs, "-o", "out.jsonl", "--max", 64).exit_code
    for arguments in (["--chunks", "out.jsonl"], ["--chunks", "out.jsonl", "--jobs", "2"], []):
        result = run("audit", docs, "--max", 64, *arguments)
        assert 0 == result.returncode, result.stdout + result.stderr
        assert "nothing lost" in result.stdout


def test_audit_reports_a_broken_law_and_where_it_is(docs: Path) -> None:
    records = [json.loads(line) for line in invoke("pack", docs / "b.md").stdout.splitlines()]
    records[-1]["token_count"] += 1
    lines = [json.dumps(record) for record in records]
    Path("out.jsonl").write_text("\n".join(lines), encoding="utf-8")
    result = invoke("audit", docs / "b.md", "--chunks", "out.jsonl")
    assert 1 == result.exit_code
    assert f"{docs / 'b.md'}:" in result.stdout
    assert "honest counts" in result.stdout


def test_audit_reports_a_document_without_records(docs: Path) -> None:
    result = invoke("pack", docs)
    kept = [line for line in result.stdout.splitlines() if '"b.md"' not in line]
    Path("out.jsonl").write_text("\n".join(kept), encoding="utf-8")
    result = invoke("audit", docs, "--chunks", "out.jsonl")
    assert 1 == result.exit_code
    assert f"{docs / 'b.md'}:" in result.stdout


def test_audit_reports_records_of_a_missing_document(docs: Path) -> None:
    Path("out.jsonl").write_text(invoke("pack", docs).stdout, encoding="utf-8")
    (docs / "b.md").unlink()
    result = invoke("audit", docs, "--chunks", "out.jsonl")
    assert 1 == result.exit_code
    assert "'b.md'" in result.stderr


def test_audit_checks_the_cap_only_if_it_is_known(docs: Path) -> None:
    Path("out.jsonl").write_text(invoke("pack", docs).stdout, encoding="utf-8")
    assert 0 == invoke("audit", docs, "--chunks", "out.jsonl").exit_code
    assert 0 == invoke("audit", docs, "--chunks", "out.jsonl", "--max", 1024).exit_code
    assert 1 == invoke("audit", docs, "--chunks", "out.jsonl", "--max", 16).exit_code


def test_audit_checks_plain_texts_from_other_tools() -> None:
    Path("a.md").write_text("One.\n\nTwo.\n", encoding="utf-8")
    Path("good.jsonl").write_text('{"text": "One."}\n\n{"text": "Two."}\n', encoding="utf-8")
    Path("bad.jsonl").write_text('{"text": "One.", "document": "a.md"}\n', encoding="utf-8")
    assert 0 == invoke("audit", "a.md", "--chunks", "good.jsonl").exit_code
    result = invoke("audit", "a.md", "--chunks", "bad.jsonl")
    assert 1 == result.exit_code
    assert "a.md:3" in result.stdout


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "3", '{"document": "a.md"}', '{"text": 3}', '{"text": "", "segments": 1}', "\xff"],
)
def test_audit_names_the_line_of_an_invalid_record(line: str) -> None:
    Path("a.md").write_text("One.\n", encoding="utf-8")
    Path("out.jsonl").write_bytes(b'{"text": "One."}\n' + line.encode("latin-1") + b"\n")
    result = invoke("audit", "a.md", "--chunks", "out.jsonl")
    assert 2 == result.exit_code
    assert "out.jsonl:2:" in result.stderr


def test_audit_reads_chunks_from_standard_input() -> None:
    Path("a.md").write_text("One.\n", encoding="utf-8")
    assert 0 == invoke("audit", "a.md", "--chunks", "-", stdin='{"text": "One."}').exit_code
    assert 1 == invoke("audit", "a.md", "--chunks", "-", stdin='{"text": "Two."}').exit_code


def test_records_without_a_document_name_require_a_single_document(docs: Path) -> None:
    Path("out.jsonl").write_text('{"text": "One."}\n', encoding="utf-8")
    result = invoke("audit", docs, "--chunks", "out.jsonl")
    assert 2 == result.exit_code
    assert "4 documents" in result.stderr


def test_audit_uses_the_outline_changes_in_the_first_record() -> None:
    """The changes are in the first record; a change that it does not name is a finding."""
    Path("flat.md").write_text(FLATTENED_OUTLINE, encoding="utf-8")
    lines = invoke("pack", "flat.md", "--max", 24, "--min", 0).stdout.splitlines()
    Path("out.jsonl").write_text("\n".join(lines), encoding="utf-8")
    arguments = ("audit", "flat.md", "--chunks", "out.jsonl", "--max", 24)
    result = invoke(*arguments)
    assert 0 == result.exit_code, result.output
    assert 0 == invoke("audit", "flat.md", "--max", 24).exit_code
    bare = {**json.loads(lines[0]), "outline_changes": []}
    Path("out.jsonl").write_text("\n".join([json.dumps(bare), *lines[1:]]), encoding="utf-8")
    result = invoke(*arguments)
    assert 1 == result.exit_code
    assert "but the record does not say so" in result.stdout

"""Which files of a folder are taken: ``.gitignore``, ``--exclude``, ``--strict``."""

import json
from pathlib import Path

import pytest
from command_line import run


@pytest.fixture(autouse=True)
def _work_in_a_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def create_files(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("# A\n\ntext\n", encoding="utf-8")


def packed_documents(*words: object) -> list[str]:
    done = run("pack", *words)
    assert 0 == done.returncode, done.stderr
    return [json.loads(line)["document"] for line in done.stdout.splitlines()]


def test_files_ignored_by_gitignore_are_left_out_and_reported() -> None:
    create_files("docs/a.md", "docs/b.md", "docs/build/c.md", "docs/sub/d.md", "docs/sub/e.md")
    Path("docs/.gitignore").write_text("build/\n*b.md\n", encoding="utf-8")
    Path("docs/sub/.gitignore").write_text("# only here\ne.md\n", encoding="utf-8")
    done = run("pack", "docs")
    message = (
        "treepack: docs: 2 files and 1 folder ignored by .gitignore; --no-ignore includes them\n"
    )
    assert message == done.stderr
    assert ["a.md", "sub/d.md"] == packed_documents("docs")
    assert 5 == len(packed_documents("docs", "--no-ignore"))
    assert ["b.md"] == packed_documents("docs/b.md"), "a file that is named is taken"


def test_the_gitignore_of_a_repository_applies_to_the_folders_inside_it() -> None:
    create_files(
        "repo/docs/a.md", "repo/docs/draft.md", "repo/docs/deep/draft.md", "repo/docs/old/b.md"
    )
    Path("repo/.gitignore").write_text("/docs/draft.md\nold\n", encoding="utf-8")
    assert 4 == len(packed_documents("repo/docs")), (
        "without a repository, the folder above says nothing"
    )
    Path("repo/.git").mkdir()
    assert ["a.md", "deep/draft.md"] == packed_documents("repo/docs")
    Path("repo/docs/.gitignore").write_text("!draft.md\n", encoding="utf-8")
    assert ["a.md", "deep/draft.md", "draft.md"] == packed_documents("repo/docs"), (
        "the nearest file wins"
    )


def test_hidden_files_and_lock_files_of_a_folder_are_skipped() -> None:
    create_files("docs/a.md", "docs/.a.md", "docs/.b.json", "docs/~$c.docx", "docs/~$d.md")
    done = run("pack", "docs")
    assert ["a.md"] == [json.loads(line)["document"] for line in done.stdout.splitlines()]
    assert "docs: 2 files skipped: 1 .docx, 1 .md\n" in done.stderr, "hidden files do not count"
    assert [".a.md"] == packed_documents("docs/.a.md"), "a file that is named is taken"
    assert ["~$d.md"] == packed_documents("docs/~$d.md")


def test_exclude_accepts_gitignore_patterns() -> None:
    create_files(
        "docs/a.md", "docs/b.txt", "docs/drafts/c.md", "docs/sub/drafts/d.md", "docs/sub/e.md"
    )
    assert ["a.md", "sub/e.md"] == packed_documents(
        "docs", "--exclude", "drafts/", "--exclude", "*.txt"
    )
    assert ["b.txt", "sub/drafts/d.md", "sub/e.md"] == packed_documents(
        "docs", "--exclude", "/drafts/", "--exclude", "a.md"
    )
    assert "ignored" not in run("pack", "docs", "--exclude", "drafts/").stderr


def test_a_folder_with_no_files_left_is_an_error_with_the_reasons() -> None:
    create_files("docs/a.md", "docs/b.rtf")
    Path("docs/.gitignore").write_text("*.md\n", encoding="utf-8")
    done = run("pack", "docs")
    assert 2 == done.returncode
    assert "1 file skipped: 1 .rtf; 1 file ignored by .gitignore" in done.stderr


@pytest.mark.parametrize("command", ["pack", "audit"])
def test_strict_makes_a_skipped_file_an_error(command: str) -> None:
    create_files("docs/a.md", "docs/b.csv")
    assert 0 == run(command, "docs").returncode
    for quiet in ([], ["--quiet"]):
        done = run(command, "docs", "--strict", *quiet)
        assert 1 == done.returncode
        message = "treepack: docs: 1 file skipped: 1 .csv (an error because of --strict)\n"
        assert message in done.stderr
    assert 0 == run(command, "docs", "--strict", "--exclude", "*.csv").returncode


def test_a_hostile_gitignore_does_not_stop_the_walk() -> None:
    """It would be matched for longer than anybody waits; a folder from a stranger may have it."""
    create_files(f"docs/{'a' * 200}.md")
    Path("docs/.gitignore").write_text(f"{'*a' * 20}b\n", encoding="utf-8")
    assert [f"{'a' * 200}.md"] == packed_documents("docs")

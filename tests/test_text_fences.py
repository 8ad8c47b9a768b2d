"""Fences around a whole text, as language models write them, are skipped; all others are code."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import configs, documents, generated

from treepack import Chunks, PackConfig, Skipped, Source, audit, pack, parse
from treepack.laws import audit_packed
from treepack.markdown.text_fences import fences_around

PUMP = "# Pump\n\nThe pump lifts water.\n\n## Limits\n\n| Part | bar |\n|---|---|\n| seal | 16 |\n"
CODE = "```python\nopen(valve)\n```\n"
REASON = "fence around the text"


def skipped(text: str, name: str = "pump.md") -> list[str]:
    """Return the lines that are skipped as fences around the text."""
    found = parse(Source(text, name)).skipped
    return [text[start:end] for start, end, reason in found if reason == REASON]


def titles(text: str) -> list[str]:
    sections = parse(text).root.walk()
    return [section.heading.text for section in sections if section.heading]


@pytest.mark.parametrize(
    "opening", ["```markdown", "```md", "```Markdown ", "````markdown", "``` markdown", "~~~MD"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_an_enclosed_text_is_read_as_markdown(opening: str, end: str) -> None:
    text = f"\n{opening}\n{PUMP}\n{CODE}{opening.strip('markdownMD ')}\n".replace("\n", end)
    assert titles(text) == ["Pump", "Limits"]
    assert len(skipped(text)) == 2
    (chunk,) = pack(text)
    assert chunk.text == PUMP.replace("\n", end) + end + CODE.replace("\n", end).rstrip()
    assert chunk.kinds == ("text", "table", "code")


def test_each_page_may_be_enclosed_in_a_fence() -> None:
    pages = [
        "# Pump\n\nThe pump stands on",
        "a level floor.\n\n## Limits\n\nIt is tight.",
        "The end.",
    ]
    parts = [f"## Page {n}\n\n```markdown\n{page}\n```\n" for n, page in enumerate(pages, 1)]
    for text in ("\n---\n\n".join(parts), "\n".join(parts), "\n".join(parts)[:-4]):
        assert titles(text) == ["Pump", "Limits"]
        assert pack(text)[0].pages == (1, 2, 3)
    bare = "\n".join(part.partition("\n\n")[2] for part in parts)
    assert titles(bare) == ["Pump", "Limits"]
    assert len(skipped(bare)) == 6


@pytest.mark.parametrize(
    "text",
    [
        f"# Guide\n\n```markdown\n{PUMP}```\n",
        f"```markdown\n{PUMP}```\n\nSo it looks.\n",
        f"```markdown\n{PUMP}```\n\nSo it looks.\n\n```\nopen(valve)\n```\n",
        f"```markdown\n{PUMP}```\n\n```python\nopen(valve)\n```\n",
        f"```\n{PUMP}```\n",
        f"```python\n{PUMP}```\n",
        f"Here it is:\n```markdown\n{PUMP}```\n",
    ],
)
def test_a_fence_beside_other_text_is_code(text: str) -> None:
    assert skipped(text) == []
    assert "Limits" not in titles(text)


def test_code_inside_that_names_no_language_ends_the_enclosed_text() -> None:
    """Such code cannot be distinguished from text between two listings."""
    assert skipped(f"```markdown\n{PUMP}\n```\nopen(valve)\n```\n\nText.\n\n```\n") == []


def test_a_long_blank_line_beside_a_fence_takes_linear_time() -> None:
    def seconds(length: int) -> float:
        text = f"```markdown\n{PUMP}```\n{' ' * length}\n"
        started = time.process_time()
        assert len(fences_around(text, ())) == 2
        return time.process_time() - started

    assert min(seconds(64_000) for _ in range(3)) < 64 * min(seconds(4000) for _ in range(3))


def test_shorter_fences_inside_are_code() -> None:
    assert len(skipped(f"````markdown\n{PUMP}\n```\nopen(valve)\n```\n````\n")) == 2


def test_page_marks_in_enclosed_text_count_except_in_its_code() -> None:
    text = "```markdown\nA\n\n<!-- page 2 -->\n\nB\n\n```html\n<!-- page 3 -->\n```\n```\n"
    assert [page for _, page in parse(text).source.page_marks] == [1, 2]


def test_fences_are_kept_with_outline_trust_and_in_plain_text() -> None:
    text = f"```markdown\n{PUMP}```\n"
    assert pack(text, outline="trust")[0].kinds == ("code",)
    assert "```markdown" in pack(Source(text, "x.txt"), markup="plain")[0].text


@given(text=documents(), config=configs(), end=st.sampled_from(["\n```\n", "\n```", ""]))
@settings(generated, max_examples=30)
def test_the_laws_hold_for_enclosed_documents(text: str, config: PackConfig, end: str) -> None:
    enclosed = f"```markdown\n{text}{end}"
    if not audit_packed(text, pack(text, config), config).findings:
        assert audit_packed(enclosed, pack(enclosed, config), config).findings == ()


def test_the_audit_rejects_a_skipped_fence_that_is_code() -> None:
    text = f"# Guide\n\n```markdown\n{PUMP}```\n"
    (chunk,) = pack(text)
    start = text.index("```")
    lost = Skipped(span=(start, start + 11), reason=REASON)
    report = audit(text, Chunks([chunk.model_copy(update={"skipped": (lost,)})]))
    assert any("it is not one" in finding.reason for finding in report.findings)

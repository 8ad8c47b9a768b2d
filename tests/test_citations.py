"""What a chunk's record states about clauses and references, and how clauses move cuts."""

from typing import Any

import pytest
from audits import findings_in
from by_eye import packed, words
from case_files import parts_of
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import any_text, generated

from treepack import Chunks, Document, PackConfig, audit, pack, parse
from treepack.clauses.sections import outline_rows
from treepack.clauses.walk import find_clauses
from treepack.integrations.metadata import headings_above, label_of
from treepack.packing.chunks.citations import Citations

LAW, LEASE, CONTRACT = ("\n".join(lines) + "\n" for _, lines in parts_of("legal_texts.txt")[:3])


def cut(text: str, cap: int, target: int = 8, **settings: Any) -> Chunks:  # noqa: ANN401 - settings
    """Pack sections apart, with limits in words."""
    return packed(text, cap, target_tokens=target, **{"sections": "separate"} | settings)


def test_a_chunk_that_begins_inside_a_clause_names_it() -> None:
    """It begins inside 12(3), continues to 12(4) and 12(5), and names all three."""
    text = (
        "# Article 12\n\n(1) One.\n\n(2) Two.\n\n(3) The operator keeps a record.\n\n"
        "He keeps it dry.\n\nHe keeps it safe.\n\n(4) The record is read.\n\n(5) It is kept."
    )
    document = parse(text)
    citations = Citations(document, find_clauses(document))
    cited = citations.fields(text.index("He keeps it dry"), len(text))
    assert (cited["clause_number"], cited["clause_continued"]) == ("12", "12(3)")
    assert cited["clauses"] == ("12(4)", "12(5)")
    text = '# 5 A\n\nText.\n\n<a name="b"></a>\n\n## 5.1 B\n\nText.\n'
    citations = Citations(parse(text), find_clauses(parse(text)))
    starts = {0: None, text.index("<a"): None, text.index("## 5.1"): None, text.index("Text"): "5"}
    for start, number in starts.items():
        assert citations.fields(start, len(text))["clause_continued"] == number


@generated
@given(
    st.lists(
        st.lists(st.lists(st.integers(1, 30), min_size=1, max_size=4), max_size=4), max_size=4
    ),
    st.sampled_from((16, 24, 40)),
)
def test_a_chunk_names_the_clause_of_each_of_its_words(
    articles: list[list[list[int]]], cap: int
) -> None:
    """Articles are built from block sizes; each word is unique, so its clause is known."""
    lines: list[str] = []
    clause_of: dict[str, str] = {}
    for article, paragraphs in enumerate(articles, 1):
        lines.append(f"# Article {article}")
        for paragraph, sizes in enumerate(paragraphs, 1):
            for block, size in enumerate(sizes):
                names = [f"w{len(clause_of) + n}" for n in range(size)]
                clause_of |= dict.fromkeys(names, f"{article}({paragraph})")
                lines.append(
                    " ".join([f"({paragraph})", *names] if block == 0 else names) + " end."
                )
    for chunk in packed("\n\n".join(lines), cap):
        tokens = chunk.lexical_text.split()
        named = {chunk.clause_number, chunk.clause_continued, *chunk.clauses}
        assert {clause_of[token] for token in tokens if token in clause_of} <= named
        if tokens[0] in clause_of:
            assert chunk.clause_continued == clause_of[tokens[0]]
        elif tokens[0] != "end.":
            assert chunk.clause_continued is None


def test_a_chunk_inside_a_clause_names_it_in_its_breadcrumb() -> None:
    chunks = cut(LEASE, 24, name="lease")
    (inside,) = [chunk for chunk in chunks if "b) gives" in chunk.text]
    assert (inside.clause_number, inside.breadcrumb) == ("2(b)", ("lease", "2 Keys"))
    assert inside.embed_text.startswith("2 Keys\n\n")
    assert not findings_in(chunks)
    changed = [*chunks]
    changed[inside.index] = inside.model_copy(update={"breadcrumb": ("lease", "2 Doors")})
    assert any(each.law == 7 for each in audit(chunks.origin or "", changed).findings)
    document = parse(LEASE)
    for chunk in chunks:
        label = label_of(chunk, document, find_clauses(document))
        assert (chunk.document, *label.breadcrumb) == chunk.breadcrumb
        assert label.clause == chunk.clause_number


def test_splitting_a_clause_again_does_not_repeat_its_headings() -> None:
    names = ["Lease", "Duties", "2 Keys", "2(a)"]
    headings = {f"heading_{level}": name for level, name in enumerate(names, 1)}
    metadata = {"chunk_id": "x", "kinds": "text", "clause": "2(a)", **headings}
    assert headings_above(metadata, parse("a) keeps them")) == tuple(names)
    assert headings_above(metadata, parse("# Lease\n\n## Duties\n\n2. Keys")) == ()
    assert headings_above(metadata, parse("# Other\n\n2. Keys")) == tuple(names)


@generated
@given(any_text, st.sampled_from((16, 40, 200)))
@example(LAW, 16)
@example(LAW, 40)
def test_chunks_list_all_clauses_of_the_document_in_order(text: str, cap: int) -> None:
    document = parse(text)
    chunks = pack(document, PackConfig(max_tokens=cap, target_tokens=cap))
    begun = [number for chunk in chunks for number in chunk.clauses]
    assert begun == [clause.number for clause in find_clauses(document)]


POINTS = tuple(f"({letter}) it meets the condition, {'w ' * 6}{letter};" for letter in "abcd")


@pytest.mark.parametrize(
    "intro", ["if all of this holds:", "if, in the case of a sale,", "as long as"]
)
def test_a_chunk_never_ends_with_text_that_introduces_points(intro: str) -> None:
    law = "# Article 12\n\n(1) The operator keeps a record.\n\n(2) The record is public " + intro
    listed = "\n".join(f"{number}. {point[4:]}" for number, point in enumerate(POINTS, 1))
    for below in ("\n\n".join(POINTS), listed):
        for cap in range(36, 60, 3):
            chunks = packed(f"{law}\n\n{below}\n\n# Article 13\n\nEnd.\n", cap)
            assert not any(chunk.text.endswith(intro) for chunk in chunks), cap
            assert not findings_in(chunks)
    long = f"# Article 12\n\n(1) The operator keeps {'w ' * 14}a record of:"
    chunks = packed("\n\n".join([long, *POINTS]), 40)
    assert "(a)" in chunks[0].text
    assert not findings_in(chunks)


@pytest.mark.parametrize("markup", ["", "## "])
def test_a_clause_is_not_placed_below_the_heading_of_the_previous_clause(markup: str) -> None:
    """Only the first title is on its own line, so no heading ends its section."""
    document = parse(f"# Licence\n\n{markup}{CONTRACT}" if markup else CONTRACT)
    above = ("Licence",) if markup else ()
    config = PackConfig(max_tokens=30, target_tokens=20, min_tokens=0, encoding=words)
    (_, *chunks) = whole = pack(document, config)
    assert [chunk.breadcrumb for chunk in chunks] == [(*above, "2 Grant"), (*above, "3 Duties")]
    labels = [label_of(each, document, find_clauses(document)) for each in chunks]
    assert [label.breadcrumb for label in labels] == [chunk.breadcrumb for chunk in chunks]
    assert not findings_in(whole)
    rows = outline_rows(document, find_clauses(document))
    first, second, *_ = (row for row in rows if ". " in row.title or " Grant" in row.title)
    assert first.depth == second.depth


def test_a_number_ends_all_sections_whose_numbers_it_does_not_continue() -> None:
    """The first clause of each level has a heading; the others have run-in titles."""
    sentence = "The licensee shall keep to it and shall tell the licensor of each use of the works."
    text = f"# Licence\n\n## 1. Grant\n\n### 1.1. Rights\n\n#### 1.1.1. Use\n\n{sentence}\n\n"
    for number in ("1.1.2. Copies", "1.1.3. Sale", "1.2. Limits", "1.3. Term"):
        text += f"**{number}.** {sentence}\n\n"
    document = parse(text + f"## 2. End\n\n{sentence}\n")
    chunks = pack(document, max_tokens=40, min_tokens=0, target_tokens=20)
    named = [chunk.breadcrumb[1:] for chunk in chunks if "Limits" in chunk.breadcrumb[-1]]
    assert [("1. Grant", "1.2 Limits")] == list(dict.fromkeys(named))
    rows = outline_rows(document, find_clauses(document))
    indents = {row.title.split()[0].strip("."): row.depth for row in rows}
    assert indents["1"] < indents["1.1"] == indents["1.2"] == indents["1.3"] < indents["1.1.1"]
    assert indents["1.1.1"] == indents["1.1.2"] == indents["1.1.3"]
    assert not findings_in(chunks)


def test_a_document_without_title_and_name_is_cited_by_its_file() -> None:
    """Frameworks give ``file``, which is only metadata; a name would be embedded."""
    text = "## 6.11 Limits\n\nThe pump shall stop.\n\n## 6.12 Values\n\nThe valve shall open.\n"
    chunks = pack(parse(text, file="/data/pumps.md"), sections="separate")
    assert [chunk.citation for chunk in chunks] == ["pumps, 6.11", "pumps, 6.12"]
    assert Document.from_json(parse(text, file="pumps.md").to_json()).file == "pumps.md"
    (plain,) = pack(parse("Just a text about pumps.", file="pumps.md"))
    assert plain.citation == "line 1"

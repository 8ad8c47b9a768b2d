"""The audit finds each way to spoil correct chunks, by the law that it breaks.

The packer makes the chunks. Each mutant spoils them in one way, and corrects all that follows
from that: counts, hashes, embedded texts, indexes. So no other law has a reason to complain.

    python tests/test_mutants.py

prints each mutant with the law that it breaks and the laws that find it.
"""

import hashlib
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import pytest

from treepack import Chunk, PackConfig, Source, audit, pack, parse
from treepack.clauses.walk import find_clauses
from treepack.model.chunk import Segment, Skipped
from treepack.model.outline_change import OutlineChange
from treepack.tokens import token_counter

Chunks: TypeAlias = list[Chunk]
Mutant: TypeAlias = Callable[[Chunks], Chunks]

count_tokens: Final = token_counter("cl100k_base")
NAME: Final = "pump.md"
CAP: Final = 80
TOP: Final = (NAME, "Pump manual")
INTRO: Final = """# Pump manual

This manual is for people who run the pump. Read it before the first start.

## 1 Safety

### 1.1 People

Only trained people open the pump. They wear gloves and goggles, because the water is hot. They \
switch the current off before they open the cover.

> Never open the cover while the motor turns. Wait until the red lamp is off.

### 1.2 Place

The pump shall stand:

"""
ITEM: Final = "- on a floor that carries {} tons and is free of oil and of water\n"
TABLE: Final = """
## 2 Limits

Table 1: Limits of the pump

| Name | Lowest | Highest | Unit |
|---|---|---|---|
"""
OTHER_HEADER: Final = "| Name | Least | Most | Unit |\n|---|---|---|---|"
PROGRAM: Final = """
Values above the limits end the warranty.

## 3 Program

The pump reads this program:

```python
"""
STEP: Final = "def step_{0}(pressure):\n    return pressure + {0}\n\n"
PARTS: Final = """```

## 4 Repair

<table>
<tr><th>Part</th><th>Price</th></tr>
"""
PART: Final = "<tr><td>part number {}</td><td>{} euros</td></tr>\n"
END: Final = """</table>

Send the pump back if none of this helps. We answer within a week. \U0001f469\u200d\U0001f527 calls.

## 5 Warranty

The warranty ends if:

(a) somebody opens the pump who was not trained for it by us in the last two years;

(b) somebody puts parts into the pump which we did not make, or which we made for another pump;

(c) the pump stood in water, in snow or in the sun for more than a day without its cover on top.

The warranty of parts ends two years after the day on which they leave our works, as a rule.
"""
TEXT: Final = "".join(
    [
        INTRO,
        *(ITEM.format(n) for n in range(1, 9)),
        TABLE,
        *(f"| limit {n} | {n} | {n * 10} | bar |\n" for n in range(1, 25)),
        PROGRAM,
        *(STEP.format(n) for n in range(1, 10)),
        PARTS,
        *(PART.format(n, n * 7) for n in range(1, 13)),
        END,
    ]
)

CLAUSES: Final = find_clauses(parse(Source(TEXT, NAME)))
STEP_4: Final = TEXT.index("def step_4")


def correct_chunks(**settings: Any) -> Chunks:  # noqa: ANN401 - settings of the packer
    return list(pack(Source(TEXT, NAME), PackConfig(max_tokens=CAP, target_tokens=CAP, **settings)))


def laws_broken(chunks: Sequence[Chunk]) -> set[int]:
    report = audit(TEXT, chunks, PackConfig(max_tokens=CAP), name=NAME)
    return {finding.law for finding in report.findings}


# ------------------------------------------------------------------ how chunks are spoilt


def index_of_chunk_with(chunks: Chunks, words: str) -> int:
    """Return the index of the chunk whose body contains some words of the source."""
    offset = TEXT.index(words)
    for number, chunk in enumerate(chunks):
        spans = [segment.span for segment in chunk.segments if segment.role == "body"]
        if any(span and span[0] <= offset < span[1] for span in spans):
            return number
    raise AssertionError(words)


def made(chunk: Chunk, segments: Sequence[Segment], **changes: Any) -> Chunk:  # noqa: ANN401 - of a field
    """Return the chunk with other segments, and with everything that follows from them."""
    text = "".join(segment.text for segment in segments)
    entries = changes.get("breadcrumb", chunk.breadcrumb)
    unprinted = [entry for entry in entries if not re.search(rf"(?m)^#+ {re.escape(entry)}$", text)]
    line = " > ".join(unprinted) + "\n\n" if unprinted else ""
    spans = [s.span for s in segments if s.role == "body" and s.span]
    around = CLAUSES.at(spans[0][0], spans[-1][1])
    begun = [each.number for each in CLAUSES if spans[0][0] <= each.start < spans[-1][1]]
    values: dict[str, Any] = {
        "segments": tuple(segments),
        "text": text,
        "embed_text": line + text,
        "lexical_text": "".join(s.text for s in segments if s.role == "body"),
        "token_count": count_tokens(text),
        "embed_token_count": count_tokens(line + text),
        "content_hash": hashlib.sha256(text.encode()).hexdigest(),
        "lines": (
            TEXT.count("\n", 0, spans[0][0]) + 1,
            TEXT.count("\n", 0, spans[-1][1] - 1) + 1,
        ),
        "clause_number": around.number if around else None,
        "clause_path": around.path if around else (),
        "clauses": tuple(begun),
    }
    return chunk.model_copy(update=values | changes)


def with_new_indexes(chunks: Chunks) -> Chunks:
    return [chunk.model_copy(update={"index": number}) for number, chunk in enumerate(chunks)]


def with_body(chunk: Chunk, start: int, end: int, **changes: Any) -> Chunk:  # noqa: ANN401 - of a field
    """Return the chunk with another body and the same context."""
    body = Segment(role="body", text=TEXT[start:end], span=(start, end))
    parts = [body if part.role == "body" else part for part in chunk.segments]
    return made(chunk, parts, **changes)


def body_only_chunk(chunk: Chunk, start: int, end: int, entries: tuple[str, ...]) -> Chunk:
    """Return a chunk that is only a body, with a breadcrumb and an id of its own."""
    body = Segment(role="body", text=TEXT[start:end], span=(start, end))
    tables = chunk.tables if "|---|" in body.text else ()
    return made(chunk, [body], breadcrumb=entries, id=f"{start}", tables=tables)


def body_of(chunk: Chunk) -> tuple[int, int]:
    spans = [segment.span for segment in chunk.segments if segment.role == "body" and segment.span]
    return spans[0][0], spans[-1][1]


def field(words: str, **changes: Any) -> Mutant:  # noqa: ANN401 - of a field
    """Change fields in the record of the chunk that contains some words."""

    def spoil(chunks: Chunks) -> Chunks:
        at = index_of_chunk_with(chunks, words)
        return [*chunks[:at], chunks[at].model_copy(update=changes), *chunks[at + 1 :]]

    return spoil


def wrong_count(words: str, name: str, more: int) -> Mutant:
    """Make one count in a chunk's record wrong by a given number."""

    def spoil(chunks: Chunks) -> Chunks:
        chunk = chunks[index_of_chunk_with(chunks, words)]
        return field(words, **{name: getattr(chunk, name) + more})(chunks)

    return spoil


def removed_chunk(words: str) -> Mutant:
    """Leave out the chunk that holds some words."""

    def spoil(chunks: Chunks) -> Chunks:
        at = index_of_chunk_with(chunks, words)
        return with_new_indexes(chunks[:at] + chunks[at + 1 :])

    return spoil


def repeated_chunk(words: str) -> Mutant:
    def spoil(chunks: Chunks) -> Chunks:
        at = index_of_chunk_with(chunks, words)
        again = chunks[at].model_copy(update={"id": "again"})
        return with_new_indexes([*chunks[: at + 1], again, *chunks[at + 1 :]])

    return spoil


def swapped_chunks(words: str) -> Mutant:
    """Exchange a chunk and the next one."""

    def spoil(chunks: Chunks) -> Chunks:
        at = index_of_chunk_with(chunks, words)
        return with_new_indexes([*chunks[:at], chunks[at + 1], chunks[at], *chunks[at + 2 :]])

    return spoil


def body_ending_after(words: str, end: str, *, skip: int = 0) -> Mutant:
    """Let the body of a chunk end after other words, whatever the next chunk holds."""

    def spoil(chunks: Chunks) -> Chunks:
        at = index_of_chunk_with(chunks, words)
        offset = TEXT.index(end, body_of(chunks[at])[0]) + len(end) + skip
        changed = with_body(chunks[at], body_of(chunks[at])[0], offset)
        return [*chunks[:at], changed, *chunks[at + 1 :]]

    return spoil


def skipped_rest(words: str, end: str, reason: str) -> Mutant:
    """Let a chunk end after other words, and list the rest of it as skipped for a reason."""

    def spoil(chunks: Chunks) -> Chunks:
        at = index_of_chunk_with(chunks, words)
        start = TEXT.index(end, body_of(chunks[at])[0]) + len(end)
        span = (start, body_of(chunks[at])[1])
        (*others,) = body_ending_after(words, end)(chunks)
        skipped = (Skipped(span=span, reason=reason),)
        others[at] = others[at].model_copy(update={"skipped": skipped})
        return others

    return spoil


def cut_after(words: str, *path: str, spaces: int = 0) -> Mutant:
    """Cut the chunk that contains some words after them; the second piece gets the given path."""

    def spoil(chunks: Chunks) -> Chunks:
        at = index_of_chunk_with(chunks, words)
        start, end = body_of(chunks[at])
        offset = TEXT.index(words) + len(words)
        second = body_only_chunk(chunks[at], offset + spaces, end, (*TOP, *path))
        changes = {"tables": ()} if second.tables else {}
        first = with_body(chunks[at], start, offset, **changes)
        return with_new_indexes([*chunks[:at], first, second, *chunks[at + 1 :]])

    return spoil


def moved_start(words: str, *path: str, spaces: int = 0) -> Mutant:
    """Let a chunk begin after words near its start; the previous chunk gets them and the path."""

    def spoil(chunks: Chunks) -> Chunks:
        offset = TEXT.index(words) + len(words)
        at = index_of_chunk_with(chunks, words) - 1
        first = with_body(chunks[at], body_of(chunks[at])[0], offset, breadcrumb=(*TOP, *path))
        second = with_body(chunks[at + 1], offset + spaces, body_of(chunks[at + 1])[1])
        return [*chunks[:at], first, second, *chunks[at + 2 :]]

    return spoil


def segment(words: str, role: str, text: str | None, *, which: int = 0) -> Mutant:
    """Change the text of a segment; None removes the segment and the glue after it."""

    def spoil(chunks: Chunks) -> Chunks:
        at = index_of_chunk_with(chunks, words)
        parts = list(chunks[at].segments)
        number = [n for n, part in enumerate(parts) if part.role == role][which]
        if text is None:
            is_glued = number + 1 < len(parts) and parts[number + 1].role == "glue"
            del parts[number : number + 1 + is_glued]
        else:
            parts[number] = Segment(role=parts[number].role, text=text)
        return [*chunks[:at], made(chunks[at], parts), *chunks[at + 1 :]]

    return spoil


def other_intro(words: str, other: str) -> Mutant:
    """Let a chunk repeat another paragraph of the source instead of the intro of its points."""
    offset = TEXT.index(other)

    def spoil(chunks: Chunks) -> Chunks:
        at = index_of_chunk_with(chunks, words)
        intro, *rest = chunks[at].segments
        assert intro.role == "heading", "the chunk repeats the intro of its points"
        changed = Segment(role="heading", text=other, span=(offset, offset + len(other)))
        return [*chunks[:at], made(chunks[at], [changed, *rest]), *chunks[at + 1 :]]

    return spoil


def changed_text(words: str, change: Callable[[str], str]) -> Mutant:
    """Change the text of a chunk but not its segments."""

    def spoil(chunks: Chunks) -> Chunks:
        at = index_of_chunk_with(chunks, words)
        chunk = chunks[at]
        text = change(chunk.text)
        other = made(chunk, [Segment(role="body", text=text, span=body_of(chunk))])
        kept = {"segments": chunk.segments, "lines": chunk.lines}
        return [*chunks[:at], other.model_copy(update=kept), *chunks[at + 1 :]]

    return spoil


def changed_segments(
    words: str, change: Callable[[str], str], *, shift: int = 0, role: str = "body"
) -> Mutant:
    """Change the text or the span of segments, so that the two no longer match."""

    def spoil(chunks: Chunks) -> Chunks:
        at = index_of_chunk_with(chunks, words)
        parts = [
            part.model_copy(
                update={
                    "text": change(part.text),
                    "span": (part.span[0] + shift, part.span[1] + shift),
                }
            )
            if part.role == role and part.span
            else part
            for part in chunks[at].segments
        ]
        kept = {"lines": chunks[at].lines}
        return [*chunks[:at], made(chunks[at], parts, **kept), *chunks[at + 1 :]]

    return spoil


def table(words: str, **changes: Any) -> Mutant:  # noqa: ANN401 - of a field
    """Change the record of the table in a chunk."""

    def spoil(chunks: Chunks) -> Chunks:
        chunk = chunks[index_of_chunk_with(chunks, words)]
        tables = tuple(entry.model_copy(update=changes) for entry in chunk.tables)
        return field(words, tables=tables)(chunks)

    return spoil


def path(words: str, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Mutant:
    """Give a chunk another breadcrumb, and the embedded text that follows from it."""

    def spoil(chunks: Chunks) -> Chunks:
        chunk = chunks[index_of_chunk_with(chunks, words)]
        shown = chunk.embed_text.removesuffix(chunk.text).strip().split(" > ")
        other = change(chunk.breadcrumb)
        line = " > ".join(
            entry for entry in other if entry in shown or entry not in chunk.breadcrumb
        )
        embed_text = f"{line}\n\n{chunk.text}" if line else chunk.text
        counted = count_tokens(embed_text)
        changes = {"breadcrumb": other, "embed_text": embed_text, "embed_token_count": counted}
        return field(words, **changes)(chunks)

    return spoil


def changed_prefix(words: str, change: Callable[[str], str]) -> Mutant:
    """Change what comes before a chunk's text in its embedded text."""

    def spoil(chunks: Chunks) -> Chunks:
        chunk = chunks[index_of_chunk_with(chunks, words)]
        text = change(chunk.embed_text.removesuffix(chunk.text)) + chunk.text
        return field(words, embed_text=text, embed_token_count=count_tokens(text))(chunks)

    return spoil


def joined_with_next(words: str) -> Mutant:
    """Join a chunk with the next one."""

    def spoil(chunks: Chunks) -> Chunks:
        at = index_of_chunk_with(chunks, words)
        both = with_body(chunks[at], body_of(chunks[at])[0], body_of(chunks[at + 1])[1])
        return with_new_indexes([*chunks[:at], both, *chunks[at + 2 :]])

    return spoil


# ------------------------------------------------------------------ the mutants


def other_word(text: str) -> str:
    return text.replace("run", "own")


def without_last_entry(line: str) -> str:
    return line.rpartition(" > ")[0] + "\n\n"


MUTANTS: Final[dict[int, dict[str, Mutant]]] = {
    1: {
        "the first chunk is lost": removed_chunk("This manual"),
        "a chunk with items is lost": removed_chunk("carries 4 tons"),
        "a chunk of code is lost": removed_chunk("def step_4"),
        "a chunk occurs twice": repeated_chunk("carries 4 tons"),
        "two chunks are exchanged": swapped_chunks("carries 4 tons"),
        "the last sentence of a chunk is lost": body_ending_after("This manual", "run the pump."),
        "a quote at the end is lost": body_ending_after("Only trained", "open the cover."),
        "a body also contains the beginning of the next one": body_ending_after(
            "carries 4 tons", ITEM.format(6)[:-1]
        ),
        "a quote is left out as a page mark": skipped_rest(
            "Only trained", "open the cover.", "page mark"
        ),
        "a quote is left out as page furniture": skipped_rest(
            "Only trained", "open the cover.", "page furniture"
        ),
        "skipped text has no reason": field(
            "def step_4", skipped=(Skipped(span=(STEP_4, STEP_4), reason=""),)
        ),
        "text listed as skipped is in a chunk": field(
            "def step_4",
            skipped=(Skipped(span=(STEP_4, STEP_4 + 16), reason="page mark"),),
        ),
    },
    2: {
        "the text differs from its segments": changed_text("This manual", other_word),
        "a word of the body is changed": changed_segments("This manual", other_word),
        "the body is in lower case": changed_segments("This manual", str.lower),
        "two line ends become one": changed_segments(
            "This manual", lambda text: text.replace("\n\n", "\n")
        ),
        "a span is one too high": changed_segments("carries 4 tons", str, shift=1, role="heading"),
        "a span is outside the source": changed_segments(
            "carries 4 tons", str, shift=9_000, role="heading"
        ),
    },
    3: {
        "two chunks are one above the cap": joined_with_next("def step_4"),
        "no breadcrumb before the embedded text": changed_prefix("carries 4 tons", lambda _: ""),
        "only the end of the breadcrumb": changed_prefix(
            "carries 4 tons", lambda line: line.split(" > ")[-1]
        ),
        "the breadcrumb without its last entry": changed_prefix(
            "carries 4 tons", without_last_entry
        ),
        "words that are not a breadcrumb": changed_prefix(
            "carries 4 tons", lambda _: "About pumps\n\n"
        ),
    },
    4: {
        "one token too many": wrong_count("This manual", "token_count", 1),
        "one token too few": wrong_count("This manual", "token_count", -1),
        "one embedded token too many": wrong_count("def step_4", "embed_token_count", 1),
        "another hash": field("This manual", content_hash="0" * 64),
        "a wrong number": field("This manual", index=7),
        "lines that are one too high": field("This manual", lines=(2, 4)),
        "tokens of an overlap that is not there": field("def step_4", overlap_tokens=3),
    },
    5: {
        "no header": segment("| limit 4 |", "table_header", None),
        "the header of another table": segment("| limit 4 |", "table_header", OTHER_HEADER),
        "a header without its rule": segment(
            "| limit 4 |", "table_header", "| Name | Lowest | Highest | Unit |"
        ),
        "no header of a table in HTML": segment("part number 3<", "table_header", "<table>"),
        "another caption": segment("| limit 4 |", "caption", "Table 2: Prices"),
        "no caption": segment("| limit 4 |", "caption", None),
        "a row too many in the record": table("| limit 4 |", row_end=7),
        "a row too few in the table": table("| limit 4 |", row_count=23),
        "another part": table("| limit 4 |", part=3),
        "a part too many": table("| limit 4 |", parts=12),
        "other columns": table("| limit 4 |", columns=("Name", "Least", "Most", "Unit")),
        "another caption in the record": table("| limit 4 |", caption="Table 2"),
        "a part of a row that was not cut": table("| limit 4 |", cell_part=1),
        "another id": table("| limit 4 |", id="0"),
        "no entry": field("| limit 4 |", tables=()),
        "two header rows": table("| limit 4 |", header_rows=2),
    },
    6: {
        "no closing fence": segment("def step_4", "fence", None, which=1),
        "no opening fence": segment("def step_4", "fence", None),
        "a fence of another language": segment("def step_4", "fence", "```ruby"),
        "a fence that is longer": segment("def step_4", "fence", "````python"),
        "a closing fence of another kind": segment("def step_4", "fence", "\n~~~", which=1),
    },
    7: {
        "no path": path("carries 4 tons", lambda _: ()),
        "no parent": path("carries 4 tons", lambda entries: (*entries[:2], *entries[3:])),
        "no last heading": path("carries 4 tons", lambda entries: entries[:-1]),
        "a heading that is not above": path(
            "carries 4 tons", lambda entries: (*entries, "1.1 People")
        ),
        "the heading of another section": path(
            "def step_4", lambda entries: (*entries[:-1], "4 Repair")
        ),
        "a level change of a heading that does not exist": field(
            "This manual", outline_changes=(OutlineChange(1, "Pumps", 1, 2, "numbers"),)
        ),
        "a level that the heading never had": field(
            "This manual", outline_changes=(OutlineChange(1, "Pump manual", 2, 1, "numbers"),)
        ),
        "a found title that is plain text": field(
            "This manual", outline_changes=(OutlineChange(3, "This manual", 0, 2, "bold"),)
        ),
        "the intro of other points": other_intro("(c) the pump", "The pump shall stand:"),
        "a paragraph that introduces no points": other_intro(
            "(c) the pump", "The pump reads this program:"
        ),
        "a point that introduces no points": other_intro(
            "(c) the pump", TEXT[TEXT.index("(a) some") : TEXT.index("\n\n(b) some")]
        ),
        "parent and child exchanged": path(
            "carries 4 tons", lambda entries: (*entries[:2], entries[3], entries[2])
        ),
    },
    8: {
        "a heading is a chunk": cut_after("## 2 Limits", "2 Limits", spaces=2),
        "a heading and the one below are a chunk": cut_after(
            "### 1.2 Place", "1 Safety", "1.2 Place", spaces=2
        ),
    },
    9: {
        "a section that fits is cut": cut_after(
            "open the cover.", "1 Safety", "1.1 People", spaces=2
        ),
        "a sentence that fits is cut": cut_after("Send the pump", "4 Repair", spaces=1),
        "a paragraph that fits is cut": cut_after("none of this helps.", "4 Repair", spaces=1),
        "a word is cut": cut_after("carries 4 to", "1 Safety", "1.2 Place"),
        "an item that fits is cut": cut_after(
            "carries 4 tons and", "1 Safety", "1.2 Place", spaces=1
        ),
        "a line of code is cut": moved_start("def step_4(", "3 Program"),
        "a grapheme cluster is cut": cut_after("\U0001f469", "4 Repair"),
    },
}


CUT_ROWS: Final[dict[str, tuple[set[int], Mutant]]] = {
    "a row is cut": ({5, 9}, moved_start("| limit 23 | 23", "2 Limits")),
    "a row in HTML is cut": ({5, 9}, moved_start("<tr><td>part number 12</td>", "4 Repair")),
}


@pytest.mark.parametrize(
    ("law", "name"), [(law, name) for law, mutants in MUTANTS.items() for name in mutants]
)
def test_each_mutant_breaks_only_its_own_law(law: int, name: str) -> None:
    spoilt = MUTANTS[law][name](correct_chunks())
    assert laws_broken(spoilt) == {law}


@pytest.mark.parametrize("name", CUT_ROWS)
def test_cutting_a_row_that_fits_breaks_two_laws(name: str) -> None:
    laws, mutant = CUT_ROWS[name]
    assert laws_broken(mutant(correct_chunks())) == laws


def test_correct_chunks_break_no_law() -> None:
    assert not laws_broken(correct_chunks())
    assert sum(map(len, MUTANTS.values())) >= 40


def main() -> None:
    """Print the table of mutants as markdown."""
    rows: list[tuple[str, ...]] = [("mutant", "breaks law", "found by law"), ("---", "--:", "--:")]
    every = [({law}, name, way) for law, ways in MUTANTS.items() for name, way in ways.items()]
    every += [(laws, name, mutant) for name, (laws, mutant) in CUT_ROWS.items()]
    for laws, name, mutant in every:
        found = laws_broken(mutant(correct_chunks()))
        rows.append((name, *(", ".join(map(str, sorted(each))) for each in (laws, found))))
    width = max(len(name) for name, *_ in rows)
    for name, broken, found_by in rows:
        sys.stdout.write(f"| {name:{width}} | {broken:>10} | {found_by:>12} |\n")


if __name__ == "__main__":
    main()

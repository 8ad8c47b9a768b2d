"""What becomes of the tables that are cut, over a folder of documents.

    python integration_tests/measure_tables.py [FOLDER] [--target N] [--max N] [--preset P]
        [--overlap N] [--only WORD]

Each piece of a cut table should have the header, the caption (if the source has one) and a true
row range in its record, and should read as one table with the columns and rows that it holds. The
ranges of a table's pieces should tile its rows. The audit decides this, not the packer. Exit
status 1 if anything is missing.

A table whose header takes half the cap is cut like text, and a caption that takes half the cap
together with the header is not repeated: such tables are counted separately.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from treepack import PackConfig, Source, pack
from treepack.laws.audit_context import AuditContext, AuditLimits
from treepack.laws.chunks import chunks_from_records
from treepack.laws.claims.believed import read_source
from treepack.laws.reading.blocks import AuditBlock
from treepack.laws.tables.reparse import TablePart, caption_breaches, parsed_breaches, tables_like
from treepack.laws.tables.repeats import header_text, is_too_long
from treepack.laws.tables.rows import held_tables, is_cut_as_lines
from treepack.tokens import token_counter

SUFFIXES: Final = {".md", ".mdx", ".txt"}
CORPUS: Final = Path(__file__).parents[1] / "../shared/corpus"
TABLES, AS_TEXT, TILING = "cut tables", "cut like text (long header)", "tables whose ranges tile"
PIECES, HEADERS = "pieces", "pieces with header"
RANGES, PARSED = "pieces with true row range", "pieces that re-parse with their rows"
NAMED, CAPTIONS = "pieces of tables with a caption", "pieces with caption"
LONG = "pieces of tables with a long caption"
EQUAL: Final = (
    (TABLES, TILING),
    (PIECES, HEADERS),
    (PIECES, RANGES),
    (PIECES, PARSED),
    (NAMED, CAPTIONS),
)


def main() -> int:
    """Print the numbers; return 0 if all that should be equal are equal."""
    options = _options()
    config = _config(options)
    total: Counter[str] = Counter()
    for path in sorted(options.folder.rglob("*")):
        if path.suffix in SUFFIXES and options.only in str(path):
            text = path.read_bytes().decode("utf-8", "replace")
            total += measure(text, config, str(path.relative_to(options.folder)))
    for name in (TABLES, TILING, AS_TEXT, PIECES, HEADERS, RANGES, PARSED, NAMED, CAPTIONS, LONG):
        sys.stdout.write(f"{total[name]:7} {name}\n")
    wrong = [f"{one} / {other}" for one, other in EQUAL if total[one] != total[other]]
    if wrong:
        sys.stdout.write(f"NOT EQUAL: {'; '.join(wrong)}\n")
    return 1 if wrong else 0


def measure(text: str, config: PackConfig, name: str) -> Counter[str]:
    """Count for one document; print each fault with its line."""
    case = _case(text, config, name)
    total: Counter[str] = Counter()
    unused = {chunk.index: list(chunk.tables) for chunk in case.ordered_chunks}
    for table, parts in held_tables(case, unused):
        if len(parts) < 2:
            continue
        if is_cut_as_lines(case, parts, table):
            total[AS_TEXT] += 1
            continue
        total[TABLES] += 1
        total[TILING] += _tiles(parts)
        for count_name in _counts_of_parts(case, table, parts):
            total[count_name] += 1
    return total


def _counts_of_parts(
    case: AuditContext, table: AuditBlock, parts: Sequence[TablePart]
) -> Iterator[str]:
    """Yield, for each piece, the names of the counts to which it adds."""
    captions = case.captions(table)
    for part in parts:
        wrong = list(parsed_breaches(case, part, table))
        yield PIECES
        if tables_like(part.chunk.parsed_text, case.table(table)):
            yield HEADERS
        if part.entry is not None:
            yield RANGES
        if not wrong:
            yield PARSED
        if captions and is_too_long(case, table, f"{captions[-1]}\n\n{header_text(case, table)}"):
            yield LONG
        elif captions:
            yield NAMED
            missing = list(caption_breaches(case, part, table))
            if not missing and part.entry and part.entry.caption:
                yield CAPTIONS
            wrong += missing
        if wrong or part.entry is None:
            line = case.source.line_at(max(part.chunk.start, table.start)) + 1
            document = part.chunk.record.document if part.chunk.record else ""
            sys.stdout.write(f"{document}:{line}: {'; '.join(wrong) or 'no such row range'}\n")


def _tiles(parts: Sequence[TablePart]) -> bool:
    """Whether the row ranges of the records follow each other from the first row to the last."""
    after = 0
    for part in parts:
        entry = part.entry
        if entry is None or entry.row_start not in {after + 1, after + 1 - bool(entry.cell_part)}:
            return False
        after = entry.row_end
    return parts[-1].entry is not None and after == parts[-1].entry.row_count


def _case(text: str, config: PackConfig, name: str) -> AuditContext:
    chunks = chunks_from_records(text, list(pack(Source(text, name), config)))
    source, log = read_source(Source(text, name), chunks, (), is_plain=False)
    limits = AuditLimits(
        config.max_tokens,
        config.overlap_tokens,
        config.oversize_table == "keep",
        config.oversize_code == "keep",
        config.sections,
    )
    count = token_counter(config.encoding)
    return AuditContext(source, chunks, count, limits, log)


def _config(options: argparse.Namespace) -> PackConfig:
    limits = {
        "target_tokens": options.target,
        "max_tokens": options.max,
        "overlap_tokens": options.overlap,
    }
    given: dict[str, Any] = {name: limit for name, limit in limits.items() if limit is not None}
    return PackConfig.preset(options.preset, **given)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path, default=CORPUS, metavar="FOLDER")
    parser.add_argument("--target", type=int)
    parser.add_argument("--max", type=int)
    parser.add_argument("--overlap", type=int)
    parser.add_argument("--preset", default="default")
    parser.add_argument("--only", default="", help="only files with this in their path")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

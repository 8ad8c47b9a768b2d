"""What becomes of the tables that are cut, over a folder of documents.

    python integration_tests/measure_tables.py [FOLDER] [--target N] [--max N] [--preset P]
        [--overlap N] [--only WORD]

Each piece of a cut table should have the header, the caption (if the source has one) and a true
row range in its record, and should read as one table with the columns and rows that it holds. The
ranges of a table's pieces should tile its rows. The audit decides this, not the packer. Exit
status 1 if anything is missing.

A table whose header takes half the cap is cut like text, and a caption that takes half the cap
together with the header is not repeated: such marks are counted.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

from treepack import PackConfig, Source, audit, pack

SUFFIXES: Final = {".md", ".mdx", ".txt"}
CORPUS: Final = Path(__file__).parents[1] / "../shared/corpus"
LAW: Final = 5


def main() -> int:
    """Print the numbers; return 0 if the audit finds nothing wrong with a table."""
    options = _options()
    config = _config(options)
    total: Counter[str] = Counter()
    for path in sorted(options.folder.rglob("*")):
        if path.suffix in SUFFIXES and options.only in str(path):
            text = path.read_bytes().decode("utf-8", "replace")
            total += measure(text, config, str(path.relative_to(options.folder)))
    for name, count in total.items():
        sys.stdout.write(f"{count:7} {name}\n")
    return 1 if total["findings"] else 0


def measure(text: str, config: PackConfig, name: str) -> Counter[str]:
    """Count for one document; print each fault with its line."""
    chunks = pack(Source(text, name), config)
    report = audit(Source(text, name), chunks)
    found = [finding for finding in report.findings if finding.law == LAW]
    for finding in found:
        sys.stdout.write(f"{finding}\n")
    cut = [entry for chunk in chunks for entry in chunk.tables if entry.parts > 1]
    numbers = {"cut tables": len({entry.id for entry in cut}), "pieces": len(cut)}
    return Counter({**numbers, **report.laws[LAW - 1].marks, "findings": len(found)})


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

"""Prints precision and recall of clauses, outline repair and references on the corpus.

Usage: python integration_tests/measure_clauses.py [CORPUS] [--misses N]
"""

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import clause_truth as truth


def main() -> None:
    """Print one line for each truth file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", default=os.environ.get("TREEPACK_CORPUS", ""))
    parser.add_argument("--misses", type=int, default=0, help="how many misses to print")
    arguments = parser.parse_args()
    corpus = Path(arguments.corpus)
    figures = truth.asvs_figures(corpus)
    for name in ("gdpr", "ai-act", "un-r155"):
        figures += truth.eu_act_figures(corpus, name)
    figures += [truth.german_law_figure(corpus, name) for name in ("gg", "bdsg_2018", "stgb")]
    figures += truth.printed_number_figures(corpus)
    figures += truth.outline_figures(corpus)
    figures += truth.rfc_reference_figures(corpus)
    for figure in figures:
        misses = figure.misses[: arguments.misses]
        name, precision, recall, expected, _ = figure
        line = f"{name:<52} P {precision:.4f}  R {recall:.4f}  n {expected}"
        lines = [line, *(f"    {miss}" for miss in misses)]
        sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

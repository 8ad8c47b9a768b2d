"""Combine the coverage data of all processes, and print the share of branches alone.

`coverage report` counts lines and branches together.
"""

import io
import json
from contextlib import redirect_stdout

from coverage import Coverage


def main() -> None:
    """Read the coverage data and print one line."""
    measured = Coverage()
    measured.combine()
    measured.save()
    written = io.StringIO()
    with redirect_stdout(written):
        measured.json_report(outfile="-")
    totals = json.loads(written.getvalue())["totals"]
    covered, branches = totals["covered_branches"], totals["num_branches"]
    print(f"branches: {covered:,} of {branches:,} ({covered / branches:.2%})")  # noqa: T201 - a figure to be read


if __name__ == "__main__":
    main()

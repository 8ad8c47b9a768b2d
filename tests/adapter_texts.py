"""Texts that several tests of the adapters split."""

from case_files import CASES

TERMS = "# Terms\n\n" + "".join(
    f"## Clause {i}\n\n" + f"Sentence number {i} about topic {i}. " * 20 + "\n\n" for i in range(6)
)

ACT = (CASES / "texts" / "act_on_pumps.md").read_text("utf-8")

"""Headings other than ``<h1>`` to ``<h6>``: CSS selectors for known generators of HTML.

Each selector has the level of the headings it finds; if several match, the last one counts.
Level 0 continues the heading right before: "Article 12" and its title are one heading.
"""

from collections.abc import Mapping
from typing import Final

HEADING_SELECTORS: Final[Mapping[str, Mapping[str, int]]] = {
    "eur-lex": {
        # Official Journal, before and since 2023 (there with "oj-"), and consolidated texts.
        ".doc-ti, .oj-doc-ti, .title-doc-first": 1,
        ".title-doc-last, .title-doc-oj-reference": 0,
        ".ti-section-1, .oj-ti-section-1, .title-division-1": 2,
        '[id*=".sct_"] .ti-section-1, [id*=".sct_"] .oj-ti-section-1': 3,
        '[id*=".sct_"] .title-division-1': 3,
        ".ti-section-2, .oj-ti-section-2, .title-division-2": 0,
        ".ti-art, .oj-ti-art, .title-article-norm": 4,
        ".sti-art, .oj-sti-art, .stitle-article-norm": 0,
        ".title-annex-1": 2,
        ".title-annex-2": 0,
        ".ti-grseq-1, .oj-ti-grseq-1, .title-gr-seq-level-1": 3,
        ".title-gr-seq-level-2": 4,
        ".title-gr-seq-level-3": 5,
    },
    "word": {
        "p.MsoTitle": 1,
        "p.MsoSubtitle": 0,
        "p.AppendixHeading1": 1,
        "p.AppendixHeading2": 2,
        "p.AppendixHeading3": 3,
        "p.AppendixHeading4": 4,
        "p.AppendixHeading5": 5,
        "p.MsoHeading7, p.MsoHeading8, p.MsoHeading9": 6,
    },
    # Not inside a function's description: text after the description would fall under the heading.
    "sphinx": {"section > p.rubric, div.section > p.rubric": 6},
    "doxygen": {".headertitle > .title": 1, "h2.memtitle": 3},
    "haddock": {"#module-header > p.caption": 1},
}
"""The built-in sets by name. Each uses class names of its own generator, so all can be tried."""


def selectors_for(user_selectors: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the selectors to try on a page: built-in ones first, so that the user's own win."""
    built_in = (pair for selectors in HEADING_SELECTORS.values() for pair in selectors.items())
    return [*built_in, *user_selectors.items()]

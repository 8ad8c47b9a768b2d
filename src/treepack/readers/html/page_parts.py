"""What the parts of a page are, as CSS selectors, and where printed pages end by styles."""

import re
from collections.abc import Mapping
from itertools import pairwise
from statistics import median
from typing import Final

NOT_SHOWN: Final = (
    "audio, button, canvas, datalist, head, iframe, input, noscript, object, script, select, style,"
    "svg, template, textarea, title, video, [hidden], dialog:not([open]),"
    # Permalinks of headings, links to source code, editing links, line numbers of code, text that
    # shows only under the pointer, and labels of text that is always shown
    ".headerlink, .header-anchor, .heading-anchor, .anchor-link, .anchorjs-link, .hash-link,"
    ".permalink, .pilcrow, .viewcode-link, .mw-editsection, .linenos, .lineno, .linenodiv, .gutter,"
    ".katex-html, .srclink, .selflink, .ttc, .hideme,"
    ":is(h1, h2, h3, h4, h5, h6, [role=heading i]) [aria-hidden=true]"
)
"""What a browser does not show, and signs and numbers that are not part of the text."""

FURNITURE: Final = (
    "nav, aside, [role=navigation i], [role=banner i], [role=contentinfo i], [role=search i],"
    # Navigation that MediaWiki, DocBook and Doxygen put into the text
    "[role=complementary i], .catlinks, .mw-portlet, .navbox, .vector-dropdown, .navheader,"
    ".navfooter, #titlearea, #nav-path"
)
"""What belongs to the page, wherever it is."""

OF_THE_PAGE: Final = "header, footer, .footer"
"""What belongs to the page unless it is in a part of the text."""

OF_A_PART: Final = f":is(article, main, section, [role=main i]) :is({OF_THE_PAGE})"
"""What is like those, but in a part of the text."""

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
        **{f"p.AppendixHeading{level}": level for level in range(1, 6)},
        "p.MsoHeading7, p.MsoHeading8, p.MsoHeading9": 6,
    },
    # Not inside a function's description: text after the description would fall under the heading.
    "sphinx": {"section > p.rubric, div.section > p.rubric": 6},
    "doxygen": {".headertitle > .title": 1, "h2.memtitle": 3},
    "haddock": {"#module-header > p.caption": 1},
}
"""Headings other than ``<h1>`` to ``<h6>``, by known generators of HTML, with their levels.

If several match, the last one counts. Level 0 continues the heading right before: "Article 12" and
its title are one heading. Each set uses class names of its own generator, so all can be tried.
"""

CLASSIFIERS: Final = ".classifier"
"""Types of terms, which docutils puts after a sign by its style sheet."""

LISTINGS: Final = "div.fragment"
"""Listings of code that are not in ``<pre>``: Doxygen's."""

_PAGE_BREAK: Final = re.compile(
    r"\bbreak-(before|after)\s*:\s*(?:always|page|left|right|recto|verso)\b", re.IGNORECASE
)
_NONE: Final = frozenset[str]()
_LONGEST_PAGE: Final = 8000  # characters; a dense page in small type holds 6,000


def selectors_for(user_selectors: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the selectors to try on a page: built-in ones first, so that the user's own win."""
    built_in = (pair for selectors in HEADING_SELECTORS.values() for pair in selectors.items())
    return [*built_in, *user_selectors.items()]


def breaks_of(attributes: Mapping[str, str | None]) -> frozenset[str]:
    """Return on which sides of an element a printed page ends: ``before``, ``after``."""
    style = attributes.get("style")
    return frozenset(match[1].lower() for match in _PAGE_BREAK.finditer(style)) if style else _NONE


def are_pages(marks: tuple[tuple[int, int], ...], length: int) -> bool:
    """Return whether breaks at (offset, page) marks separate pages, and not longer chapters."""
    offsets = [offset for offset, _ in marks]
    sizes = [after - start for start, after in pairwise([*offsets, length])]
    return len(sizes) > 1 and median(sizes) <= _LONGEST_PAGE

"""What is not text on a page, as CSS selectors, and where printed pages end by styles."""

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

_PAGE_BREAK: Final = re.compile(
    r"\bbreak-(before|after)\s*:\s*(?:always|page|left|right|recto|verso)\b", re.IGNORECASE
)
_STYLE_WITH_BREAK: Final = re.compile(
    rf"""\bstyle\s*=\s*(?:"[^"<>]{{0,1000}}|'[^'<>]{{0,1000}}){_PAGE_BREAK.pattern}""",
    re.IGNORECASE,
)
_LONGEST_PAGE: Final = 8000  # characters; a dense page in small type holds 6,000


def has_breaks(html: str) -> bool:
    """Return whether the style of any element makes a printed page end or begin there."""
    return _PAGE_BREAK.search(html) is not None and _STYLE_WITH_BREAK.search(html) is not None


def breaks_of(attributes: Mapping[str, str | None]) -> frozenset[str]:
    """Return on which sides of an element a printed page ends: ``before``, ``after``."""
    style = attributes.get("style") or ""
    return frozenset(match[1].lower() for match in _PAGE_BREAK.finditer(style))


def are_pages(marks: tuple[tuple[int, int], ...], length: int) -> bool:
    """Return whether breaks at (offset, page) marks separate pages, and not longer chapters."""
    offsets = [offset for offset, _ in marks]
    sizes = [after - start for start, after in pairwise([*offsets, length])]
    return len(sizes) > 1 and median(sizes) <= _LONGEST_PAGE

"""Checks that the built site loads nothing from elsewhere and has no dead links.

    python integration_tests/site_check.py FOLDER

MkDocs checks the links in the sources. This checks the links of the built pages, with anchors and
with the links that docstrings and the theme make.
"""

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

LOADS: Final = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src"}
LOADED_LINKS: Final = {
    "stylesheet",
    "icon",
    "preload",
    "preconnect",
    "dns-prefetch",
    "modulepreload",
}


class PageLinks(HTMLParser):
    """The links, loads and anchors of a page."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = {"", "__comments"}
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element links to or loads, and its anchors."""
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag in LOADS and LOADS[tag] in values:
            self.loads.append(values[LOADS[tag]])
        if tag == "link" and LOADED_LINKS & set(values.get("rel", "").split()):
            self.loads.append(values.get("href", ""))
        if tag == "a" and "href" in values:
            self.links.append(values["href"])


def problems(site: Path) -> Iterator[str]:
    """Yield a line for each fault."""
    pages = {page.resolve(): PageLinks(page) for page in sorted(site.rglob("*.html"))}
    if not pages:
        yield f"{site}: there is no page"
    for page, found in pages.items():
        name = page.relative_to(site.resolve())
        if name.name == "404.html":  # its links begin at the root of a server
            continue
        yield from (f"{name}: loads {load}" for load in found.loads if urlsplit(load).netloc)
        for link in (*found.links, *found.loads):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if not target.exists():
                yield f"{name}: {link} leads nowhere"
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{name}: {link} has no such place"


if __name__ == "__main__":
    faults = list(problems(Path(sys.argv[1])))
    sys.stderr.write("".join(f"{fault}\n" for fault in faults))
    sys.exit(bool(faults))

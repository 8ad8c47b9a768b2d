"""Reads a report page like a strict browser: bad nesting and forbidden elements are errors."""

from html.parser import HTMLParser
from typing import Final

SELF_CLOSED: Final = frozenset({"path"})
ALLOWED: Final = frozenset(
    {
        *("html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section"),
        *("h1", "h2", "h3", "p", "a", "strong", "small", "bdi", "span", "div", "ul", "ol", "li"),
        *("details", "summary", "label", "input", "figure", "figcaption", "svg", "rect", "path"),
        *("table", "caption", "thead", "tbody", "tr", "th", "td"),
    }
)
LEAVES: Final = frozenset({"meta", "input"})


class Page(HTMLParser):
    """A parsed page.

    Attributes:
        tags: All elements in order, each with its attributes.
        sections: The keys of the chunks, in order.
        own: The text of the bodies, by chunk.
        text: All text except that of the style element.
        style: The text of the style element.
    """

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.sections: list[str] = []
        self.own: dict[str, str] = {}
        self.text = ""
        self.style = ""
        self._open: list[tuple[str, dict[str, str | None]]] = []
        assert html.startswith("<!doctype html>")
        self.feed(html)
        self.close()
        assert not self._open, f"not closed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Check the element and record it."""
        assert tag in ALLOWED, tag
        attributes = dict(attrs)
        assert len(attributes) == len(attrs), f"an attribute comes twice: {attrs}"
        assert not {name for name in attributes if name.startswith("on") or name == "style"}
        self.tags.append((tag, attributes))
        if tag == "section":
            self.sections.append(attributes["id"] or "")
            self.own[self.sections[-1]] = ""
        if tag not in LEAVES:
            self._open.append((tag, attributes))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a self-closing element, which only drawings may have."""
        self.handle_starttag(tag, attrs)
        assert tag in SELF_CLOSED, tag
        self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        """Check that the tag closes the element that was opened last."""
        opened, _ = self._open.pop()
        assert tag == opened, f"</{tag}> closes <{opened}>"

    def handle_data(self, data: str) -> None:
        """Record text."""
        tags = [tag for tag, _ in self._open]
        if "style" in tags:
            self.style += data
            return
        self.text += data
        if "section" in tags and any(
            tag == "span" and (attributes.get("class") or "").split()[:1] == ["b"]
            for tag, attributes in self._open
        ):
            self.own[self.sections[-1]] += data

    def attributes(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements with this name."""
        return [attributes for name, attributes in self.tags if name == tag]


class Fragment(Page):
    """A parsed piece of a page, as notebooks show it; it may have style attributes."""

    def __init__(self, html: str) -> None:
        assert html.startswith("<table>")
        super().__init__("<!doctype html>" + html.replace(' style="', ' data-style="'))

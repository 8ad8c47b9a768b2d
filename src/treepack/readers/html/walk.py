"""The walk over an HTML page: elements become blocks of the `MarkdownWriter` or inline content."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from treepack.readers.html.cells import (
    are_numbered,
    as_line,
    is_layout,
    read_table,
    split_at_headings,
    with_marker_lists,
)
from treepack.readers.html.formatting import language_of
from treepack.readers.html.inline import (
    BLOCKS,
    InlineCollector,
    ItemNumbers,
    collect,
    image_target,
    numeral,
    tex_of,
)
from treepack.readers.html.tree import HtmlElement
from treepack.readers.inlines import Inline, InlinePiece, as_parts, flat
from treepack.readers.links_and_emphasis import TEXT_ONLY, KeepOptions, in_bold, linked
from treepack.readers.writer import MarkdownWriter

_ORIGIN: Final = "html"
_LISTS: Final = frozenset({"ul", "ol", "menu", "dir", "dl"})
_PAGE_BREAK: Final = re.compile(
    r"\bbreak-(before|after)\s*:\s*(?:always|page|left|right|recto|verso)\b", re.IGNORECASE
)
_NONE: Final = frozenset[str]()


@dataclass(slots=True)
class _List:
    """An open list.

    Attributes:
        depth: How many containers are open when its items begin, the list included.
        numbers: Counts the items of an ordered list.
        is_numbered: Whether the items of a list that is not ordered are labelled with numbers.
        has_item: Whether an item is open.
        after_term: Whether a term is still without its description.
    """

    depth: int
    numbers: ItemNumbers | None = None
    is_numbered: bool = False
    has_item: bool = False
    after_term: bool = False


class PageWalker:
    """Writes the content of one page."""

    def __init__(self, writer: MarkdownWriter, keep: KeepOptions = TEXT_ONLY) -> None:
        self.writer = writer
        self.inline = InlineCollector(keep)
        # The remaining children of the open elements, and what to call after the last one
        self._frames: list[tuple[Iterator[HtmlElement | str], Callable[[], None]]] = []
        self._lists: list[_List | None] = [None]  # None: no list, or one that is only layout
        self._held_heading: tuple[int, list[str | InlinePiece]] | None = None
        self._captions: dict[int, Inline] = {}  # by id of the table
        self._figure_images: set[int] = set()  # their ids
        self._page = 0  # the current page, from 1; 0 if no pages are known

    def walk(self, root: HtmlElement, *, is_paged: bool = False) -> None:
        """Write everything in an element, without recursion, as pages nest without limit.

        If it is paged, styles state where printed pages begin or end.
        """
        self._page = int(is_paged)
        self.writer.page(self._page or None)
        self._push(root, self._flush)
        while self._frames:
            children, leave = self._frames[-1]
            node = next(children, None)
            if node is None:
                self._frames.pop()
                leave()
            elif isinstance(node, str):
                self.inline.add_text(node)
            else:
                self._enter(node)
        self._write_heading()

    def _push(self, element: HtmlElement, leave: Callable[[], None]) -> None:
        children = with_marker_lists(element)
        if len(children) == 1 and isinstance(children[0], str):  # the common case
            self.inline.add_text(children[0])
            leave()
        else:
            self._frames.append((iter(children), leave))

    def _enter(self, element: HtmlElement) -> None:
        if element.is_furniture:
            return
        if self._page and element.attributes and (sides := breaks_of(element.attributes)):
            self._break_page_at(sides)
        if element.level is not None:
            self._hold_heading(element, element.level)
        elif (enter := self._ENTER.get(element.name)) is not None:
            self._flush()
            enter(self, element)
        elif element.name in BLOCKS:
            self._enter_block(element)
        elif element.attributes.get("display") == "block" and (tex := tex_of(element)):
            self._flush()
            self._prepare_block()
            self.writer.math(tex, _ORIGIN)
        elif element.name == "img":
            self._add_image(element)
        elif not self.inline.add_leaf(element):
            self._push(element, self._restoring(element, lambda: None))

    def _break_page_at(self, sides: frozenset[str]) -> None:
        """Begin a new page on these sides of an element: ``before``, ``after``, or both."""
        self._flush()
        if "before" in sides:
            self._next_page()
        if "after" in sides:
            self._frames.append((iter(()), self._next_page))

    def _next_page(self) -> None:
        self._flush()
        self._page += 1
        self.writer.page(self._page)

    def _enter_block(self, element: HtmlElement) -> None:
        self._flush()
        self._push(element, self._restoring(element, self._flush))

    def _restoring(self, element: HtmlElement, leave: Callable[[], None]) -> Callable[[], None]:
        """Enter an element that may format its text; return what to call at its end."""
        outer = self.inline.enter(element)

        def leave_and_restore() -> None:
            leave()
            self.inline.around = outer

        return leave_and_restore

    def _flush(self) -> None:
        """Write the inline content gathered so far as paragraphs."""
        for content, typography in self.inline.take():
            self._prepare_block()
            self.writer.paragraph(content, _ORIGIN, typography)

    def _prepare_block(self) -> None:
        """Prepare for a block: write a pending heading; open an item if a list has none yet."""
        if self._held_heading is not None:
            self._write_heading()
        open_list = self._lists[-1]
        if open_list and not open_list.has_item and self.writer.depth == open_list.depth:
            self.writer.open_item()
            open_list.has_item = True

    def _hold_heading(self, element: HtmlElement, level: int) -> None:
        """Hold a heading back, because the next element may continue it."""
        self._flush()
        content = collect(element, keep=self.inline.keep)
        if not flat(content):
            return
        parts = linked(as_parts(content), self.inline.around.target)
        is_h_element = element.name[0] == "h" and element.name[1:].isdigit()
        previous = self._held_heading
        if previous and (level == 0 or (level == 1 == previous[0] and not is_h_element)):
            previous[1].extend([" ", *parts])
            return
        self._write_heading()
        if level:
            self._held_heading = (level, parts)
        else:
            self.writer.paragraph(content, _ORIGIN)

    def _write_heading(self) -> None:
        if self._held_heading is None:
            return
        (level, content), self._held_heading = self._held_heading, None
        self._prepare_block()
        self.writer.heading(level, content, _ORIGIN)

    def _add_image(self, element: HtmlElement) -> None:
        """Add an image with alternative text to the text; write others only inside a figure."""
        if (element.attributes.get("alt") or "").strip():
            self.inline.add_leaf(element)
        elif image_target(element) and id(element) in self._figure_images:
            self._flush()
            self._prepare_block()
            self.writer.image("", image_target(element), _ORIGIN)

    def _write_rule(self, element: HtmlElement) -> None:
        if not (self._page and breaks_of(element.attributes)):  # otherwise it only shows a page end
            self._prepare_block()
            self.writer.rule(_ORIGIN)

    def _write_code(self, element: HtmlElement) -> None:
        self._prepare_block()
        names = (language_of(inner) for inner in (element, *element.walk()))
        language = next(filter(None, names), self.inline.around.language)
        self.writer.code(element.text(), language, _ORIGIN)

    def _enter_quote(self, element: HtmlElement) -> None:
        if element.has_heading:  # a heading inside a quote begins no section
            self._push(element, self._flush)
            return
        self._prepare_block()
        self.writer.open_quote()
        self._push(element, self._leave_container)

    def _leave_container(self) -> None:
        self._flush()
        self._write_heading()
        self.writer.close()

    def _enter_figure(self, element: HtmlElement) -> None:
        """Enter a figure. If it holds a single table, the table takes the figure's caption."""
        inside = list(_inside_figure(element))
        self._figure_images.update(id(inner) for inner in inside if inner.name == "img")
        tables = [inner for inner in inside if inner.name == "table"]
        captions = [inner for inner in inside if inner.name == "figcaption"]
        if len(tables) == 1 and len(captions) == 1:
            self._captions[id(tables[0])] = collect(captions[0], keep=self.inline.keep)
            captions[0].children = []
        self._push(element, self._flush)

    def _enter_list(self, element: HtmlElement) -> None:
        if element.has_heading:  # a heading inside a list begins no section
            self._lists.append(None)
            self._push(element, self._leave_list)
            return
        self._prepare_block()
        new_list = _List(self.writer.depth + 1)
        if element.name == "ol":
            new_list.numbers = numbers = ItemNumbers(element)
            self.writer.open_list(ordered=not numbers.style, start=numbers.next)
        else:
            new_list.is_numbered = are_numbered(c for c in element.elements if c.name == "li")
            self.writer.open_list(ordered=new_list.is_numbered)
        self._lists.append(new_list)
        self._push(element, self._leave_list)

    def _leave_list(self) -> None:
        self._flush()
        ended = self._lists[-1]
        if ended is not None:
            self._write_heading()
            for _ in range(1 + ended.has_item):
                self.writer.close()
        self._lists.pop()

    def _enter_item(self, element: HtmlElement) -> None:
        open_list = self._lists[-1]
        if open_list is not None and self._end_item(open_list):
            self._open_item(element, open_list)
        self._push(element, self._flush)

    def _end_item(self, open_list: _List) -> bool:
        """Close the previous item, which stays open because a sublist may be its sibling.

        Return False if another container was opened inside the list, so that no item can begin.
        """
        if self.writer.depth != open_list.depth + open_list.has_item:
            return False
        self._write_heading()
        if open_list.has_item:
            self.writer.close()
        open_list.has_item = True
        return True

    def _open_item(self, element: HtmlElement, open_list: _List) -> None:
        label = element.attributes.get("label") or ""
        if open_list.numbers is not None:
            number = open_list.numbers.take(element)
            if open_list.numbers.style:
                label = f"{numeral(number, open_list.numbers.style)}."
            self.writer.open_item(number, label)
        elif open_list.is_numbered:
            self.writer.open_item(int(label.rstrip(".")))
        else:
            self.writer.open_item(label=label)

    def _write_term(self, element: HtmlElement) -> None:
        """Write a term; it begins an item unless the previous term has no description yet."""
        open_list = self._lists[-1]
        if open_list is not None and not open_list.after_term and self._end_item(open_list):
            self.writer.open_item()
            open_list.after_term = True
        self._prepare_block()
        content = in_bold(collect(element, keep=self.inline.keep))
        self.writer.paragraph(content, _ORIGIN)

    def _enter_description(self, element: HtmlElement) -> None:
        open_list = self._lists[-1]
        if open_list is not None:
            open_list.after_term = False
        self._push(element, self._flush)

    def _enter_table(self, element: HtmlElement) -> None:
        if is_layout(element):
            self._push(split_at_headings(element) or element, self._flush)
            return
        if (line := as_line(element)) is not None:
            self._enter_block(line)
            return
        self._prepare_block()
        grid = read_table(element, self.writer.fill_limit, self.inline.keep)
        caption = element.first("caption")
        text: Inline = "" if caption is None else collect(caption, keep=self.inline.keep)
        text = text or self._captions.pop(id(element), "")
        self.writer.grid(grid, text, _ORIGIN)

    # Unbound functions: bound methods would keep the walker and its text alive until collected.
    _ENTER: ClassVar[Mapping[str, Callable[[Any, HtmlElement], None]]] = {
        **dict.fromkeys(_LISTS, _enter_list),
        "blockquote": _enter_quote,
        "dd": _enter_description,
        "dt": _write_term,
        "figure": _enter_figure,
        "hr": _write_rule,
        "li": _enter_item,
        "pre": _write_code,
        "table": _enter_table,
    }


def _inside_figure(figure: HtmlElement) -> Iterator[HtmlElement]:
    """Yield a figure's descendants, without the content of figures nested in it."""
    stack = [figure]
    while stack:
        children = stack.pop().elements
        yield from children
        stack.extend(child for child in children if child.name != "figure")


def breaks_of(attributes: Mapping[str, str | None]) -> frozenset[str]:
    """Return on which sides of an element a printed page ends: ``before``, ``after``."""
    style = attributes.get("style")
    return frozenset(match[1].lower() for match in _PAGE_BREAK.finditer(style)) if style else _NONE

"""The walk over an HTML page: elements become blocks of the `MarkdownWriter` or inline content."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final

from treepack.readers.html.cells import (
    are_numbered,
    as_line,
    is_layout,
    read_table,
    split_at_headings,
    with_marker_lists,
)
from treepack.readers.html.formatting import FORMATTING_ELEMENTS, face_inside
from treepack.readers.html.inline import BLOCKS, InlineCollector, collect, image_target, tex_of
from treepack.readers.html.numerals import ItemNumbers, numeral
from treepack.readers.html.page_parts import breaks_of
from treepack.readers.html.tree import HtmlElement, Text
from treepack.readers.inlines import Inline, InlinePiece, as_parts, flat
from treepack.readers.links_and_emphasis import TEXT_ONLY, KeepOptions, in_bold, linked
from treepack.readers.writer import MarkdownWriter

_LISTS: Final = frozenset({"ul", "ol", "menu", "dir", "dl"})
_LANGUAGE: Final = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*|sourceCode\s+)([\w+#.-]+)"
)
_NO_LANGUAGES: Final = frozenset({"none", "text", "default", "plaintext", "plain", "notranslate"})


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


@dataclass(slots=True)
class _Frame:
    """The remaining children of an element, and what to call after the last one."""

    children: Iterator[HtmlElement | Text]
    leave: Callable[[], None]
    is_figure: bool = False


class PageWalker:
    """Writes the content of one page."""

    def __init__(self, writer: MarkdownWriter, keep: KeepOptions = TEXT_ONLY) -> None:
        self.writer = writer
        self.inline = InlineCollector(keep)
        self._frames: list[_Frame] = []
        self._lists: list[_List | None] = [None]  # None: no list, or one that is only layout
        self._languages: list[str] = []
        self._held_heading: tuple[int, list[str | InlinePiece], int] | None = None
        self._captions: dict[int, Inline] = {}  # by id of the table
        self._page = 0  # the current page, from 1; 0 if no pages are known

    def walk(self, root: HtmlElement, *, is_paged: bool = False) -> None:
        """Write everything in an element, without recursion, as pages nest without limit.

        If it is paged, styles state where printed pages begin or end.
        """
        self._page = int(is_paged)
        self.writer.page(self._page or None)
        self._push(root, self._flush)
        while self._frames:
            frame = self._frames[-1]
            node = next(frame.children, None)
            if node is None:
                self._frames.pop()
                frame.leave()
            elif isinstance(node, Text):
                self.inline.add_text(node)
            else:
                self._enter(node)
        self._write_heading()

    def _push(
        self, element: HtmlElement, leave: Callable[[], None], *, is_figure: bool = False
    ) -> None:
        children = with_marker_lists(element)
        if len(children) == 1 and isinstance(children[0], Text):  # the common case
            self.inline.add_text(children[0])
            leave()
        else:
            self._frames.append(_Frame(iter(children), leave, is_figure))

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
        elif element.name == "math" and (tex := _display_tex(element)):
            self._flush()
            self._prepare_block()
            self.writer.math(tex, _origin(element.offset))
        elif element.name == "img":
            self._add_image(element)
        elif not self.inline.add_leaf(element):
            self._push(element, self._with_formatting(element, lambda: None))

    def _break_page_at(self, sides: frozenset[str]) -> None:
        """Begin a new page on these sides of an element: ``before``, ``after``, or both."""
        self._flush()
        if "before" in sides:
            self._next_page()
        if "after" in sides:
            self._frames.append(_Frame(iter(()), self._next_page))

    def _next_page(self) -> None:
        self._flush()
        self._page += 1
        self.writer.page(self._page)

    def _enter_block(self, element: HtmlElement) -> None:
        self._flush()
        leave = self._flush
        if element.attributes and (language := _language(element)):
            self._languages.append(language)
            leave = partial(self._flush_and_pop, self._languages)
        self._push(element, self._with_formatting(element, leave))

    def _with_formatting(
        self, element: HtmlElement, leave: Callable[[], None]
    ) -> Callable[[], None]:
        """Apply an element's face and mark to the text inside; return what to call at its end."""
        if not (element.attributes or element.name in FORMATTING_ELEMENTS):
            return leave
        inline = self.inline
        outer = inline.face, inline.mark
        inline.face = face_inside(element, inline.face)
        inline.enter(element, is_block=False)
        if (inline.face, inline.mark) == outer:
            return leave

        def leave_with_formatting() -> None:
            leave()
            inline.face, inline.mark = outer

        return leave_with_formatting

    # ---------------------------------------------------------------- text

    def _flush(self) -> None:
        """Write the inline content gathered so far as paragraphs."""
        for content, offset, typography in self.inline.take():
            self._prepare_block()
            self.writer.paragraph(content, _origin(offset), typography)

    def _flush_and_pop(self, stack: list[Any]) -> None:
        self._flush()
        stack.pop()

    def _prepare_block(self) -> None:
        """Prepare for a block: write a pending heading; open an item if a list has none yet."""
        if self._held_heading is not None:
            self._write_heading()
        open_list = self._lists[-1]
        if (
            open_list is not None
            and not open_list.has_item
            and self.writer.depth == open_list.depth
        ):
            self.writer.open_item()
            open_list.has_item = True

    def _hold_heading(self, element: HtmlElement, level: int) -> None:
        """Hold a heading back, because the next element may continue it."""
        self._flush()
        content = collect(element, keep=self.inline.keep)
        if not flat(content):
            return
        parts = linked(as_parts(content), self.inline.mark.target)
        is_h_element = element.name[0] == "h" and element.name[1:].isdigit()
        previous = self._held_heading
        if previous is not None and (
            level == 0 or (level == 1 == previous[0] and not is_h_element)
        ):
            previous[1].extend([" ", *parts])
            return
        self._write_heading()
        if level == 0:
            self.writer.paragraph(content, _origin(element.offset))
            return
        self._held_heading = (level, parts, element.offset)

    def _write_heading(self) -> None:
        if self._held_heading is None:
            return
        (level, content, offset), self._held_heading = self._held_heading, None
        self._prepare_block()
        self.writer.heading(level, content, _origin(offset))

    def _add_image(self, element: HtmlElement) -> None:
        """Add an image with alternative text to the text; write others only inside a figure."""
        if (element.attributes.get("alt") or "").strip():
            self.inline.add_leaf(element)
        elif image_target(element) and any(frame.is_figure for frame in self._frames[-3:]):
            self._flush()
            self._prepare_block()
            self.writer.image("", image_target(element), _origin(element.offset))

    def _write_rule(self, element: HtmlElement) -> None:
        if not (self._page and breaks_of(element.attributes)):  # otherwise it only shows a page end
            self._prepare_block()
            self.writer.rule(_origin(element.offset))

    def _write_code(self, element: HtmlElement) -> None:
        self._prepare_block()
        language = _language(element) or next(
            (name for inner in element.walk() if (name := _language(inner))), ""
        )
        language = language or (self._languages[-1] if self._languages else "")
        self.writer.code(element.text(), language, _origin(element.offset))

    # ---------------------------------------------------------------- containers

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
        tables = [inner for inner in inside if inner.name == "table"]
        captions = [inner for inner in inside if inner.name == "figcaption"]
        if len(tables) == 1 and len(captions) == 1:
            self._captions[id(tables[0])] = collect(captions[0], keep=self.inline.keep)
            captions[0].children = []
        self._push(element, self._flush, is_figure=True)

    def _enter_list(self, element: HtmlElement) -> None:
        if element.has_heading:  # a heading inside a list begins no section
            self._lists.append(None)
            self._push(element, partial(self._flush_and_pop, self._lists))
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
        self._write_heading()
        ended = self._lists.pop()
        assert ended is not None, "a list that only places text is left otherwise"
        if ended.has_item:
            self.writer.close()
        self.writer.close()

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
        self.writer.paragraph(content, _origin(element.offset))

    def _enter_description(self, element: HtmlElement) -> None:
        open_list = self._lists[-1]
        if open_list is not None:
            open_list.after_term = False
        self._push(element, self._flush)

    # ---------------------------------------------------------------- tables

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
        self.writer.grid(grid, text, _origin(element.offset))

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


def _display_tex(math: HtmlElement) -> str:
    return tex_of(math) if math.attributes.get("display") == "block" else ""


def _origin(offset: int) -> str:
    return f"html:{offset}"


def _language(element: HtmlElement) -> str:
    """Return the programming language that an element's class names, or an empty string."""
    classes = element.attributes.get("class")
    match = _LANGUAGE.search(classes) if classes else None
    return match[1] if match and match[1] not in _NO_LANGUAGES else ""

"""The walk over an HTML page: elements become blocks of the `MarkdownWriter` or inline content."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from treepack.readers.html.breaks import breaks_of
from treepack.readers.html.cells import (
    are_numbered,
    as_line,
    caption_of,
    is_layout,
    read_table,
    split_at_headings,
    with_marker_lists,
)
from treepack.readers.html.faces import SETTING, face_inside
from treepack.readers.html.inline import BLOCKS, InlineCollector, collect, image_target, tex_of
from treepack.readers.html.numerals import ItemNumbers, numeral
from treepack.readers.html.tree import HtmlElement, Text
from treepack.readers.inlines import Inline, InlinePiece, as_parts, flat
from treepack.readers.kept import TEXT_ALONE, KeepOptions, in_bold, linked
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
    """Writes the content of one page.

    Args:
        writer: What the content is written to.
        kept: Whether links and emphasis are kept.
    """

    def __init__(self, writer: MarkdownWriter, kept: KeepOptions = TEXT_ALONE) -> None:
        self.writer = writer
        self.inline = InlineCollector(kept)
        self._kept = kept
        self._frames: list[_Frame] = []
        self._lists: list[_List | None] = []  # None: a list that is only layout
        self._languages: list[str] = []
        self._heading: tuple[int, list[str | InlinePiece], int] | None = None
        self._captions: dict[int, Inline] = {}  # by id of the table
        self._page = 0  # the current page, from 1; 0 if no pages are known

    def walk(self, root: HtmlElement, *, is_paged: bool = False) -> None:
        """Write everything in an element, without recursion, as pages nest without limit.

        Args:
            root: The element.
            is_paged: Whether styles state where printed pages begin or end.
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
        if self._page and element.attributes and (sides := breaks_of(element)):
            self._turn_at(sides)
        if element.level is not None:
            self._take_heading(element, element.level)
        elif (enter := self._ENTER.get(element.name)) is not None:
            self._flush()
            enter(self, element)
        elif element.name in BLOCKS:
            self._enter_block(element)
        elif is_block_math(element):
            self._flush()
            self._place()
            self.writer.math(tex_of(element), _origin(element.offset))
        elif element.name == "img":
            self._take_image(element)
        elif not self.inline.add_leaf(element):
            self._push(element, self._with_setting(element, lambda: None))

    def _turn_at(self, sides: frozenset[str]) -> None:
        """Begin a new page on these sides of an element: ``before``, ``after``, or both."""
        self._flush()
        if "before" in sides:
            self._turn()
        if "after" in sides:
            self._frames.append(_Frame(iter(()), self._turn))

    def _turn(self) -> None:
        self._flush()
        self._page += 1
        self.writer.page(self._page)

    def _enter_block(self, element: HtmlElement) -> None:
        self._flush()
        leave = self._flush
        if element.attributes and (language := _language(element)):
            self._languages.append(language)
            leave = self._leave_highlighted
        self._push(element, self._with_setting(element, leave))

    def _with_setting(self, element: HtmlElement, leave: Callable[[], None]) -> Callable[[], None]:
        """Apply an element's face and mark to the text inside; return what to call at its end."""
        if not (element.attributes or element.name in SETTING):
            return leave
        inline = self.inline
        around = inline.face, inline.mark
        inline.face = face_inside(element, inline.face)
        inline.enter(element, is_block=False)
        if (inline.face, inline.mark) == around:
            return leave

        def leave_setting() -> None:
            leave()
            inline.face, inline.mark = around

        return leave_setting

    def _leave_highlighted(self) -> None:
        self._flush()
        self._languages.pop()

    # ---------------------------------------------------------------- text

    def _flush(self) -> None:
        """Write the inline content gathered so far as paragraphs."""
        for content, offset, typography in self.inline.take():
            self._place()
            self.writer.paragraph(content, _origin(offset), typography)

    def _place(self) -> None:
        """Prepare for a block: write a pending heading; open an item if a list has none yet."""
        if self._heading is not None:
            self._write_heading()
        held = self._lists[-1] if self._lists else None
        if held is not None and not held.has_item and self.writer.depth == held.depth:
            self.writer.open_item()
            held.has_item = True

    def _take_heading(self, element: HtmlElement, level: int) -> None:
        """Hold a heading back, because the next element may continue it."""
        self._flush()
        content = collect(element, kept=self._kept)
        if not flat(content):
            return
        parts = linked(as_parts(content), self.inline.mark.target)
        is_own = element.name[0] == "h" and element.name[1:].isdigit()
        held = self._heading
        if held is not None and (level == 0 or (level == 1 == held[0] and not is_own)):
            held[1].extend([" ", *parts])
            return
        self._write_heading()
        if level == 0:
            self.writer.paragraph(content, _origin(element.offset))
            return
        self._heading = (level, parts, element.offset)

    def _write_heading(self) -> None:
        if self._heading is None:
            return
        (level, content, offset), self._heading = self._heading, None
        self._place()
        self.writer.heading(level, content, _origin(offset))

    def _take_image(self, element: HtmlElement) -> None:
        """Add an image with alternative text to the text; write others only inside a figure."""
        if (element.attributes.get("alt") or "").strip():
            self.inline.add_leaf(element)
        elif image_target(element) and any(frame.is_figure for frame in self._frames[-3:]):
            self._flush()
            self._place()
            self.writer.image("", image_target(element), _origin(element.offset))

    def _write_rule(self, element: HtmlElement) -> None:
        if not (self._page and breaks_of(element)):  # otherwise it only shows a page end
            self._place()
            self.writer.rule(_origin(element.offset))

    def _write_code(self, element: HtmlElement) -> None:
        self._place()
        language = _language(element) or next(
            (found for inner in element.walk() if (found := _language(inner))), ""
        )
        language = language or (self._languages[-1] if self._languages else "")
        self.writer.code(element.text(), language, _origin(element.offset))

    # ---------------------------------------------------------------- containers

    def _enter_quote(self, element: HtmlElement) -> None:
        if element.has_heading:  # a heading inside a quote begins no section
            self._push(element, self._flush)
            return
        self._place()
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
            self._captions[id(tables[0])] = collect(captions[0], kept=self._kept)
            captions[0].children = []
        self._push(element, self._flush, is_figure=True)

    def _enter_list(self, element: HtmlElement) -> None:
        if element.has_heading:  # a heading inside a list begins no section
            self._lists.append(None)
            self._push(element, self._leave_layout)
            return
        self._place()
        held = _List(self.writer.depth + 1)
        if element.name == "ol":
            held.numbers = numbers = ItemNumbers(element)
            self.writer.open_list(ordered=not numbers.style, start=numbers.next)
        else:
            held.is_numbered = are_numbered(c for c in element.elements if c.name == "li")
            self.writer.open_list(ordered=held.is_numbered)
        self._lists.append(held)
        self._push(element, self._leave_list)

    def _leave_layout(self) -> None:
        self._flush()
        self._lists.pop()

    def _leave_list(self) -> None:
        self._flush()
        self._write_heading()
        held = self._lists.pop()
        assert held is not None, "a list that only places text is left otherwise"
        if held.has_item:
            self.writer.close()
        self.writer.close()

    def _enter_item(self, element: HtmlElement) -> None:
        held = self._lists[-1] if self._lists else None
        if held is not None and self._end_item(held):
            self._open_item(element, held)
        self._push(element, self._flush)

    def _end_item(self, held: _List) -> bool:
        """Close the previous item, which stays open because a sublist may be its sibling.

        Return False if another container was opened inside the list, so that no item can begin.
        """
        if self.writer.depth != held.depth + held.has_item:
            return False
        self._write_heading()
        if held.has_item:
            self.writer.close()
        held.has_item = True
        return True

    def _open_item(self, element: HtmlElement, held: _List) -> None:
        label = element.attributes.get("label") or ""
        if held.numbers is not None:
            number = held.numbers.take(element)
            if held.numbers.style:
                label = f"{numeral(number, held.numbers.style)}."
            self.writer.open_item(number, label)
        elif held.is_numbered:
            self.writer.open_item(int(label.rstrip(".")))
        else:
            self.writer.open_item(label=label)

    def _write_term(self, element: HtmlElement) -> None:
        """Write a term; it begins an item unless the previous term has no description yet."""
        held = self._lists[-1] if self._lists else None
        if held is not None and not held.after_term and self._end_item(held):
            self.writer.open_item()
            held.after_term = True
        self._place()
        content = in_bold(collect(element, kept=self._kept))
        self.writer.paragraph(content, _origin(element.offset))

    def _enter_description(self, element: HtmlElement) -> None:
        held = self._lists[-1] if self._lists else None
        if held is not None:
            held.after_term = False
        self._push(element, self._flush)

    # ---------------------------------------------------------------- tables

    def _enter_table(self, element: HtmlElement) -> None:
        if is_layout(element):
            self._push(split_at_headings(element) or element, self._flush)
            return
        if (line := as_line(element)) is not None:
            self._enter_block(line)
            return
        self._place()
        grid = read_table(element, self.writer.fill_limit, self._kept)
        caption = caption_of(element, self._kept) or self._captions.pop(id(element), "")
        self.writer.grid(grid, caption, _origin(element.offset))

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
    waiting = [figure]
    while waiting:
        children = waiting.pop().elements
        yield from children
        waiting.extend(child for child in children if child.name != "figure")


def is_block_math(element: HtmlElement) -> bool:
    """Whether an element is a display formula that carries its TeX."""
    is_block = element.name == "math" and element.attributes.get("display") == "block"
    return is_block and bool(tex_of(element))


def _origin(offset: int) -> str:
    return f"html:{offset}"


def _language(element: HtmlElement) -> str:
    """Return the programming language that an element's class names, or an empty string."""
    classes = element.attributes.get("class")
    match = _LANGUAGE.search(classes) if classes else None
    return match[1] if match and match[1] not in _NO_LANGUAGES else ""

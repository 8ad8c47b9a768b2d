"""How Word sets a paragraph: bold type, the size of the font, alignment, the name of its style."""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple
from xml.etree.ElementTree import Element

from treepack.model.typography import Typography
from treepack.readers.docx.styles import Styles, switch, value, whole_number
from treepack.readers.typography import level_of_name

_HALF_POINTS: Final = 20  # Word's own size where a document says nothing
_CENTRED: Final = frozenset({"center", "distribute"})
_LIST_STYLE: Final = "list"  # the names of Word's styles of items begin so


class Look(NamedTuple):
    """How a run of text is set; the size in half points."""

    bold: bool
    size: int


class Fonts:
    """What the runs and paragraphs of a document look like.

    Args:
        root: The root of the styles part, for the document's defaults; it can do without one.
        styles: The document's styles.
    """

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        self._run = root.find("docDefaults/rPrDefault/rPr") if root is not None else None
        self._paragraph = root.find("docDefaults/pPrDefault/pPr") if root is not None else None
        self._by_style: dict[tuple[str, str, bool], Look] = {}
        self._alignments: dict[str, str] = {}

    def look(self, properties: Element | None, style: str) -> Look:
        """How a run is set, by its own properties, its style and that of its paragraph."""
        is_complex = bool(switch(properties, "rtl") or switch(properties, "cs"))
        bold_name, size_name = ("bCs", "szCs") if is_complex else ("b", "sz")
        key = (style, value(properties, "rStyle"), is_complex)
        if key not in self._by_style:
            self._by_style[key] = self._inherited(style, key[1], bold_name, size_name)
        inherited = self._by_style[key]
        own_bold, own_size = switch(properties, bold_name), _size(properties, size_name)
        return Look(inherited.bold if own_bold is None else own_bold, own_size or inherited.size)

    def emphasis(self, properties: Element | None, style: str) -> Literal["strong", "em"] | None:
        """How a run is set apart in a paragraph of a style, if it is."""
        if self.look(properties, style).bold and not self.look(None, style).bold:
            return "strong"
        run_style = self._styles.run_properties(value(properties, "rStyle"))
        said = (switch(one, "i") for one in (properties, *run_style))
        return "em" if next((on for on in said if on is not None), False) else None

    def typography(
        self, properties: Element | None, style: str, looks: Iterable[Look]
    ) -> Typography:
        """How a paragraph is set whose runs of text have these looks."""
        looks = list(looks)
        name = self._styles.shown_name(style)
        return Typography(
            bold=bool(looks) and all(look.bold for look in looks),
            size=min(look.size for look in looks) / 2 if looks else None,
            centred=self._alignment(properties, style) in _CENTRED,
            level=level_of_name(name) if name else None,
            style=None if name.casefold().startswith(_LIST_STYLE) else name or None,
        )

    def _alignment(self, properties: Element | None, style: str) -> str:
        if own := value(properties, "jc"):
            return own
        if style not in self._alignments:
            held = (*self._styles.paragraph_properties(style), self._paragraph)
            self._alignments[style] = next(
                (found for one in held if (found := value(one, "jc"))), ""
            )
        return self._alignments[style]

    def _inherited(self, style: str, run_style: str, bold: str, size: str) -> Look:
        """What the styles say; bold on bold is not bold (ISO/IEC 29500-1, 17.7.3)."""
        chains = [list(self._styles.run_properties(name)) for name in (run_style, style)]
        switches = [
            next((on for one in chain if (on := switch(one, bold)) is not None), False)
            for chain in chains
        ]
        is_bold = bool(switch(self._run, bold)) or switches[0] != switches[1]
        held = (*chains[0], *chains[1], self._run)
        found = next((points for one in held if (points := _size(one, size))), None)
        return Look(is_bold, found or _HALF_POINTS)


def _size(properties: Element | None, name: str) -> int | None:
    """A size in half points; None where none is set, or one that no text can have."""
    size = whole_number(value(properties, name))
    return size if size is not None and size > 0 else None

"""Bar charts in SVG, which are simple enough to need no package."""

from collections.abc import Mapping
from html import escape

ROW, LEFT, WIDTH = 24, 240, 480  # pixels


def bars(values: Mapping[str, float], title: str) -> str:
    """Return a complete SVG file with one bar for each value, the smallest at the top."""
    ordered = sorted(values.items(), key=lambda item: item[1])
    longest = ordered[-1][1]
    height = ROW * (len(ordered) + 2)
    size = f'width="{LEFT + WIDTH + 60}" height="{height}"'
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="13">',
        f'<text x="0" y="16" font-weight="bold">{escape(title)}</text>',
    ]
    for number, (name, value) in enumerate(ordered, 1):
        y, length = ROW * number + 6, WIDTH * value / longest
        colour = "#2a6f97" if name.startswith("treepack") else "#9aa5b1"
        drawn += [
            f'<text x="{LEFT - 8}" y="{y + 13}" text-anchor="end">{escape(name)}</text>',
            f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{ROW - 6}" fill="{colour}"/>',
            f'<text x="{LEFT + length + 6:.1f}" y="{y + 13}">{value:.2f}</text>',
        ]
    return "\n".join([*drawn, "</svg>\n"])

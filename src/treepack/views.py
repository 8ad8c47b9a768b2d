"""What rooms above the chunks make of them: the report page, an Arrow table.

`Chunks` offers both as methods and knows neither room. ``treepack/__init__.py``, which stands above
all rooms, registers them here.
"""

from collections.abc import Callable
from typing import Any, Final

_MAKERS: Final[dict[str, Callable[..., Any]]] = {}


def register_view(name: str, maker: Callable[..., Any]) -> None:
    """Say what makes a view of chunks; the maker imports what it needs when it is called."""
    _MAKERS[name] = maker


def view_of(name: str) -> Callable[..., Any]:
    """The maker of a view.

    Raises:
        KeyError: Nobody registered it; ``import treepack`` does.
    """
    return _MAKERS[name]

"""A registry of views of chunks that later packages make: the report, the audit, an Arrow table.

`Chunks` offers them as methods but must not import those packages. ``treepack/__init__.py``, which
may import every package, registers them here.
"""

from collections.abc import Callable
from typing import Any, Final

_MAKERS: Final[dict[str, Callable[..., Any]]] = {}


def register_view(name: str, maker: Callable[..., Any]) -> None:
    """Register the function that makes a view; it imports what it needs when it is called."""
    _MAKERS[name] = maker


def view_of(name: str) -> Callable[..., Any]:
    """Return the function that makes a view.

    Raises:
        KeyError: No such view is registered; ``import treepack`` registers all.
    """
    return _MAKERS[name]

"""What is said when a framework is not installed."""

from treepack.errors import MissingExtraError


def missing(error: ModuleNotFoundError, roots: set[str], name: str, extra: str) -> Exception:
    """The error to raise when an import failed.

    Args:
        error: Why it failed.
        roots: The top-level packages that the extra brings.
        name: What needs them.
        extra: The extra's name.

    Returns:
        An error that names the extra; the error itself when something else is missing, so that a
        broken framework does not pass for one that is not installed.
    """
    if error.name is None or error.name.partition(".")[0] not in roots:
        return error
    return MissingExtraError(f'{name} needs its extra: pip install "treepack[{extra}]"')

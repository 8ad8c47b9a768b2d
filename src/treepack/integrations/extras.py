"""The error for a framework that is not installed."""

from treepack.errors import MissingExtraError


def missing_extra(error: ModuleNotFoundError, roots: set[str], user: str, extra: str) -> Exception:
    """Return the error to raise when an import failed.

    Args:
        error: The error of the import.
        roots: The top-level packages that the extra installs.
        user: What needs these packages.
        extra: The extra's name.

    Returns:
        An error that names the extra. If another package is missing, it is ``error`` itself, so
        that a broken framework is not reported as one that is not installed.
    """
    if error.name is None or error.name.partition(".")[0] not in roots:
        return error
    return MissingExtraError(f'{user} needs its extra: pip install "treepack[{extra}]"')

"""The error for a framework that is not installed."""

from treepack.errors import needs_extra


def missing_extra(error: ModuleNotFoundError, roots: set[str], user: str, extra: str) -> Exception:
    """Return an error that names the extra which a user of some top-level packages needs.

    If another package is missing, it is ``error`` itself, so that a broken framework is not
    reported as one that is not installed.
    """
    if error.name is None or error.name.partition(".")[0] not in roots:
        return error
    return needs_extra(user=user, extra=extra)

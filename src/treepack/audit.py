"""``from treepack.audit import audit`` for those who knew the room by its first name.

The laws are in `treepack.laws`. Importing this module sets ``treepack.audit``, which is a function
elsewhere, to the module: it can be called as well, so that both ways work in one process.
"""

import sys
from types import ModuleType

from treepack.laws import LAWS, AuditReport, Finding, LawResult, audit

__all__ = ["LAWS", "AuditReport", "Finding", "LawResult", "audit"]


class _CallableModule(ModuleType):
    __call__ = staticmethod(audit)


sys.modules[__name__].__class__ = _CallableModule

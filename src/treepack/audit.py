"""Keeps ``from treepack.audit import audit`` working: `treepack.laws` was once called ``audit``.

Importing this module replaces the function ``treepack.audit`` with the module. The module can
therefore be called like the function, so that both uses work in one process.
"""

import sys
from types import ModuleType

from treepack.laws import LAWS, AuditReport, Finding, LawResult, audit

__all__ = ["LAWS", "AuditReport", "Finding", "LawResult", "audit"]


class _CallableModule(ModuleType):
    __call__ = staticmethod(audit)


sys.modules[__name__].__class__ = _CallableModule

"""Work measured by counting: a clock's figures depend on the machine, these do not."""

import cProfile
import gc
import pstats
from collections.abc import Callable


def calls(work: Callable[[], object]) -> int:
    """Calls of functions, those written in C too."""
    profile = cProfile.Profile()
    gc.disable()  # a collection would call finalizers of other tests
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
        gc.enable()
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]

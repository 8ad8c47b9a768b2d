"""Work measured in function calls, which do not depend on the machine as times do."""

import cProfile
import gc
import pstats
from collections.abc import Callable


def calls(work: Callable[[], object]) -> int:
    """Count the function calls that some work makes, including functions written in C."""
    profile = cProfile.Profile()
    gc.disable()  # a collection would call finalizers of other tests
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
        gc.enable()
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]

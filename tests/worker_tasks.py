"""Tokenizers for the tests' workers, in a module of their own: a new process imports it by name."""

import os
import re
import signal
import time
from pathlib import Path

_ORDER = re.compile(r"(kill|exit) with (\d+)")


def obedient(text: str) -> int:
    """Count characters, but obey a text that says ``kill with 9`` or ``exit with 3``."""
    if order := _ORDER.search(text):
        if order[1] == "exit":
            os._exit(int(order[2]))
        os.kill(os.getpid(), int(order[2]))
        time.sleep(60)
    return len(text)


def mortal(text: str) -> int:
    """Count characters, but once, at a text that names a file which is there: remove it and die."""
    for path in re.findall(r"/\S+", text):
        if Path(path).is_file():
            Path(path).unlink()
            os.kill(os.getpid(), signal.SIGKILL)
    return len(text)

"""What workers of the tests do. In a module of its own: a new process imports it by name."""

import os
import signal
import threading
import time


def dies_of(number: int) -> int:
    """Zero is nothing to die of; the others are signals."""
    if number:
        os.kill(os.getpid(), number)
        time.sleep(60)
    return os.getpid()


def dies_while_it_answers(size: int) -> bytes:
    """No pipe holds so much: the process is still writing when it dies."""
    kill = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGKILL))
    if size:
        kill.start()
    return bytes(size)


def exits(status: int) -> None:
    """End the process at once."""
    os._exit(status)


def cannot_be_sent(_: int) -> object:
    """A result that no pickle can hold."""
    return lambda: None

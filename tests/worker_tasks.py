"""Tasks of the tests' workers, in a module of their own: a new process imports it by name."""

import os
import signal
import threading
import time


def die_by_signal(number: int) -> int:
    """Kill this process with the signal of this number; for zero, return the process id."""
    if number:
        os.kill(os.getpid(), number)
        time.sleep(60)
    return os.getpid()


def die_while_answering(size: int) -> bytes:
    """Return more than a pipe holds: the process is still writing when it is killed."""
    kill = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGKILL))
    if size:
        kill.start()
    return bytes(size)


def exit_with_status(status: int) -> None:
    """End the process at once."""
    os._exit(status)


def return_what_cannot_be_pickled(_: int) -> object:
    """Return a result that cannot be pickled."""
    return lambda: None

"""What a command writes to a pseudo-terminal."""

import os
import subprocess
import sys

import pytest


def on_terminal(*words: str, columns: int = 80, rows: int = 24, may_fail: bool = False) -> str:
    """Return what the command sends to a terminal of this size, to both of its streams."""
    pty, termios = pytest.importorskip("pty"), pytest.importorskip("termios")
    leader, follower = pty.openpty()
    termios.tcsetwinsize(follower, (rows, columns))
    command = [sys.executable, "-m", "treepack", *words]
    with subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower) as process:
        os.close(follower)
        data = b""
        while part := _read(leader):
            data += part
        os.close(leader)
        assert 0 == process.wait() or may_fail
    return data.decode()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65_536)
    except OSError:  # the end of the stream on Linux
        return b""

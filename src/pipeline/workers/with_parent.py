"""A process that does not outlive the one that started it, however that ended."""

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1
"""`prctl(2)`: the signal that the kernel sends to this process when the thread that started it ends."""


def end_with_parent() -> None:
    """Has this process killed when its parent ends. On Linux alone; elsewhere it ends when its pipes are closed.

    A page that takes minutes would keep a worker going long after nobody waits for it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

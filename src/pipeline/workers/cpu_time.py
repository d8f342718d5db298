"""The time that a process has had a processor: on a busy machine a page waits, and that says nothing of it."""

import math
import os
from pathlib import Path


def cpu_seconds(pid: int) -> float:
    """Seconds of processor time that a process has used. Infinite where that cannot be known, as off Linux."""
    try:
        # `pid (name) state ...`, and a name may hold blanks and parentheses; utime and stime are fields 14 and 15.
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return math.inf

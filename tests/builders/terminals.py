"""Real terminals: what a command writes to one, and what stands there."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from verdicts.commands import cli

STYLES = re.compile(r"\x1b\[[0-9;]*m")
"""What rich writes for bold and colours."""


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """A terminal as standard output and standard error; what was written to it, once the context has ended."""
    ours, theirs = pty.openpty()
    written: list[bytes] = []
    reader = threading.Thread(target=lambda: written.extend(_chunks(ours)))
    reader.start()
    with os.fdopen(theirs, "w", encoding="utf-8") as stream, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        patch.setattr(sys, "stderr", stream)
        yield written
    reader.join()
    os.close(ours)


def seen(monkeypatch: pytest.MonkeyPatch, *call: str | Path, columns: int = 100, lines: int = 50) -> str:
    """What a command leaves on a terminal of that size, without bold and colours. It runs in this process."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(lines))
    monkeypatch.setattr(sys, "argv", ["verdicts", *map(str, call)])
    with terminal(monkeypatch) as written:
        cli._run()
    return _plain(written)


def seen_in_a_process(*call: str | Path, cwd: Path, columns: int) -> str:
    """The same of a process of its own, which asks the terminal how wide it is."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    command = [sys.executable, "-m", "verdicts", *map(str, call)]
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "PAGER")}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd, env=environment)
    os.close(theirs)
    written = list(_chunks(ours))
    process.wait(60)
    os.close(ours)
    return _plain(written)


def _chunks(end: int) -> Iterator[bytes]:
    try:
        while chunk := os.read(end, 1 << 16):
            yield chunk
    except OSError:
        return  # the other end is closed


def _plain(written: list[bytes]) -> str:
    return STYLES.sub("", b"".join(written).decode().replace("\r\n", "\n"))

"""The program that shows what is longer than the terminal: VERDICTS_PAGER names it, else PAGER; else there is none."""

import os
import shlex
import signal
import subprocess
from contextlib import suppress


def pager() -> list[str] | None:
    """The call of the pager that is set; None where none is, or an empty one, or `cat`, which is none."""
    call = shlex.split(os.environ.get("VERDICTS_PAGER", os.environ.get("PAGER", "")))
    return None if call in ([], ["cat"]) else call


def page(text: str, call: list[str]) -> bool:
    """Shows `text` in a pager until that is left. False where it cannot be started."""
    # What git sets: end at once what fits, colours, and leave the text on the screen.
    environment = {"LESS": "FRX"} | os.environ
    try:
        process = subprocess.Popen(call, stdin=subprocess.PIPE, env=environment, encoding="utf-8")  # noqa: S603
    except OSError:
        return False
    # Ctrl-C is the pager's: in less it ends a search.
    ours = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with suppress(BrokenPipeError):
            process.communicate(text)
    finally:
        process.wait()
        signal.signal(signal.SIGINT, ours)
    return True

"""Runs a coroutine, and lets it end in order when a signal arrives.

asyncio logs and drops an exception that a signal handler raises inside a callback. So a signal cancels the main task,
as `asyncio.run` does for SIGINT only. After the loop is closed, the signal goes to the handler that was there before.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

R = TypeVar("R")

LOOP_FILES = 8
"""Files that an event loop and its first connection open. A loop that cannot open them prints a traceback."""

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def signals_to(react: Callable[[int], object]) -> Iterator[None]:
    """Calls `react` for each signal of `ENDING` that is not ignored; at the end the former handlers are back."""
    former = {number: handler for number in ENDING if (handler := signal.getsignal(number)) is not signal.SIG_IGN}
    try:
        for number in former:
            signal.signal(number, lambda number, _frame: react(number))
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def run(coroutine: Coroutine[Any, Any, R]) -> R:
    """Runs the coroutine. A signal raises what its former handler raises. Raises `OSError` without free files."""
    try:
        _check_files()
    except OSError:
        coroutine.close()
        raise
    if threading.current_thread() is not threading.main_thread():
        return asyncio.run(coroutine)
    received: list[int] = []
    runner = asyncio.Runner()
    loop = runner.get_loop()
    task = loop.create_task(coroutine)

    def cancel(number: int) -> None:
        received.append(number)
        if not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)

    try:
        with signals_to(cancel), runner:
            return loop.run_until_complete(task)
    finally:
        if received:
            _deliver(received[0])


def _check_files() -> None:
    with ExitStack() as stack:
        for _ in range(LOOP_FILES):
            stack.callback(os.close, os.open(os.devnull, os.O_RDONLY))


def _deliver(number: int) -> None:
    handler = signal.getsignal(number)
    if callable(handler):
        handler(number, None)
    else:
        signal.raise_signal(number)

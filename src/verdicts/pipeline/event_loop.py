"""Runs a coroutine, and lets it end in order when a signal arrives.

asyncio logs and drops an exception that a signal handler raises inside a callback. So a signal cancels the main task,
as `asyncio.run` does for SIGINT only; then it goes to the handler that was there before.
"""

import asyncio
import signal
import threading
from collections.abc import Coroutine
from types import FrameType
from typing import Any, TypeVar

R = TypeVar("R")

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(coroutine: Coroutine[Any, Any, R]) -> R:
    """Runs the coroutine. A signal that is not ignored raises what its former handler raises."""
    if threading.current_thread() is not threading.main_thread():
        return asyncio.run(coroutine)
    received: list[int] = []
    former = {number: handler for number in ENDING if (handler := signal.getsignal(number)) is not signal.SIG_IGN}
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        task = loop.create_task(coroutine)

        def cancel(number: int, _frame: FrameType | None) -> None:
            received.append(number)
            loop.call_soon_threadsafe(task.cancel)

        try:
            for number in former:
                signal.signal(number, cancel)
            return loop.run_until_complete(task)
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)
            if received and callable(handler := former[signal.Signals(received[0])]):
                handler(received[0], None)
            elif received:
                signal.raise_signal(received[0])

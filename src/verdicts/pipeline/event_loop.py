"""Runs a coroutine, and lets it end in order when a signal arrives.

asyncio logs and drops an exception that a signal handler raises inside a callback. So what the handler raises is kept,
the main task is cancelled, as `asyncio.run` does for SIGINT only, and the exception is raised at the end.
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
    """Runs the coroutine. A signal with a handler raises what that handler raises."""
    if threading.current_thread() is not threading.main_thread():
        return asyncio.run(coroutine)
    raised: list[BaseException] = []
    former = {number: handler for number in ENDING if callable(handler := signal.getsignal(number))}
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        task = loop.create_task(coroutine)

        def cancel(number: int, frame: FrameType | None) -> None:
            try:
                former[signal.Signals(number)](number, frame)
            except BaseException as error:
                raised.append(error)
                loop.call_soon_threadsafe(task.cancel)

        try:
            for number in former:
                signal.signal(number, cancel)
            return loop.run_until_complete(task)
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)
            if raised:
                raise raised[0]

"""Runs a coroutine; a signal that ends the process lets it end in order first.

An exception that a handler raises inside a callback of the loop would be logged and lost. So a signal cancels the main
task, as `asyncio.run` does for SIGINT alone; once the loop is closed it goes to the handler that was there before.
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
    """What the coroutine returns. A signal raises what its former handler raises."""
    if threading.current_thread() is not threading.main_thread():
        return asyncio.run(coroutine)
    received: list[int] = []
    tasks: list[asyncio.Task[R]] = []

    def cancel(number: int, _frame: FrameType | None) -> None:
        received.append(number)
        for task in tasks:
            loop = task.get_loop()
            if not loop.is_closed():
                loop.call_soon_threadsafe(task.cancel)

    async def cancellable() -> R:
        task = asyncio.current_task()
        assert task is not None
        tasks.append(task)
        if received:
            task.cancel()
        return await coroutine

    former = {number: handler for number in ENDING if (handler := signal.getsignal(number)) is not signal.SIG_IGN}
    try:
        for number in former:
            signal.signal(number, cancel)
        return asyncio.run(cancellable())
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
        if received:
            _deliver(received[0])


def _deliver(number: int) -> None:
    handler = signal.getsignal(number)
    if callable(handler):
        handler(number, None)
    else:
        signal.raise_signal(number)

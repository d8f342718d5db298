"""The process of a flow run: its end, and the log of the run."""

import logging
import os
import select
import signal
import sys
import threading
import time
from contextlib import suppress

from prefect.context import FlowRunContext, TaskRunContext
from prefect.logging.handlers import APILogHandler

from verdicts.pipeline.terminal import silent_at_the_end

GRACE_S = 6.0
"""Seconds for a cancelled run to end in order. With one or two seconds of the worker, it is gone within 10 s."""

LOOKS_EVERY_S = 1.0
"""Seconds between checks of the parent process."""

ENDING = (signal.SIGINT, signal.SIGTERM)

_is_watched = threading.Lock()


def is_own_process() -> bool:
    """Whether Prefect started this process for a run. False if a command calls a flow."""
    return "PREFECT__FLOW_RUN_ID" in os.environ


def end_soon_and_quietly() -> None:
    """Ends the process within GRACE_S of a signal or of its parent's death, without extra output.

    Prefect's handler raises in the main thread, which a call of DuckDB or polars may block. The worker would then kill
    it after 30 s. The data folder survives that like `kill -9`.
    """
    if not is_own_process() or not _is_watched.acquire(blocking=False):
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reading, os.getppid()), name="signals", daemon=True).start()
    silent_at_the_end()


def _watch(reading: int, parent: int) -> None:
    while not select.select([reading], [], [], LOOKS_EVERY_S)[0]:
        if os.getppid() != parent:
            # The parent, `verdicts serve`, was killed with its server, so nobody knows of this run.
            os.kill(os.getpid(), signal.SIGTERM)
    while (number := os.read(reading, 1)[0]) not in ENDING:
        pass
    time.sleep(GRACE_S)
    with suppress(OSError):
        name = signal.Signals(number).name
        os.write(sys.stderr.fileno(), f"verdicts: ended by {name}; what was finished is kept\n".encode())
    os._exit(128 + number)


LOGGERS = ("verdicts", "fetch")

END = logging.getLogger("verdicts.end")
"""The result of a run. If a person called the flow, the command prints it."""

PREFECTS = ("prefect.engine", "prefect.flow_runs", "prefect.task_runs")
"""Prefect logs `Finished in state Completed()` after each task, and 80 lines for a mistyped key. The state says it."""


def keep_in_run() -> None:
    """Sends the program's log to the current flow or task run.

    Warnings and errors also stay on standard error.
    """
    for name in PREFECTS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(logging.INFO)
        # Prefect's root handlers would print each line again.
        logger.propagate = False
        if any(isinstance(handler, APILogHandler) for handler in logger.handlers):
            continue
        on_stderr = logging.StreamHandler()
        on_stderr.setLevel(logging.WARNING)
        on_stderr.addFilter(lambda record: record.name != END.name or is_own_process())
        in_run = APILogHandler()
        # Outside of runs it warns: `Logger 'verdicts.end' attempted to send logs to the API without a flow run id`.
        in_run.addFilter(lambda _: bool(FlowRunContext.get() or TaskRunContext.get()))
        for handler in (in_run, on_stderr):
            logger.addHandler(handler)

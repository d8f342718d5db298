"""How a flow run ends: its state follows from the exit code, and its message says the result.

| exit code | state |
|---|---|
| 0 | `Completed` |
| 2 | `Completed`, named `Partial` |
| 3 | `Failed`, named `Held back` |
| 4 | `Failed`, named `Refused`: another run holds the data folder |
| others | `Failed` |
| 129, 130, 143 | `Cancelled`: a signal ended it in order, sent by a worker whose run was cancelled, or by anyone else |

A bug is `Failed` as Prefect has it, with the traceback in the log.

A flow that returned a word would be `Completed` whatever the word says.
"""

import logging
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from prefect.client.schemas.objects import State
from prefect.context import FlowRunContext, TaskRunContext
from prefect.exceptions import TerminationSignal
from prefect.logging.handlers import APILogHandler
from prefect.states import Cancelled, Completed, Failed

from verdicts.fetch.model.errors import StoreLocked
from verdicts.pipeline.errors import Interrupted
from verdicts.pipeline.exit_codes import HELD_BACK, LOCKED, PARTIAL, exit_code, message
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


FAILURES = {HELD_BACK: "Held back", LOCKED: "Refused"}

TRIES_EVERY_S = 5.0
"""Seconds between attempts to lock the data folder."""


SIGNALLED = "ended by a signal; what was finished is kept, and the next run goes on from there"


def ended(status: str, says: str) -> State[str]:
    """The state of a finished run. Its result is the status."""
    name = None if status == "done" else "Partial"
    code = "" if status == "done" else f" (exit code {PARTIAL})"
    return Completed(name=name or "Completed", message=f"{says}{code}", data=status)


def state_of(
    work: Callable[[], State[Any]], *, wait_minutes: float = 0, refused: Callable[[StoreLocked], None] | None = None
) -> State[Any]:
    """The state that `work` returns, or that of its failure. Raises a bug. Logs the message.

    `wait_minutes` is how long to wait for another run on the data folder. With zero the run is refused at once, and
    `refused` is called.
    """
    try:
        state = _awaited(work, 60 * wait_minutes)
        level = logging.WARNING if state.name == "Partial" else logging.INFO
    except (TerminationSignal, Interrupted, KeyboardInterrupt) as signalled:
        # Prefect would call it crashed or cancelled, depending on the step.
        state, level = Cancelled(message=SIGNALLED, data=signalled), logging.WARNING
    except Exception as error:
        code = exit_code(error)
        if code is None:
            END.exception("failed, a bug of this program")
            raise
        if isinstance(error, StoreLocked) and refused is not None:
            refused(error)
        name = FAILURES.get(code, "Failed")
        state, level = Failed(name=name, message=f"{message(error)} (exit code {code})", data=error), logging.ERROR
    END.log(level, "%s: %s", (state.name or "").lower(), state.message)
    return state


def _awaited(work: Callable[[], State[Any]], seconds: float) -> State[Any]:
    waits_until = time.monotonic() + seconds
    waits_for: str | None = None
    while True:
        try:
            return work()
        except StoreLocked as error:
            if time.monotonic() >= waits_until:
                raise
            if waits_for != (waits_for := message(error)):
                END.info("waits: %s", waits_for)
            time.sleep(TRIES_EVERY_S)


def status_of(state: State[Any]) -> str:
    """The final status of a run in this process. Raises its error."""
    # Prefect wraps the value. `State.result()` would start a thread that outlives the process.
    value = getattr(state.data, "result", state.data)
    if isinstance(value, BaseException):
        raise value
    return str(value)

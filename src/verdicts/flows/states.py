"""How a run of the night ends in Prefect: its state follows from the exit code, and its message is the result.

| exit code | state |
|---|---|
| 0 | `Completed` |
| 2 | `Completed`, named `Partial` |
| 3 | `Failed`, named `Held back` |
| 4 | `Failed`, named `Refused`: another run holds the data folder |
| others | `Failed` |
| 129, 130, 143 | `Cancelled`: a signal ended it in order, sent by a worker whose run was cancelled, or by anyone else |
| killed | `Crashed`, which the next run or the next start of the schedule sets |

A bug is `Failed` as Prefect has it, with the traceback in the log.
"""

import logging
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from uuid import UUID

from prefect.artifacts import create_markdown_artifact
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId
from prefect.client.schemas.objects import State
from prefect.context import FlowRunContext, TaskRunContext
from prefect.exceptions import ObjectNotFound, TerminationSignal
from prefect.logging.handlers import APILogHandler
from prefect.states import Cancelled, Completed, Crashed, Failed

from verdicts.fetch.store.state import hold, holder_of
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import Interrupted
from verdicts.pipeline.exit_codes import HELD_BACK, LOCKED, PARTIAL, exit_code, message
from verdicts.pipeline.nights.kept_reports import newest_report
from verdicts.pipeline.nights.night_log import NightProgress
from verdicts.pipeline.progress import say
from verdicts.pipeline.terminal import silent_at_the_end

RESULT = logging.getLogger("verdicts.end")
"""The result of a run. If a person started the run, the command prints it."""

FAILURES = {HELD_BACK: "Held back", LOCKED: "Refused"}

SIGNALLED = "ended by a signal; what was finished is kept, and the next run goes on from there"
KILLED = "killed; what was finished is kept, and the next run goes on from there"

final_states: list[State[str]] = []
"""The final states of the nights of this process, whether Prefect could record them or not."""


def end_in_state(night: Callable[[], NightProgress]) -> State[str]:
    """Runs a night. Returns the state that its exit code asks for, and logs it. Raises a bug."""
    level = logging.INFO
    state: State[str]
    try:
        status, result = night().result
        if status == "done":
            state = Completed(message=result, data=status)
        else:
            level = logging.WARNING
            state = Completed(name="Partial", message=f"{result} (exit code {PARTIAL})", data=status)
    except (TerminationSignal, Interrupted, KeyboardInterrupt) as signalled:
        # Prefect would call it crashed or cancelled, depending on the step.
        level, state = logging.WARNING, Cancelled(message=SIGNALLED, data=signalled)
    except Exception as error:
        code = exit_code(error)
        if code is None:
            RESULT.exception("failed, a bug of this program")
            final_states.append(Failed(data=error))
            raise
        level, name = logging.ERROR, FAILURES.get(code, "Failed")
        state = Failed(name=name, message=f"{message(error)} (exit code {code})", data=error)
    final_states.append(state)
    RESULT.log(level, "%s: %s", (state.name or "").lower(), state.message)
    return state


def status_of(state: State[str]) -> str:
    """The final status of a run in this process. Raises its error."""
    # Prefect wraps the value. `State.result()` would start a thread that outlives the process.
    value = getattr(state.data, "result", state.data)
    if isinstance(value, BaseException):
        raise value
    return str(value)


def keep_report(folder: DataFolder, began_at: float) -> None:
    """Keeps a report written since then as an artifact of the run. Failing to keep it fails nothing."""
    try:
        newest = newest_report(folder)
        if newest is not None and newest.stat().st_mtime >= began_at:
            text = newest.read_text(encoding="utf-8")
            create_markdown_artifact(text, key="night-report", description=f"The report of night {newest.stem}")
    except Exception as error:
        # The night is done, whatever fails in server or client.
        say(f"the report could not be kept as an artifact: {type(error).__name__}: {message(error)}")


_held = ExitStack()
"""Locks of this process's runs, until it ends: only then does Prefect have their final states."""


def note_run(folder: DataFolder) -> None:
    """Locks a file named by this run, so that others see whether it lives. Ends the killed ones."""
    context = FlowRunContext.get()
    if context is not None and context.flow_run is not None:
        end_killed_runs(folder)
        runs = folder.prefect / "runs"
        runs.mkdir(mode=0o700, parents=True, exist_ok=True)
        _held.enter_context(hold(runs / str(context.flow_run.id), "flow run"))


def end_killed_runs(folder: DataFolder) -> None:
    """Marks runs of killed processes as crashed: Prefect believes that they run, and makes the next one wait.

    Failing to do so fails nothing.
    """
    crashed: State[None] = Crashed(message=KILLED)
    try:
        for file in (folder.prefect / "runs").glob("*"):
            if holder_of(file) is not None:
                continue
            with get_client(sync_client=True) as client, suppress(ObjectNotFound):
                run = client.read_flow_run(UUID(file.name))
                if run.state is not None and not run.state.is_final():
                    of_run = FlowRunFilter(id=FlowRunFilterId(any_=[run.id]))
                    for task in client.read_task_runs(flow_run_filter=of_run):
                        if task.state is not None and not task.state.is_final():
                            client.set_task_run_state(task.id, crashed, force=True)
                    client.set_flow_run_state(run.id, crashed, force=True)
            file.unlink(missing_ok=True)
    except Exception as error:
        say(f"a killed run could not be marked as crashed: {type(error).__name__}: {message(error)}")


PREFECTS = ("prefect.engine", "prefect.flow_runs", "prefect.task_runs")
"""Prefect logs `Finished in state Completed()` after each task, and 80 lines for a mistyped key. The state says it."""


def keep_log() -> None:
    """Sends the program's log to the current flow or task run. Warnings and errors also stay on standard error."""
    for name in PREFECTS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    for name in ("verdicts", "fetch"):
        logger = logging.getLogger(name)
        logger.setLevel(logging.INFO)
        # Prefect's root handlers would print each line again.
        logger.propagate = False
        if any(isinstance(handler, APILogHandler) for handler in logger.handlers):
            continue
        on_stderr = logging.StreamHandler()
        on_stderr.setLevel(logging.WARNING)
        on_stderr.addFilter(lambda record: record.name != RESULT.name or is_own_process())
        in_run = APILogHandler()
        # Outside of runs it warns: `Logger 'verdicts.end' attempted to send logs to the API without a flow run id`.
        in_run.addFilter(lambda _: bool(FlowRunContext.get() or TaskRunContext.get()))
        for handler in (in_run, on_stderr):
            logger.addHandler(handler)


GRACE_S = 6.0
"""Seconds for a cancelled run to end in order. With one or two seconds of the worker, it is gone within 10 s."""

LOOKS_EVERY_S = 1.0
"""Seconds between checks of the parent process."""

_is_watched = threading.Lock()


def is_own_process() -> bool:
    """Whether Prefect started this process for a run. False if a command calls the flow."""
    return "PREFECT__FLOW_RUN_ID" in os.environ


def end_soon_and_quietly() -> None:
    """Ends the process of a run within GRACE_S of a signal or of its parent's death, without extra output.

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
            # The worker was killed, so nobody waits for this run or cancels it.
            os.kill(os.getpid(), signal.SIGTERM)
    while (number := os.read(reading, 1)[0]) not in {signal.SIGINT, signal.SIGTERM}:
        pass
    time.sleep(GRACE_S)
    with suppress(OSError):
        name = signal.Signals(number).name
        os.write(sys.stderr.fileno(), f"verdicts: ended by {name}; what was finished is kept\n".encode())
    os._exit(128 + number)

"""How a run of the night ends in Prefect: its state follows from the exit code, and its message is the result.

| exit code | state |
|---|---|
| 0 | `Completed` |
| 2 | `Completed`, named `Partial` |
| 3 | `Failed`, named `Held back` |
| 4 | `Failed`, named `Refused`: another run holds the data folder |
| others, and a bug | `Failed` |
| 129, 130, 143 | `Cancelled`: a signal ended it in order |
| killed | `Crashed`, which the next run or the next start of the schedule sets |
"""

import logging
import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import datetime
from uuid import UUID

from prefect.artifacts import create_markdown_artifact
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import State
from prefect.context import FlowRunContext
from prefect.exceptions import ObjectNotFound, TerminationSignal
from prefect.logging.handlers import APILogHandler
from prefect.settings import PREFECT_API_URL
from prefect.states import Cancelled, Completed, Crashed, Failed

from verdicts.fetch.store.state import find_holder, hold
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import HELD_BACK, LOCKED, PARTIAL, describe_error, find_exit_code
from verdicts.pipeline.logs import EVENTS, LOGGER
from verdicts.pipeline.nights.record import NightRecord, read_nights
from verdicts.pipeline.nights.report import render_report
from verdicts.pipeline.progress import say
from verdicts.pipeline.terminal import guard_streams

RESULT = LOGGER.getChild("end")

FAILURES = {HELD_BACK: "Held back", LOCKED: "Refused"}

SIGNALLED = "ended by a signal; what was finished is kept, and the next run goes on from there"
KILLED = "killed; what was finished is kept, and the next run goes on from there"


def end_in_state(night: Callable[[], NightRecord]) -> State[None]:
    """Runs a night. Returns the state that its exit code asks for, and logs it. Raises a bug."""
    state: State[None]
    try:
        ended = night()
        state = Completed(message=ended.headline)
        if ended.status != "done":
            state = Completed(name="Partial", message=f"{ended.headline} (exit code {PARTIAL})")
    except (TerminationSignal, KeyboardInterrupt):
        # Prefect would call it crashed or cancelled, depending on the step.
        state = Cancelled(message=SIGNALLED)
    except Exception as error:
        code = find_exit_code(error)
        if code is None:
            RESULT.exception("failed, a bug of this program")
            raise
        state = Failed(name=FAILURES.get(code, "Failed"), message=f"{describe_error(error)} (exit code {code})")
    level = logging.INFO if state.name == "Completed" else logging.WARNING
    RESULT.log(level, "%s: %s", str(state.name).lower(), state.message)
    return state


def find_dead_api() -> str | None:
    """Why Prefect's API cannot be reached, None if it answers or a temporary one will be started."""
    if PREFECT_API_URL.value() is None:
        return None
    with get_client(sync_client=True) as client:
        error = client.api_healthcheck()
    return None if error is None else f"{PREFECT_API_URL.value()}: {error}"


def keep_report(folder: DataFolder, began_at: datetime) -> None:
    """Keeps the report of a night that ended since then as an artifact of the run. Failing to keep it fails nothing."""
    nights = read_nights(folder)
    night = next((night for night in nights if night.ended_at is not None and night.ended_at >= began_at), None)
    if night is None or night.status in {"refused", "interrupted"}:
        return
    try:
        text = render_report(night, nights)[".md"]
        create_markdown_artifact(text, key="night-report", description=f"The report of night {night.night_id}")
    except Exception as error:
        # The night is done, whatever fails in server or client.
        say(f"the report could not be kept as an artifact: {type(error).__name__}: {describe_error(error)}")


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
    """Marks runs of killed processes as crashed: Prefect believes that they run.

    Failing to do so fails nothing.
    """
    crashed: State[None] = Crashed(message=KILLED)
    try:
        for file in (folder.prefect / "runs").glob("*"):
            if find_holder(file) is not None:
                continue
            with get_client(sync_client=True) as client, suppress(ObjectNotFound):
                state = client.read_flow_run(UUID(file.name)).state
                if state is not None and not state.is_final():
                    client.set_flow_run_state(UUID(file.name), crashed, force=True)
            file.unlink(missing_ok=True)
    except Exception as error:
        say(f"a killed run could not be marked as crashed: {type(error).__name__}: {describe_error(error)}")


def keep_log() -> None:
    """Sends the program's log to the current flow or task run. Warnings and errors also stay on standard error."""
    # `Engine execution exited with unexpected exception` and a traceback for each run that is cancelled or fails.
    for name in ("prefect.flow_runs", "prefect.task_runs"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if "PREFECT__FLOW_RUN_ID" in os.environ:
        # The worker that reads the output may be killed.
        guard_streams()
    LOGGER.setLevel(logging.INFO)
    # Prefect's root handlers would print each line again.
    LOGGER.propagate = False
    if not LOGGER.handlers and logging.lastResort is not None:
        LOGGER.addHandler(logging.lastResort)
        LOGGER.addHandler(to_run := APILogHandler())
        to_run.addFilter(lambda record: record.name != EVENTS.name)

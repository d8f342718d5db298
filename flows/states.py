"""How a flow run ends: as the exit code of the command says, with what it came to as the message.

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
import time
from collections.abc import Callable
from typing import Any

from prefect.client.schemas.objects import State
from prefect.exceptions import TerminationSignal
from prefect.states import Cancelled, Completed, Failed

from verdicts.fetch.model.errors import StoreLocked
from verdicts.flows.run_process import END
from verdicts.pipeline.errors import Interrupted
from verdicts.pipeline.exit_codes import HELD_BACK, LOCKED, PARTIAL, exit_code, message

FAILURES = {HELD_BACK: "Held back", LOCKED: "Refused"}

LOOKS_EVERY_S = 5.0
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
            time.sleep(LOOKS_EVERY_S)


def status_of(state: State[Any]) -> str:
    """The final status of a run in this process. Raises its error."""
    # Prefect wraps the value. `State.result()` would start a thread that outlives the process.
    value = getattr(state.data, "result", state.data)
    if isinstance(value, BaseException):
        raise value
    return str(value)

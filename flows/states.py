"""How a flow run ends: as the exit code of the command says, with what it came to as the message.

| exit code | state |
|---|---|
| 0 | `Completed` |
| 2 | `Completed`, named `Partial` |
| 3 | `Failed`, named `Held back` |
| 4 | `Failed`, named `Refused`: another run holds the data folder |
| others | `Failed` |

A flow that returned a word would be `Completed` whatever the word says.
"""

import time
from collections.abc import Callable
from typing import Any

from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from fetch.model.errors import StoreLocked
from pipeline.exit_codes import HELD_BACK, LOCKED, PARTIAL, exit_code, message

FAILURES = {HELD_BACK: "Held back", LOCKED: "Refused"}

LOOKS_EVERY_S = 5.0
"""Between two looks whether the run that holds the data folder has ended."""


def ended(status: str, says: str) -> State[str]:
    """The state of a run that was done; its result is the status."""
    name = None if status == "done" else "Partial"
    code = "" if status == "done" else f" (exit code {PARTIAL})"
    return Completed(name=name or "Completed", message=f"{says}{code}", data=status)


def state_of(
    work: Callable[[], State[Any]], *, wait_minutes: float = 0, refused: Callable[[StoreLocked], None] | None = None
) -> State[Any]:
    """The state that `work` returns, or the one of its failure. A bug is raised, and keeps its traceback.

    `wait_minutes`: how long to wait for another run that holds the data folder. Zero: this run is refused, which
    `refused` is told.
    """
    waits_until = time.monotonic() + 60 * wait_minutes
    while True:
        try:
            return work()
        except Exception as error:
            code = exit_code(error)
            if code is None:
                raise
            if isinstance(error, StoreLocked) and time.monotonic() < waits_until:
                time.sleep(LOOKS_EVERY_S)
                continue
            if isinstance(error, StoreLocked) and refused is not None:
                refused(error)
            name = FAILURES.get(code, "Failed")
            return Failed(name=name, message=f"{message(error)} (exit code {code})", data=error)


def status_of(state: State[Any]) -> str:
    """The status that a run in this process ended with. Raises what it failed on."""
    # Prefect wraps what the flow gave; `State.result()` would leave a thread behind that outlives the process's end.
    value = getattr(state.data, "result", state.data)
    if isinstance(value, BaseException):
        raise value
    return str(value)

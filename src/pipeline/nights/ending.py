"""How a night ended, in a record that everything that tells of it is made from."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from verdicts.fetch.model.errors import StoreLocked
from verdicts.pipeline.exit_codes import DONE, HELD_BACK, PARTIAL, USAGE, exit_code, message

NightStatus: TypeAlias = Literal["done", "partial", "held", "failed", "refused", "interrupted"]
"""Partial: readers have the night, without some addresses or steps. Held: a gate kept back hosts, or everything.
Refused: another run held the data folder, and nothing was begun. Interrupted: by a signal or a cancellation."""


@dataclass(slots=True)
class NightProgress:
    """How far a night has come: what is told of it where it comes no further."""

    begin: Callable[[], None]
    """Called once the data folder is held."""
    status: NightStatus = "done"
    headline: str = ""
    in_part: str = ""
    crawl_id: str | None = None
    load_id: str | None = None
    published: str | None = None
    """Name of the copy that readers have from this night."""


@dataclass(frozen=True, slots=True)
class NightEnding:
    """A night that is over. Times are in UTC."""

    night_id: str
    """As that of a run: sortable by time."""
    began_at: datetime
    ended_at: datetime
    status: NightStatus
    exit_code: int | None
    """What `verdicts run` exits with. None: the signal decides."""
    headline: str
    """One sentence: what readers have, or why they have not."""
    crawl_id: str | None = None
    """The crawl of the night; None where it came to no crawl's end. A resumed one is older than the night."""
    load_id: str | None = None
    published: str | None = None
    in_part: str = ""
    """What is missing of a night that readers have, and why; of a held one, too."""


def status_of_failure(error: BaseException) -> tuple[NightStatus, int | None]:
    """Status and exit code of a night that raised."""
    code = exit_code(error)
    if code is None and not isinstance(error, Exception):
        return "interrupted", None
    if isinstance(error, StoreLocked):
        status: NightStatus = "refused"
    else:
        status = "held" if code == HELD_BACK else "failed"
    return status, USAGE if code is None else code


def headline_of_failure(error: BaseException) -> str:
    """The failure in one line, as the command prints it."""
    if exit_code(error) is None and not isinstance(error, Exception):
        return "stopped; what was finished is kept, and the next run goes on"
    if exit_code(error) is None:
        return f"a bug, {type(error).__name__}: {message(error)}; its traceback is in the output of the run"
    return message(error)


def code_of(status: str) -> int:
    """The exit code of a night that raised nothing."""
    return DONE if status == "done" else PARTIAL

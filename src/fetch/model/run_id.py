"""The ids of runs: crawls, ingests and loads."""

import re
import secrets
from datetime import UTC, datetime, timedelta

CLOCKS_DIFFER = timedelta(days=1)
"""How far the date of a page may lie ahead: the clock of whoever wrote it may be ahead, and have another zone."""

_STAMP = "%Y%m%dT%H%M%SZ"
_ID = re.compile(r"(\d{8}T\d{6}Z)-[0-9a-f]{4}")


def new_run_id(moment: datetime, after: str | None = None) -> str:
    """`20261101T013000Z-9f3c`: sortable by time, distinct within a second. `moment` is in UTC.

    Never of an earlier second than `after`, the newest id there is: runs keep their order when the clock is set back.
    """
    newest = _began(after or "")
    if newest is not None:
        moment = moment if moment >= newest else newest + timedelta(seconds=1)
    return f"{moment:{_STAMP}}-{secrets.token_hex(2)}"


def moment_within(run_id: str, moment: datetime) -> datetime:
    """The moment, or when the run began by its id, if that is later.

    After a night under a clock that was ahead, ids stay ahead of the clock. A page of the next night with a date before
    its run's id would be taken for an archived one, older than the page of the night before.
    """
    began = _began(run_id)
    return moment if began is None else max(moment, began)


def _began(run_id: str) -> datetime | None:
    known = _ID.fullmatch(run_id)
    return None if known is None else datetime.strptime(known[1], _STAMP).replace(tzinfo=UTC)

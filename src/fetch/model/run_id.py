"""The ids of runs: crawls, ingests and loads."""

import re
import secrets
from datetime import UTC, datetime, timedelta

_STAMP = "%Y%m%dT%H%M%SZ"
_ID = re.compile(r"(\d{8}T\d{6}Z)-[0-9a-f]{4}")


def new_run_id(moment: datetime, after: str | None = None) -> str:
    """`20261101T013000Z-9f3c`: sortable by time, distinct within a second. `moment` is in UTC.

    Never of an earlier second than `after`, the newest id there is: runs keep their order when the clock is set back.
    """
    known = _ID.fullmatch(after or "")
    if known is not None:
        newest = datetime.strptime(known[1], _STAMP).replace(tzinfo=UTC)
        moment = moment if moment >= newest else newest + timedelta(seconds=1)
    return f"{moment:{_STAMP}}-{secrets.token_hex(2)}"

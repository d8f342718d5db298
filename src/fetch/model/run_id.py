"""The ids of runs: crawls, ingests and loads."""

import secrets
from datetime import datetime


def new_run_id(moment: datetime) -> str:
    """`20261101T013000Z-9f3c`: sortable by time, distinct within a second. `moment` is in UTC."""
    return f"{moment:%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}"

"""The server of `verdicts serve`, quicker to start, and what it has recorded.

Its tables are made as its models say: a hundred migrations take as long as all the rest. None of the services that look
for late runs or old records.
"""

import asyncio
import base64
import json
import os
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any
from unittest.mock import patch

from builders.paths import BUILDERS
from verdicts.flows import server
from verdicts.pipeline.prefect_api import Api, on_port
from verdicts.pipeline.workers.process import end_with_parent

SETTINGS = {
    "PREFECT_SERVER_DATABASE_MIGRATE_ON_START": "false",
    "PREFECT_API_BLOCKS_REGISTER_ON_START": "false",
    "PYTHONPATH": str(BUILDERS.parent),
}


@contextmanager
def prefect_server(home: Path) -> Iterator[Api]:
    """A server with its database in `home`."""
    home.mkdir(parents=True)
    with (
        patch.dict(os.environ, SETTINGS),
        patch.object(server, "PROCESS", __name__),
        server.listening(0) as listening,
    ):
        os.environ.pop("PREFECT_API_URL", None)
        api = on_port(listening.getsockname()[1])
        with server.prefect_server(home, listening, api):
            yield api


BUSY_S = 30.0
"""A server answers 503 while its own services hold its database, on a busy machine for seconds."""


def asked(api: Api, path: str, body: dict[str, Any] | None = None) -> Any:
    """What the API answers: to a POST where there is a body."""
    head = {"Content-Type": "application/json", "Authorization": basic(api)}
    call = urllib.request.Request(f"{api.url}/{path}", None if body is None else json.dumps(body).encode(), head)
    without_proxy = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    gives_up_at = time.monotonic() + BUSY_S
    while True:
        try:
            with without_proxy.open(call, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code != HTTPStatus.SERVICE_UNAVAILABLE or time.monotonic() > gives_up_at:
                raise
            time.sleep(0.2)


def basic(api: Api) -> str:
    """The header that lets somebody in."""
    return f"Basic {base64.b64encode(str(api.auth).encode()).decode()}"


def runs_of(api: Api, kind: str, **filters: Any) -> list[dict[str, Any]]:
    """All `flow_runs` or `task_runs`, in the order in which they began."""
    found = asked(api, f"{kind}/filter", filters)
    return sorted(found, key=lambda run: run["start_time"] or "")


def log_of(api: Api, run: dict[str, Any]) -> list[tuple[str, str]]:
    """Name of the logger and line, in the order in which they were said."""
    chosen = {"logs": {"flow_run_id": {"any_": [run["id"]]}}, "sort": "TIMESTAMP_ASC"}
    return [(line["name"], line["message"]) for line in asked(api, "logs/filter", chosen)]


async def make_tables() -> None:
    from prefect.server.database import provide_database_interface
    from sqlalchemy.schema import CreateIndex, CreateTable

    database = provide_database_interface()
    engine = await database.engine()
    async with engine.begin() as connection:
        for table in database.Base.metadata.sorted_tables:
            await connection.execute(CreateTable(table, if_not_exists=True))
            for index in table.indexes:
                # Some are declared twice.
                await connection.execute(CreateIndex(index, if_not_exists=True))


if __name__ == "__main__":
    end_with_parent()
    asyncio.run(make_tables())
    server.serve(socket.socket(fileno=int(sys.argv[1])))

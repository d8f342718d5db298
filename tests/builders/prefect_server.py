"""A Prefect server on loopback, in a process of its own, and what it has recorded.

Run as a script, it says the port it listens on once it answers.

Its tables are made as its models say: a hundred migrations take as long as all the rest. No page of its own, and none
of the services that look for late runs or old records.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

SETTINGS = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_DATABASE_MIGRATE_ON_START": "false",
    "PREFECT_API_BLOCKS_REGISTER_ON_START": "false",
    "PREFECT_UI_ENABLED": "false",
    "DO_NOT_TRACK": "1",
}


@contextmanager
def prefect_server(home: Path) -> Iterator[str]:
    """A server with its database in `home`; gives the address of its API."""
    env = os.environ | {"PREFECT_HOME": str(home)}
    call = [sys.executable, __file__]
    with subprocess.Popen(call, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            port = server.stdout.readline().strip()
            assert port, "the server ended"
            yield f"http://127.0.0.1:{port}/api"
        finally:
            server.kill()


BUSY_S = 30.0
"""A server answers 503 while its own services hold its database, on a busy machine for seconds."""


def asked(url: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """What the API answers: to a POST where there is a body."""
    head = {"Content-Type": "application/json"}
    call = urllib.request.Request(f"{url}/{path}", None if body is None else json.dumps(body).encode(), head)
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


def runs_of(url: str, kind: str, **filters: Any) -> list[dict[str, Any]]:
    """All `flow_runs` or `task_runs`, in the order in which they began."""
    found = asked(url, f"{kind}/filter", filters)
    return sorted(found, key=lambda run: run["start_time"] or "")


def log_of(url: str, run: dict[str, Any]) -> list[tuple[str, str]]:
    """Name of the logger and line, in the order in which they were said."""
    chosen = {"logs": {"flow_run_id": {"any_": [run["id"]]}}, "sort": "TIMESTAMP_ASC"}
    return [(line["name"], line["message"]) for line in asked(url, "logs/filter", chosen)]


async def serve() -> None:
    import uvicorn
    from prefect.server.api.server import create_app
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
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    await uvicorn.Server(uvicorn.Config(create_app(), log_level="critical")).serve([listening])


if __name__ == "__main__":
    os.environ.pop("PREFECT_API_URL", None)
    os.environ.update(SETTINGS)
    asyncio.run(serve())

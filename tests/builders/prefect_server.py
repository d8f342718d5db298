"""The server of `verdicts serve`, and what it has recorded."""

import base64
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any
from unittest.mock import patch

from verdicts.flows import server
from verdicts.pipeline.prefect_api import Api


@contextmanager
def prefect_server(home: Path) -> Iterator[Api]:
    """A server with its database in `home`, which registers no blocks: that takes seconds."""
    home.mkdir(parents=True)
    with patch.dict(os.environ, {"PREFECT_API_BLOCKS_REGISTER_ON_START": "false"}):
        os.environ.pop("PREFECT_API_URL", None)
        api = server.new_api(0)
        with server.prefect_server(home, api):
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


def tasks_of(api: Api, run: dict[str, Any]) -> list[tuple[str, str]]:
    """Name and state of the tasks of a run."""
    tasks = runs_of(api, "task_runs", flow_runs={"id": {"any_": [run["id"]]}})
    return [(task["name"], task["state_type"]) for task in tasks]


def log_of(api: Api, run: dict[str, Any]) -> list[tuple[str, str]]:
    """Name of the logger and line, in the order in which they were said."""
    chosen = {"logs": {"flow_run_id": {"any_": [run["id"]]}}, "sort": "TIMESTAMP_ASC"}
    return [(line["name"], line["message"]) for line in asked(api, "logs/filter", chosen)]

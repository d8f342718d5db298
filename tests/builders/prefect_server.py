"""The server of `verdicts serve`, and what it has recorded."""

import base64
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from verdicts.flows import prefect_api


class Api(NamedTuple):
    """The address of an API, and its `user:password`."""

    url: str
    auth: str


@contextmanager
def prefect_server(home: Path) -> Iterator[Api]:
    """A server with its database in `home`, which registers no blocks: that takes seconds."""
    home.mkdir(parents=True)
    blocks = {"PREFECT_API_BLOCKS_REGISTER_ON_START": "false"}
    with ExitStack() as until_its_end:
        # What a test calls has its own environment.
        with patch.dict(os.environ, blocks):
            until_its_end.enter_context(prefect_api.prefect_server(home, 0))
        api = read_api(home)
        assert api is not None
        yield api


def read_api(home: Path) -> Api | None:
    """What a service announces in its folder."""
    try:
        lines = (home / prefect_api.SERVED).read_text().splitlines()
    except OSError:
        return None
    return Api(*(line.partition("=")[2] for line in lines)) if len(lines) == len(Api._fields) else None


BUSY_S = 30.0
"""A server answers 503 while its own services hold its database, on a busy machine for seconds."""


def ask_api(api: Api, path: str, body: dict[str, Any] | None = None) -> Any:
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


def list_runs(api: Api, kind: str, **filters: Any) -> list[dict[str, Any]]:
    """All `flow_runs` or `task_runs`, in the order in which they began."""
    found = ask_api(api, f"{kind}/filter", filters)
    return sorted(found, key=lambda run: run["start_time"] or "")


def list_tasks(api: Api, run: dict[str, Any]) -> list[tuple[str, str]]:
    """Name and state of the tasks of a run."""
    tasks = list_runs(api, "task_runs", flow_runs={"id": {"any_": [run["id"]]}})
    return [(task["name"], task["state_type"]) for task in tasks]


def read_log(api: Api, run: dict[str, Any]) -> list[tuple[str, str]]:
    """Name of the logger and line, in the order in which they were said."""
    chosen = {"logs": {"flow_run_id": {"any_": [run["id"]]}}, "sort": "TIMESTAMP_ASC"}
    return [(line["name"], line["message"]) for line in ask_api(api, "logs/filter", chosen)]

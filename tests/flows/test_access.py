"""Who gets at the API of `verdicts serve`, which starts processes: who knows its password, and no page of elsewhere."""

import http.client
import json
import socket
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from builders.prefect_server import asked, basic
from verdicts.flows.server import listening
from verdicts.pipeline.prefect_api import Api

JSON = {"Content-Type": "application/json"}
SOCKETS = ("events/out", "events/in", "logs/out", "task_runs/subscriptions/scheduled", "work_pools/a/workers/connect")


def told(api, method, path, headers=(), body=None):
    """Status, whether a page may read the answer, and the answer. A `Host` that is given is the only one sent."""
    place = urlsplit(api.url).netloc
    with closing(http.client.HTTPConnection(place, timeout=60)) as connection:
        connection.request(method, path, body, {"Host": place} | dict(headers))
        answer = connection.getresponse()
        return answer.status, answer.headers["Access-Control-Allow-Origin"], answer.read()


def place_of(api):
    return api.url.removesuffix("/api")


def test_who_knows_the_password_gets_in_and_the_page_of_the_server_says_how(api):
    known = JSON | {"Authorization": basic(api), "Origin": place_of(api)}
    assert told(api, "POST", "/api/deployments/filter", known, b"{}")[0] == 200
    asks = {"Origin": place_of(api), "Access-Control-Request-Method": "POST"}
    assert told(api, "OPTIONS", "/api/deployments/filter", asks)[:2] == (200, place_of(api))
    settings = json.loads(told(api, "GET", "/ui-settings")[2])
    assert (settings["auth"], settings["api_url"]) == ("BASIC", api.url)


ELSEWHERE = {
    "a page": {"Origin": "http://evil.example"},
    "a page in a sandbox": {"Origin": "null"},
    "another server of this machine": {"Origin": "http://127.0.0.1:1"},
    "the other name of this machine": {"Origin": "http://localhost:{port}"},
    "a name that leads here": {"Host": "evil.example:{port}", "Origin": "http://evil.example:{port}"},
    "a name that leads here, without an origin": {"Host": "evil.example:{port}"},
    "a name like ours": {"Host": "127.0.0.1:{port}.evil.example"},
    "a picture or script": {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "script"},
    "a frame": {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Dest": "iframe"},
}


@pytest.mark.parametrize("headers", ELSEWHERE.values(), ids=ELSEWHERE)
@pytest.mark.parametrize(
    ("method", "path", "more", "body"),
    [
        ("POST", "/api/deployments/filter", JSON, b"{}"),
        ("POST", "/api/flows/", {"Content-Type": "text/plain"}, b'{"name": "evil"}'),
        ("OPTIONS", "/api/deployments/", {"Access-Control-Request-Method": "POST"}, None),
        ("GET", "/api/health", {}, None),
        ("GET", "/ui-settings", {}, None),
        ("GET", "/", {}, None),
    ],
)
@pytest.mark.share(6)
def test_a_page_of_elsewhere_reads_and_does_nothing_even_with_the_password(api, headers, method, path, more, body):
    port = str(urlsplit(api.url).port)
    sent = {name: value.format(port=port) for name, value in headers.items()} | more | {"Authorization": basic(api)}
    status, readable_by, answer = told(api, method, path, sent, body)
    assert (status, readable_by) == (403, None)
    assert answer.startswith((b"pages of other addresses", b"open http://127.0.0.1:"))


@pytest.mark.parametrize("path", SOCKETS)
def test_a_socket_is_for_own_pages_and_who_knows_the_password(api, path):
    assert said(api, path, None, api.auth) == said(api, path, place_of(api), api.auth) == "auth_success"
    assert said(api, path, "http://evil.example", api.auth) is None
    assert [said(api, path, None, token) for token in (None, "verdicts:guessed")] == [None, None]


def said(api, path, origin, token):
    """What the server says first; None where it lets nobody in."""
    address = f"{api.url.replace('http', 'ws', 1)}/{path}"
    try:
        with connect(address, origin=origin, subprotocols=["prefect"], proxy=None) as opened:
            opened.send(json.dumps({"type": "auth", "token": token}))
            return json.loads(opened.recv(60))["type"]
    except WebSocketException:
        return None


RUNS = {
    "name": "nightly",
    "pull_steps": [{"prefect.deployments.steps.run_shell_script": {"script": "touch {evil}"}}],
    "entrypoint": "flows/nightly.py:nightly",
}


def test_another_user_reads_changes_and_starts_nothing(api, tmp_path):
    flow = asked(api, "flows/", {"name": "nightly"})["id"]
    deployment = asked(api, "deployments/", {"name": "nightly", "flow_id": flow})
    command = json.loads(json.dumps(RUNS | {"flow_id": flow}).replace("{evil}", str(tmp_path / "evil")))
    scheduled = {"state": {"type": "SCHEDULED"}}
    tried = [
        ("POST", "/api/deployments/", command),
        ("PATCH", f"/api/deployments/{deployment['id']}", command),
        ("POST", f"/api/deployments/{deployment['id']}/create_flow_run", scheduled),
        ("POST", "/api/flow_runs/", {"flow_id": flow} | scheduled),
        ("POST", "/api/work_pools/", {"name": "evil", "type": "process"}),
        ("DELETE", f"/api/deployments/{deployment['id']}", None),
        ("POST", "/api/logs/filter", {}),
        ("GET", "/api/admin/settings", None),
        ("GET", "/api/health/../admin/version", None),
        ("GET", "/api//admin/version", None),
    ]
    for authorization in ({}, {"Authorization": basic(Api(api.url, "verdicts:"))}, {"Authorization": "Bearer x"}):
        for method, path, body in tried:
            sent = None if body is None else json.dumps(body).encode()
            assert told(api, method, path, JSON | authorization, sent)[0] in {401, 404}, path
    kept = asked(api, f"deployments/{deployment['id']}")
    assert (kept["pull_steps"], kept["updated"]) == (deployment["pull_steps"], deployment["updated"])
    of_it = {"deployments": {"id": {"any_": [deployment["id"]]}}}
    assert asked(api, "flow_runs/filter", of_it) == []
    assert asked(api, "work_pools/filter", {}) == []


def test_nobody_needs_the_password_to_learn_that_the_server_is_there_and_learns_no_more(api):
    assert [told(api, "GET", f"/api/{path}")[2] for path in ("health", "ready")] == [b"true", b'{"message":"OK"}']
    assert [told(api, "POST", f"/api/{path}")[0] for path in ("health", "ready")] == [401, 401]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_password_is_in_no_command_line_and_no_log(api, tmp_path_factory):
    secret = str(api.auth).partition(":")[2].encode()
    lines = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            lines.append(process.read_bytes())
    assert any(b"builders.prefect_server" in line for line in lines)
    assert not any(secret in line for line in lines)
    assert secret not in (tmp_path_factory.getbasetemp() / "api" / "prefect" / "server.log").read_bytes()


def test_the_port_stays_ours_when_the_server_dies():
    with listening(0) as ours, closing(socket.socket()) as others:
        for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
            others.setsockopt(socket.SOL_SOCKET, option, 1)
        with pytest.raises(OSError, match="in use"):
            others.bind(ours.getsockname())


def test_a_service_ends_with_its_server_and_says_where_to_look(tmp_path):
    code = (
        "import subprocess, threading, time; from pathlib import Path; from verdicts.flows import server;"
        " died = subprocess.Popen(['true']);"
        f" server._end_with(died, threading.Event(), Path({str(tmp_path)!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 5
    assert done.stderr == f"verdicts: the Prefect server has ended; {tmp_path}/server.log says why\n"

"""Who gets at the API of `verdicts serve`, which starts processes: who knows its password, and no page of elsewhere."""

import http.client
import json
import stat
import sys
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from builders.prefect_server import basic

JSON = {"Content-Type": "application/json"}
EVIL = "http://evil.example"


def call_api(api, method, path, headers=(), body=None):
    """Status, which page may read the answer, and the answer."""
    with closing(http.client.HTTPConnection(urlsplit(api.url).netloc, timeout=60)) as connection:
        connection.request(method, path, body, JSON | dict(headers))
        answer = connection.getresponse()
        return answer.status, answer.headers["Access-Control-Allow-Origin"], answer.read()


def listen_on_socket(api, origin, token):
    """What the server says first; None where it lets nobody in."""
    address = f"{api.url.replace('http', 'ws', 1)}/events/out"
    try:
        with connect(address, origin=origin, subprotocols=["prefect"], proxy=None) as opened:
            opened.send(json.dumps({"type": "auth", "token": token}))
            return json.loads(opened.recv(60))["type"]
    except WebSocketException:
        return None


@pytest.mark.whole
def test_the_server_is_for_those_who_know_the_password_and_for_its_own_pages(api, tmp_path_factory):
    own, asks = api.url.removesuffix("/api"), "/api/deployments/filter"
    known = {"Authorization": basic(api)}
    assert call_api(api, "POST", asks, known | {"Origin": own}, b"{}")[:2] == (200, own)
    assert json.loads(call_api(api, "GET", "/ui-settings")[2])["api_url"] == api.url
    assert listen_on_socket(api, own, api.auth) == "auth_success"

    for nobody in ({}, {"Authorization": "Basic dmVyZGljdHM6"}, {"Authorization": "Bearer x"}):
        assert call_api(api, "POST", asks, nobody, b"{}")[0] == 401
        # A page of elsewhere under a name of its own that leads here (DNS rebinding).
        assert call_api(api, "POST", asks, nobody | {"Host": "evil.example", "Origin": EVIL}, b"{}")[0] == 401
    assert call_api(api, "OPTIONS", asks, {"Origin": EVIL, "Access-Control-Request-Method": "POST"})[:2] == (400, None)
    for token in (None, "verdicts:guessed"):
        assert listen_on_socket(api, EVIL, token) is None

    folder = tmp_path_factory.getbasetemp() / "api" / "prefect"
    assert stat.S_IMODE((folder / "api.env").stat().st_mode) == 0o600
    secret = str(api.auth).partition(":")[2].encode()
    assert secret not in (folder / "server.log").read_bytes()
    if sys.platform == "linux":
        lines = []
        for process in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                lines.append(process.read_bytes())
        assert any(b"prefect\0server\0start" in line for line in lines)
        assert not any(secret in line for line in lines)

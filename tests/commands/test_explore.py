"""`verdicts explore` as its users call it."""

import os
import re
import signal
import socket
import subprocess
import sys

import httpx
import pytest

from builders.command import RUN_MAIN, run_here


def test_it_says_where_it_is_answers_there_and_ends_with_a_signal(six_pages):
    call = [sys.executable, "-c", RUN_MAIN, "explore", "--port", "0"]
    with subprocess.Popen(call, cwd=six_pages, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            said = process.stdout.readline()
            (address,) = re.findall(r"http://127\.0\.0\.1:\d+/", said)
            assert "What panels say about tools" in httpx.get(address, trust_env=False).text
            # The process that answers works in another folder than the one that `data` is in.
            answer = httpx.get(f"{address}sql.csv?q=SELECT+count(*)+AS+pages+FROM+pages", trust_env=False)
            assert (answer.status_code, answer.text.removeprefix("\ufeff").split()) == (200, ["pages", "6"])
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 128 + signal.SIGTERM
    assert errors.count("\n") == 1
    assert "Traceback" not in errors


ELSEWHERE = "127.0.0.2"


@pytest.fixture(params=[(ELSEWHERE, None), ("0.0.0.0", "a-token-of-the-team-2026")])
def team(request, six_pages):
    """A server for others: its address, what it said when it started, the token."""
    host, given = request.param
    call = [sys.executable, "-c", RUN_MAIN, "explore", "--host", host, "--port", "0"]
    env = os.environ | ({"VERDICTS_EXPLORE_TOKEN": given} if given else {})
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(call, cwd=six_pages, env=env, **pipes) as one:
        try:
            said = one.stdout.readline()
            ((name, port),) = re.findall(r"http://([a-z0-9.]+):(\d+)", said)
            assert name == (host if host == ELSEWHERE else "localhost")
            token = given or re.search(r"\?token=(\S+);", said)[1]
            assert "not encrypted" in one.stderr.readline()
            yield f"http://{ELSEWHERE}:{port}", said, token
        finally:
            one.kill()


@pytest.mark.share(2)
def test_a_server_for_others_answers_only_with_the_token_under_whatever_name(team):
    address, said, token = team
    assert (token in said) == (token != "a-token-of-the-team-2026")
    with httpx.Client(base_url=address, trust_env=False) as client:
        for path in ("/", "/tools.json", "/explore.css", "/nowhere", "/?token=wrong", f"/?token={token}x"):
            refused = client.get(path)
            assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer"), path
            assert "Authorization: Bearer TOKEN" in refused.text
            assert "panels" not in refused.text
        assert client.get("/", headers={"authorization": "Bearer wrong"}).status_code == 401
        assert client.get("/tools.json", headers={"authorization": f"Bearer {token}"}).json()["rows"]
        assert not client.cookies
        entered = client.get(f"/reviews?reviewer=Skeptic&token={token}")
        assert (entered.status_code, entered.headers["location"]) == (303, "/reviews?reviewer=Skeptic")
        assert {"HttpOnly", "SameSite=lax"} <= set(entered.headers["set-cookie"].split("; "))
        assert client.get("/reviews?reviewer=Skeptic").status_code == 200
        # A name of another site that leads here: browsers send its requests without our cookie.
        rebound = httpx.get(address, headers={"host": "evil.example"}, trust_env=False)
        assert (rebound.status_code, "set-cookie" in rebound.headers) == (401, False)
        named = {"host": address.replace(f"http://{ELSEWHERE}", "verdicts.team.example")}
        assert client.get("/", headers=named).status_code == 200
        assert client.get("/sql.csv?q=SELECT+1", headers={"sec-fetch-site": "cross-site"}).status_code == 403
        image = {"sec-fetch-site": "cross-site", "sec-fetch-dest": "image"}
        assert client.get("/tools.json", headers=image).status_code == 403
        assert client.get(f"{address}//evil.example/?token={token}").headers["location"] == "/evil.example/"


@pytest.mark.parametrize(
    ("host", "token", "said"),
    [
        ("192.0.2.1", None, "192.0.2.1 is not an address of this machine; name another --host"),
        (ELSEWHERE, "short", "VERDICTS_EXPLORE_TOKEN must be at least 20 letters, digits or one of _.~-"),
    ],
)
def test_a_host_or_token_that_cannot_be_is_said(six_pages, host, token, said):
    env = {"VERDICTS_EXPLORE_TOKEN": token} if token else {}
    done = run_here("explore", "--host", host, "--port", "0", cwd=six_pages, **env)
    assert (done.returncode, done.stderr) == (1, f"verdicts: {said}\n")


def test_others_cannot_decide_under_the_name_of_who_started_it(six_pages):
    done = run_here("explore", "--edit", "--host", ELSEWHERE, cwd=six_pages)
    assert (done.returncode, "--edit records decisions under your name" in done.stderr) == (1, True)
    call = [sys.executable, "-c", RUN_MAIN, "explore", "--edit", "--port", "0"]
    with subprocess.Popen(call, cwd=six_pages, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            address, token = re.search(
                r"(http://127\.0\.0\.1:\d+/)\?token=([^;]+);", process.stdout.readline()
            ).groups()
            # Another user of this machine may open the port, but has no token.
            assert httpx.get(f"{address}doubts", trust_env=False).status_code == 401
            bearer = {"authorization": f"Bearer {token}"}
            assert httpx.get(f"{address}doubts", headers=bearer, trust_env=False).status_code == 200
        finally:
            process.kill()


def test_a_port_that_is_taken_and_a_folder_that_holds_nothing_are_said(six_pages, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run_here("explore", "--port", port, cwd=six_pages)
    assert (done.returncode, f"port {port} of 127.0.0.1 is not free" in done.stderr) == (1, True)
    done = run_here("explore", cwd=tmp_path)
    assert (done.returncode, "data holds no corpus yet" in done.stderr) == (1, True)

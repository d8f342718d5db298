"""`verdicts serve`: server, schedule and worker in one command, which all end with it, in order."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from builders import interruptions
from builders.command import RUN_MAIN, check_refusal, verdicts, without_an_api, write_config
from builders.fault_server import answer, faults, says
from builders.prefect_server import ask_api, list_runs, read_api, read_log
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.flows import prefect_api

WITHIN_S = 40.0
"""Seconds for a run that is under way to end in order, then for the server."""


def free_port():
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        return taken.getsockname()[1]


@pytest.mark.whole
def test_a_schedule_that_is_none_is_refused(tmp_path):
    done = verdicts("serve", "--at", "61 * * * *", "--port", str(free_port()), cwd=tmp_path)
    check_refusal(done, "verdicts: '61 * * * *' is not a schedule in UTC: Invalid cron string: \"61 * * * *\"\n")


def test_a_port_that_is_taken_is_told_in_one_line(tmp_path):
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        done = verdicts("serve", "--port", str(port), cwd=tmp_path)
    check_refusal(done, f"verdicts: port {port} of 127.0.0.1 is not free (Address already in use); ")


DYING = """#!{python}
import socket, sys, time
with socket.create_server(("127.0.0.1", int(sys.argv[-1]))) as listening:
    listening.accept()
    time.sleep(0.2)
"""


def test_a_server_that_dies_is_told_whatever_prefect_says(tmp_path, monkeypatch):
    dying = tmp_path / "python"
    dying.write_text(DYING.format(python=sys.executable))
    dying.chmod(0o755)
    monkeypatch.setattr(prefect_api.sys, "executable", str(dying))
    told = threading.Event()
    former = signal.signal(signal.SIGTERM, lambda *_: told.set())
    try:
        with patch.dict(os.environ), pytest.raises(StorageFailed, match="the Prefect server has ended"):
            serve_until(told, tmp_path)
    finally:
        signal.signal(signal.SIGTERM, former)
    assert not (tmp_path / prefect_api.SERVED).exists()


def serve_until(told: threading.Event, home: Path) -> None:
    with prefect_api.prefect_server(home, 0):
        assert (home / prefect_api.SERVED).stat().st_mode & 0o777 == 0o600
        assert told.wait(30)
        raise ConnectionRefusedError


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.whole
async def test_a_service_runs_what_is_asked_ends_it_in_order_and_leaves_no_process(tmp_path):
    page = answer(b"<p>A page.")
    links = "".join(f"<a href=/{number}>" for number in range(400)).encode()
    plays = {f"/{number}": says(page) for number in range(400)}
    async with faults({"/": says(answer(links))} | plays) as site:
        write_config(tmp_path, site.port, delay_s=0.2)
        await asyncio.to_thread(serves, tmp_path)
        assert all(times == 1 for path, times in site.asked.items() if path[1:].isdigit())
        assert site.asked["/1"] == 1


def serves(home: Path) -> None:
    """Starts it, cancels a run that crawls, sees the next one go on, and ends the service in the midst of that."""
    port = free_port()
    shared = home / "shared"
    shared.mkdir()
    # Stands for the folder of a user who was first: root can enter a folder of anybody, but not a file.
    (shared / "runner_storage").touch()
    service = subprocess.Popen(
        [sys.executable, "-c", interruptions.HEARING + RUN_MAIN, "serve", "--port", str(port)],
        cwd=home,
        env=without_an_api(home) | {"TMPDIR": str(shared)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        goes_on_and_ends(service, home, port)
        assert [path.name for path in shared.iterdir()] == ["runner_storage"]
    finally:
        # Its server ends with it, and a run as soon as it sees that.
        service.kill()


def goes_on_and_ends(service: subprocess.Popen[str], home: Path, port: int) -> None:
    begun = service.stdout.readline()
    assert "nights at '30 2 * * *'" in begun
    assert f"see http://127.0.0.1:{port}, with the password in data/prefect/api.env\n" in begun
    api = read_api(home / "data" / "prefect")
    assert api is not None
    check_refusal(
        verdicts("serve", "--port", str(port), cwd=home),
        f"is held by 'verdicts serve' (process {service.pid}, ",
        code=4,
    )
    # The schedule is set once the server answers.
    until(lambda: {found["name"] for found in ask_api(api, "deployments/filter", {})} >= {"nightly", "weekly"})
    deployment = ask_api(api, "deployments/name/nightly/nightly")
    for number in range(2):
        scheduled = {"state": {"type": "SCHEDULED"}}
        run = ask_api(api, f"deployments/{deployment['id']}/create_flow_run", scheduled)
        until(lambda run=run: len(read_log(api, run)) == 1)
        time.sleep(3)
        if number == 0:
            began = time.monotonic()
            ask_api(api, f"flow_runs/{run['id']}/set_state", {"state": {"type": "CANCELLING"}})
            until(lambda run=run: ask_api(api, f"flow_runs/{run['id']}")["state_type"] == "CANCELLED")
            assert time.monotonic() - began < 10
            until(lambda run=run: [name for name, _ in read_log(api, run)] == ["verdicts.progress", "verdicts.end"])
            assert {task["name"].partition(":")[0] for task in list_runs(api, "task_runs")} == {"crawl 127.0.0.1"}
    began = time.monotonic()
    service.send_signal(signal.SIGTERM)
    _, said = service.communicate(timeout=60)
    assert service.returncode == 0, said
    assert time.monotonic() - began < WITHIN_S
    kept = "cancelled: ended by a signal; what was finished is kept, and the next run goes on from there"
    assert said.splitlines() == ["crawl: 127.0.0.1", kept] * 2
    assert interruptions.find_living(service.pid) == ()
    with closing(socket.create_server(("127.0.0.1", port))):
        pass
    assert not (home / "data" / "prefect" / "api.env").exists()


def until(happened, *, within_s=90):
    gives_up_at = time.monotonic() + within_s
    while not happened():
        assert time.monotonic() < gives_up_at
        time.sleep(0.2)

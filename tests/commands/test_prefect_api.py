"""A night is recorded by the Prefect API that is configured, and none is started for it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import pytest

from builders.command import summary_of, verdicts
from fetch.store.store import open_store
from pipeline import prefect_api

URL = "http://prefect.example/api"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A working folder and a home of Prefect's own, with nothing configured."""
    for name in [name for name in os.environ if name.startswith("PREFECT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_settings_there_is_no_api(home):
    assert prefect_api.api_url() is None
    (home / "profiles.toml").write_text(
        'active = "ephemeral"\n[profiles.ephemeral]\nPREFECT_SERVER_ALLOW_EPHEMERAL_MODE = "true"\n'
    )
    assert prefect_api.api_url() is None


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("prefect.toml", '[api]\nurl = "http://prefect.example/api"\n'),
        ("pyproject.toml", '[tool.prefect.api]\nurl = "http://prefect.example/api"\n'),
        ("profiles.toml", 'active = "ours"\n[profiles.ours]\nPREFECT_API_URL = "http://prefect.example/api"\n'),
    ],
)
def test_the_api_is_found_where_prefect_looks(home, file, text):
    (home / file).write_text(text)
    assert prefect_api.api_url() == URL


def test_the_environment_goes_before_files_and_names_the_profile(home, monkeypatch):
    (home / "profiles.toml").write_text(
        f'active = "none"\n[profiles.none]\n[profiles.ours]\nPREFECT_API_URL = "{URL}"\n'
    )
    assert prefect_api.api_url() is None
    monkeypatch.setenv("PREFECT_PROFILE", "ours")
    assert prefect_api.api_url() == URL
    monkeypatch.setenv("PREFECT_API_URL", "http://other.example/api")
    assert prefect_api.api_url() == "http://other.example/api"


def test_a_file_that_is_no_toml_configures_nothing(home):
    (home / "prefect.toml").write_text("[api")
    assert prefect_api.api_url() is None


def test_an_api_that_does_not_answer_is_one_line_and_exit_code_1(tmp_path):
    done = verdicts("run", cwd=tmp_path, PREFECT_API_URL=f"http://127.0.0.1:{free_port()}/api")
    assert done.returncode == 1
    assert "does not answer" in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.once
@pytest.mark.night
def test_a_night_is_a_completed_flow_run_of_the_configured_api(tmp_path):
    with prefect_server(tmp_path / "server") as url:
        settings = {"PREFECT_API_URL": url, "PREFECT_HOME": str(tmp_path / "client")}
        done = verdicts("run", cwd=tmp_path, **settings)
        assert done.returncode == 0, done.stderr
        assert summary_of(done)["distinct reviews"] == "182"
        steps = [line.split(":")[0] for line in done.stderr.splitlines()]
        assert steps == ["crawl", "crawl", "extract", "normalize", "load", "publish", "export", "verify"]
        assert states(url, "flow_runs") == ["COMPLETED"]
        assert states(url, "task_runs") == ["COMPLETED"] * 6
        with open_store(tmp_path / "data", command="crawl"):
            refused = verdicts("run", cwd=tmp_path, **settings)
        assert refused.returncode == 4
        assert refused.stderr.startswith("verdicts: ")
        assert refused.stderr.count("\n") == 1
        assert sorted(states(url, "flow_runs")) == ["COMPLETED", "FAILED"]


@contextmanager
def prefect_server(home):
    """A server of its own on loopback, ended with all of its processes."""
    port = free_port()
    url = f"http://127.0.0.1:{port}/api"
    env = os.environ | {"PREFECT_HOME": str(home), "PREFECT_SERVER_ANALYTICS_ENABLED": "false", "DO_NOT_TRACK": "1"}
    env.pop("PREFECT_API_URL", None)
    call = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(call, env=env, stdout=quiet, stderr=quiet, start_new_session=True) as server:
        try:
            end = time.monotonic() + 180
            while not answers(url) and time.monotonic() < end:
                assert server.poll() is None, "the server ended"
                time.sleep(0.5)
            yield url
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            try:
                server.wait(timeout=30)
            except subprocess.TimeoutExpired:
                os.killpg(server.pid, signal.SIGKILL)


def answers(url):
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=5):
            return True
    except OSError:
        return False


def states(url, kind):
    """The states of all runs of a kind."""
    head = {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{url}/{kind}/filter", b"{}", head), timeout=30) as answer:
        return [run["state_type"] for run in json.load(answer)]


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]

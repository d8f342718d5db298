"""A night is recorded by the Prefect API that is configured, and none is started for it."""

import json
import os
import re
import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from dataclasses import fields

import pytest

from builders.command import summary_of, verdicts
from builders.paths import BUILDERS
from pipeline import prefect_api
from pipeline.night import NightSteps

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


TWO_NIGHTS = """
import sys
from pathlib import Path
from builders.smaller_site import shrink
from commands.cli import main
from fetch.store.store import open_store

def night():
    try:
        main()
    except SystemExit as ended:
        print(f"exit code {ended.code}", file=sys.stderr, flush=True)

shrink(4)
night()
with open_store(Path("data"), command="crawl"):
    night()
"""
"""The second while another run holds the store."""


@pytest.mark.once
@pytest.mark.night
def test_a_night_is_a_completed_flow_run_of_the_configured_api(tmp_path):
    with prefect_server(tmp_path / "server") as url:
        settings = {"PREFECT_API_URL": url, "PREFECT_HOME": str(tmp_path / "client")}
        done = verdicts("run", cwd=tmp_path, code=TWO_NIGHTS, PYTHONPATH=str(BUILDERS.parent), **settings)
        first, refused, _ = re.split(r"exit code \d\n", done.stderr)
        assert re.findall(r"exit code (\d)\n", done.stderr) == ["0", "4"], done.stderr
        steps = [line.split(":")[0] for line in first.splitlines()]
        assert steps == ["crawl", "crawl", "extract", "normalize", "load", "publish", "export", "verify"]
        assert summary_of(done)["pages"] == "4"
        assert refused.startswith("verdicts: ")
        assert refused.count("\n") == 1
        assert sorted(states(url, "flow_runs")) == ["COMPLETED", "FAILED"]
        assert sorted(states(url, "flow_runs", "state_name")) == ["Completed", "Refused"]
        assert states(url, "task_runs") == ["COMPLETED"] * len(fields(NightSteps))


@contextmanager
def prefect_server(home):
    """A server of its own on loopback."""
    call = [sys.executable, BUILDERS / "prefect_server.py"]
    env = os.environ | {"PREFECT_HOME": str(home)}
    with subprocess.Popen(call, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            port = server.stdout.readline().strip()
            assert port, "the server ended"
            yield f"http://127.0.0.1:{port}/api"
        finally:
            server.kill()


def states(url, kind, key="state_type"):
    """The states of all runs of a kind."""
    head = {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{url}/{kind}/filter", b"{}", head), timeout=30) as answer:
        return [run[key] for run in json.load(answer)]


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]

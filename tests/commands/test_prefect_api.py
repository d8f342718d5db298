"""Which Prefect API records a night, and what becomes of a night whose API fails; what it records: `tests/flows`."""

import os
import socket

import pytest

from builders.command import verdicts
from verdicts.fetch.store.state import hold
from verdicts.flows import server
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.night_log import logged_nights


@pytest.mark.share(3)
@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("http://me:secret@127.0.0.1:{port}/api", ""),
        ("me:secret@", ""),
        ("http://127.0.0.1:{port}/api", "[api]\nurl = 5"),
    ],
    ids=["nobody listens", "no address", "an invalid prefect.toml"],
)
def test_an_api_that_fails_is_one_line_of_a_night_that_is_run_and_logged(tmp_path, address, file):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        (tmp_path / "prefect.toml").write_text(file)
        done = verdicts("run", cwd=tmp_path, PREFECT_API_URL=address.format(port=taken.getsockname()[1]))
    assert done.returncode == 0, done
    first, second, *_ = done.stderr.splitlines()
    assert first.startswith("Prefect fails (")
    assert first.endswith("; this night is not recorded")
    assert second.startswith("crawl: demo site")
    assert "secret" not in done.stderr
    folder = DataFolder(tmp_path / "data")
    assert [night.ending.status for night in logged_nights(folder)] == ["done"]
    assert "this night is not recorded" in folder.log.read_text()


def test_the_api_of_a_service_is_used_while_it_runs(tmp_path, monkeypatch):
    """A killed one leaves its file, and any user may listen on its port."""
    monkeypatch.setattr(os, "environ", {"NO_PROXY": "a.example"})
    (tmp_path / server.SERVED).write_text(f"{server.KEY}=http://127.0.0.1:4200/api\n{server.AUTH}=verdicts:x=y\n")
    assert not server.use_served_api(tmp_path)
    assert server.KEY not in os.environ
    with hold(tmp_path / "lock", "serve"):
        assert server.use_served_api(tmp_path)
    assert os.environ == {
        "PREFECT_API_URL": "http://127.0.0.1:4200/api",
        "PREFECT_API_AUTH_STRING": "verdicts:x=y",
        "PREFECT_HOME": str(tmp_path),
        "NO_PROXY": "a.example,127.0.0.1",
        "no_proxy": "a.example,127.0.0.1",
    }

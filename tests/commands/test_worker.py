"""`verdicts worker` joins a scheduler, comes back when it is killed, and `verdicts status` says what it holds."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading

import psutil
import pytest

from builders.command import RUN_MAIN, called, refused, verdicts, worked
from builders.dask_cluster import TESTS, Visit, dask_cluster, once, visit_once_let, visits
from verdicts.pipeline.engine.dask import DaskEngine, cluster_state

CONFIG = """
user_agent = "tests/1 (+mailto:someone@a.example)"
[scale]
scheduler = "{address}"
[[site]]
hosts = ["a.example"]
start_urls = ["https://a.example/"]
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with dask_cluster(tmp_path_factory.mktemp("dask")) as cluster:
        yield cluster


@pytest.fixture
def config(cluster, tmp_path):
    (tmp_path / "verdicts.toml").write_text(CONFIG.format(address=cluster.address))
    return tmp_path / "verdicts.toml"


@pytest.fixture
def worker(config, tmp_path):
    with (tmp_path / "worker.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", RUN_MAIN, "worker", "--config", str(config)],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(TESTS)},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    yield process
    process.kill()
    process.wait()


@pytest.mark.whole
def test_a_worker_says_what_it_joined_holds_batches_comes_back_and_ends(cluster, config, worker, six_pages, tmp_path):
    assert f"joined {cluster.address} as " in worker.stdout.readline()
    engine = DaskEngine(cluster.address)
    batches = [Visit(str(tmp_path), number) for number in range(5)]
    results: list[int] = []
    runs = threading.Thread(target=lambda: results.extend(engine.run(visit_once_let, batches)))
    runs.start()
    once(lambda: "visit" in str(cluster_state(cluster.address).workers[0].work))
    (before,) = cluster_state(cluster.address).workers

    table = called("status", "--config", config, cwd=six_pages).stdout
    assert f"scheduler {cluster.address}: 1 workers, " in table
    (line,) = [line for line in table.splitlines() if f":{before.pid} " in line]
    assert before.work[0].batch in line
    answer = json.loads(called("status", "--config", config, "--format", "json", cwd=six_pages).stdout)
    assert {work["batch"] for work in answer["cluster"]["workers"][0]["work"]} <= set(map(str, batches))

    os.kill(before.pid, signal.SIGKILL)
    once(lambda: [state.pid for state in cluster_state(cluster.address).workers] not in ([], [before.pid]))
    (tmp_path / "go").touch()
    runs.join(30)
    assert sorted(results) == [*range(5)]
    assert len(visits(tmp_path)) > 5

    processes = psutil.Process(worker.pid).children(recursive=True)
    worker.terminate()
    assert worker.wait(20) == 128 + signal.SIGTERM
    _, left = psutil.wait_procs(processes, timeout=5)
    assert [process for process in left if process.status() != psutil.STATUS_ZOMBIE] == []


def test_a_scheduler_that_does_not_answer_is_one_line(six_pages, tmp_path, monkeypatch):
    monkeypatch.setattr("verdicts.pipeline.engine.dask.CONNECTS_WITHIN_S", 0.3)
    config = tmp_path / "verdicts.toml"
    config.write_text(CONFIG.format(address="tcp://127.0.0.1:1"))
    shown = worked("status", "--config", config, cwd=six_pages)
    assert "no Dask scheduler answers at tcp://127.0.0.1:1, the scheduler of [scale]" in shown.stdout
    refused(
        called("worker", "--config", config, cwd=tmp_path), "verdicts: no Dask scheduler answers at tcp://127.0.0.1:1"
    )


def test_another_service_at_the_address_of_the_scheduler_is_told_as_one(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as web:
        threading.Thread(target=answer_as_a_web_server, args=(web,), daemon=True).start()
        address = f"tcp://127.0.0.1:{web.getsockname()[1]}"
        done = called("worker", "--scheduler", address, cwd=tmp_path)
        web.shutdown(socket.SHUT_RDWR)
    why = "it cannot be reached (another service answers there)"
    refused(done, f"verdicts: no Dask scheduler answers at {address}, ", why)


def answer_as_a_web_server(web):
    while True:
        try:
            connection, _ = web.accept()
        except OSError:
            return
        with connection:
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@pytest.mark.parametrize(
    ("address", "missing", "said"),
    [
        (
            "tcp://me:secret@127.0.0.1:1",
            "",
            "Dask knows no user and password in the address of a scheduler; leave them out",
        ),
        ("tcp://127.0.0.1:1", "distributed", "[scale] needs more packages; run pip install 'verdicts[scale]'"),
        (None, "", "set one in [scale] of the config, or use --scheduler"),
    ],
)
@pytest.mark.share(3)
def test_a_worker_that_cannot_join_says_why_and_repeats_no_password(tmp_path, address, missing, said):
    options = () if address is None else ("--scheduler", address)
    done = verdicts("worker", *options, cwd=tmp_path, code=f"import sys; sys.modules[{missing!r}] = None; {RUN_MAIN}")
    refused(done, said)
    assert "secret" not in done.stderr

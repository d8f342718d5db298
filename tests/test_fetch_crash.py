"""kill -9 in the middle of a crawl of the demo site; the next run goes on as if nothing had happened."""

import subprocess
import sys
from pathlib import Path

import pytest

from fetch import open_store
from flows.steps import crawl_now

CRAWL_AND_DIE = """
import os, signal, sys
from pathlib import Path
from fetch import open_store
from fetch.store import Store

left = int(sys.argv[2])
log = Store.log

def dying_log(self, record):
    global left
    left -= 1
    if left == 0 and sys.argv[3] == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    log(self, record)
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

Store.log = dying_log
from flows.steps import crawl_now
with open_store(Path(sys.argv[1]), command="crawl") as store:
    crawl_now(store, None)
"""


def contents(data: Path) -> list[tuple[str, str]]:
    with open_store(data, command="test", read_only=True) as store:
        return sorted((entry.url, entry.sha256) for entry in store.index())


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    data = tmp_path_factory.mktemp("undisturbed")
    with open_store(data, command="crawl") as store:
        crawl_now(store, None)
    return contents(data)


@pytest.mark.parametrize(("attempt", "moment"), [(3, "after"), (40, "before"), (117, "after"), (200, "before")])
def test_a_crawl_killed_at_any_attempt_goes_on_without_loss_or_repetition(tmp_path, undisturbed, attempt, moment):
    data = tmp_path / "data"
    call = [sys.executable, "-c", CRAWL_AND_DIE, str(data), str(attempt), moment]
    killed = subprocess.run(call, capture_output=True, timeout=60, check=False)
    assert killed.returncode == -9, killed.stderr
    assert len(contents(data)) < len(undisturbed)
    with open_store(data, command="crawl") as store:
        run = crawl_now(store, None)
        stored = [item.url for item in store.fetches() if item.outcome == "stored"]
    assert run.status == "done"
    assert contents(data) == undisturbed
    assert len(stored) == len(set(stored))

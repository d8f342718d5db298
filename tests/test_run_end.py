"""A test run that is killed leaves no process behind."""

import subprocess
import sys

import psutil
import pytest

from builders.paths import BUILDERS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

RUN = """
import os, subprocess, time
from builders.run_end import end_children_with_this_process
end_children_with_this_process()
shell = subprocess.Popen(["sh", "-c", "sleep 600 & echo $!; wait"], stdout=subprocess.PIPE, start_new_session=True)
forked = os.fork()
if forked:
    print(shell.pid, int(shell.stdout.readline()), forked, flush=True)
time.sleep(600)
"""
"""A child in a session of its own, its child, and a fork."""


@pytest.fixture
def started():
    """A run, and what it has started."""
    run = subprocess.Popen(
        [sys.executable, "-c", RUN], stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": str(BUILDERS.parent)}
    )
    yield run, [psutil.Process(int(pid)) for pid in run.stdout.readline().split()]
    run.kill()
    run.wait()


def test_what_a_killed_run_has_started_ends_with_it(started):
    run, processes = started
    assert len(processes) == 3
    run.kill()
    _, left = psutil.wait_procs(processes, timeout=20)
    assert [process for process in left if process.status() != psutil.STATUS_ZOMBIE] == []

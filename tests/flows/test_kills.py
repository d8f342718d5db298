"""Runs of a schedule that are signalled and killed: each ends in a true state, and the next one runs."""

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from builders.command import without_an_api, write_config
from builders.fault_server import answer, faults, says
from builders.paths import ROOT
from builders.prefect_server import ask_api, list_tasks

pytestmark = [
    pytest.mark.whole,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"),
]

PAGES = 30


async def test_a_run_that_is_ended_in_any_way_ends_in_a_true_state_and_the_next_one_goes_on(tmp_path, api):
    links = "".join(f"<a href=/{number}>" for number in range(PAGES)).encode()
    pages = {f"/{number}": says(answer(b"<p>A page.")) for number in range(PAGES)}
    async with faults({"/": says(answer(links))} | pages) as site:
        write_config(tmp_path, site.port, delay_s=0.5)
        schedule = Schedule(tmp_path, api)
        try:
            await asyncio.to_thread(schedule.end_runs_in_all_ways)
        finally:
            schedule.end()
        assert all(1 <= site.asked[page] <= 2 for page in pages)


class Schedule:
    """`python flows/nightly.py --cron`, and the runs that it is asked for."""

    def __init__(self, home: Path, api):
        self._home, self._api = home, api
        self._started: list[subprocess.Popen[bytes]] = []

    def end(self):
        for process in self._started:
            process.kill()
            process.wait()

    def end_runs_in_all_ways(self):
        kept = ("CANCELLED", "Cancelled")
        schedule, run = self._start(), self._start_crawl()
        schedule.send_signal(signal.SIGTERM)
        assert (schedule.wait(60), self._wait_for_end(run)) == (0, kept)

        schedule, run = self._start(), self._start_crawl()
        for process in psutil.Process(schedule.pid).children():
            process.kill()
        schedule.kill()
        schedule.wait()
        assert self._state(run) == ("RUNNING", "Running")

        schedule = self._start()
        assert self._wait_for_end(run) == ("CRASHED", "Crashed")
        began, run = time.monotonic(), self._start_crawl()
        # Prefect alone makes it wait for five minutes.
        assert time.monotonic() - began < 200
        orphans = psutil.Process(schedule.pid).children()
        schedule.kill()
        schedule.wait()
        # A run that nobody waits for goes on to its end.
        assert self._wait_for_end(run) == ("COMPLETED", "Completed")
        psutil.wait_procs(orphans, timeout=60)

    def _start(self) -> "subprocess.Popen[bytes]":
        settings = {"PREFECT_API_URL": self._api.url, "PREFECT_API_AUTH_STRING": str(self._api.auth)}
        schedule = subprocess.Popen(
            [sys.executable, ROOT / "flows" / "nightly.py", "--cron", "30 2 * * *"],
            cwd=self._home,
            env=without_an_api(self._home) | settings,
        )
        self._started.append(schedule)
        until(lambda: not ask_api(self._api, "deployments/name/nightly/nightly")["paused"])
        return schedule

    def _start_crawl(self):
        deployment = ask_api(self._api, "deployments/name/nightly/nightly")
        scheduled = {"state": {"type": "SCHEDULED"}}
        run = ask_api(self._api, f"deployments/{deployment['id']}/create_flow_run", scheduled)
        until(lambda: self._tasks(run) == [("crawl 127.0.0.1", "RUNNING")])
        time.sleep(1)
        return run

    def _tasks(self, run):
        """Without the port of the site in the names."""
        return [(name.partition(":")[0], state) for name, state in list_tasks(self._api, run)]

    def _state(self, run):
        now = ask_api(self._api, f"flow_runs/{run['id']}")
        return now["state_type"], now["state_name"]

    def _wait_for_end(self, run):
        until(lambda: self._state(run)[0] not in {"PENDING", "RUNNING", "CANCELLING"})
        return self._state(run)


def until(happened, *, within_s=240):
    gives_up_at = time.monotonic() + within_s
    while True:
        try:
            if happened():
                return
        except OSError:
            pass  # 404: the deployment is not there yet
        assert time.monotonic() < gives_up_at
        time.sleep(0.2)

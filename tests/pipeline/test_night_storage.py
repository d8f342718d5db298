"""A night that is killed, on storage that refuses, and beside another night: a code of its own, and nothing lost."""

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from builders import kills
from builders.command import RUN_MAIN, find_published_file, read_tables, run_here, run_well

SEED = 20261101

EARLY = {"fetch": 8, "segment": 8, "commit": 8, "extract": 3}
"""A stage that goes on where it was is killed in this part of its ticks: enough must be left for the next."""


@pytest.mark.whole
def test_a_night_killed_in_each_stage_ends_as_one_that_was_not(tmp_path):
    chance = random.Random(SEED)
    (ticks,) = kills.nights(tmp_path / "whole")
    assert set(kills.STAGES) <= set(ticks)
    most = {stage: max(1, ticks[stage] // EARLY.get(stage, 1)) for stage in kills.STAGES}
    points = [f"{stage}:{chance.randint(1, most[stage])}" for stage in kills.STAGES]
    *killed, last = kills.nights(tmp_path / "data", *points, "none")
    assert killed == [None] * len(points), points
    assert last
    assert kills.read_state(tmp_path / "data") == kills.read_state(tmp_path / "whole"), points
    assert (kills.strays(tmp_path / "data"), kills.find_stored_twice(tmp_path / "data")) == ([], []), points


SMALL_FILES = (
    "import resource, sys; sys.dont_write_bytecode = True; "
    "resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit})); "
)
"""Python takes no notice of a limit when it keeps what it compiled: half a file would break each later process."""


def run(code: str, *args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-c", code, *args]
    return subprocess.run(call, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


def has_failed_in_one_line(done: subprocess.CompletedProcess[str]) -> bool:
    return done.returncode == 5 and "Traceback" not in done.stderr and "verdicts: " in done.stderr.splitlines()[-1]


@pytest.fixture
def copy(six_pages, tmp_path):
    """A folder of one's own with pages built, published and exported."""
    return shutil.copytree(six_pages, tmp_path / "home")


FULL = {
    "records": (("build", "--all"), 10_000),
    "warehouse": (("build", "--all"), 120_000),
    "serve": (("publish",), 400_000),
    "out": (("export", "out"), 5_000),
}
"""What is to be written there meets a file that may not grow past so many bytes."""


@pytest.mark.parametrize(
    "places", [["serve"], pytest.param(["records", "warehouse", "out"], marks=pytest.mark.whole)], ids=len
)
def test_a_disk_that_fills_up_leaves_the_last_good_state(copy, places):
    before = read_tables(find_published_file(copy / "data"))
    rows = read_tables(find_published_file(copy / "data"), without_columns=frozenset({"load_id"}))
    exported = read_dataset(copy)
    for place in places:
        if place in {"records", "warehouse"}:
            shutil.rmtree(copy / "data" / place)
        command, limit = FULL[place]
        done = run(SMALL_FILES.format(limit=limit) + RUN_MAIN, *command, cwd=copy)
        assert has_failed_in_one_line(done), done.stderr
        assert read_tables(find_published_file(copy / "data")) == before
        assert read_dataset(copy) == exported
    for place in places[1:]:
        run_well(*FULL[place][0], cwd=copy)
    run_well("publish", cwd=copy)
    assert read_tables(find_published_file(copy / "data"), without_columns=frozenset({"load_id"})) == rows
    assert kills.strays(copy / "data") == []


def read_dataset(home):
    folder = home / "out"
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.whole
def test_a_crawl_that_is_stopped_for_long_still_holds_its_store(tmp_path):
    data = tmp_path / "data"
    call = [sys.executable, "-c", RUN_MAIN, "crawl"]
    with subprocess.Popen(call, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as first:
        while not (data / "state.sqlite").exists():
            assert first.poll() is None
            time.sleep(0.01)
        first.send_signal(signal.SIGSTOP)
        try:
            second = run_here("crawl", cwd=tmp_path)
        finally:
            first.send_signal(signal.SIGCONT)
        first.wait(timeout=60)
    assert second.returncode == 4
    assert f"process {first.pid}" in second.stderr
    assert first.returncode == 0
    assert kills.find_stored_twice(data) == []


@pytest.mark.whole
def test_two_crawls_started_at_once_are_one(tmp_path):
    calls = [[sys.executable, "-c", RUN_MAIN, "crawl"]] * 3
    running = [subprocess.Popen(call, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for call in calls]
    for process in running:
        process.communicate(timeout=60)
    codes = sorted(process.returncode for process in running)
    assert codes[0] == 0
    assert set(codes) <= {0, 4}
    assert kills.find_stored_twice(tmp_path / "data") == []


@pytest.mark.whole
def test_a_process_out_of_file_handles_says_so(copy):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12))"
    code = f"{limit}; from verdicts.commands.cli import main; main()"
    assert has_failed_in_one_line(run(code, "build", "--all", cwd=copy))
    run_well("build", "--all", cwd=copy)

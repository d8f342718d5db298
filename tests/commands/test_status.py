"""`verdicts status` says of the last nights how each ended and why, and what is wrong now; also as JSON."""

import json
from contextlib import nullcontext
from datetime import timedelta

import pytest

from builders.command import run_here, run_well
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.record import NightRecord, write_record
from verdicts.pipeline.nights.reporting import record_night, save_record
from verdicts.pipeline.sources.config import DEMO


@pytest.fixture(scope="module")
def nights(tmp_path_factory):
    """Twelve nights a day apart: the newest failed, the one before it was killed."""
    root = tmp_path_factory.mktemp("nights")
    folder, start = DataFolder(root / "data"), steps.now()
    with open_store(folder.root, command="test") as store, pytest.MonkeyPatch.context() as patch:
        for number in range(12):
            patch.setattr(steps, "now", lambda number=number: start + timedelta(days=number))
            if number == 10:
                # All that a night leaves whose process was killed.
                write_record(folder, NightRecord(new_run_id(steps.now()), steps.now()))
                store.begin(new_run_id(steps.now()), "crawl", steps.now())
                continue
            ended = pytest.raises(StorageFailed) if number == 11 else nullcontext()
            with ended, record_night(folder, DEMO) as night:
                save_record(folder, night)
                night.headline = f"night {number}"
                if number == 11:
                    raise StorageFailed("the disk is full\x1b[31m")
    return root


def test_the_last_ten_nights_say_how_they_ended(nights):
    done = run_well("status", cwd=nights)
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("20")]
    assert [row[3] for row in rows] == ["failed", "killed", *["done"] * 8]
    assert "the disk is full\\x1b[31m" in done.stdout
    assert "it has no ending" in done.stdout
    assert "open: the night: failed, since" in done.stdout


def test_a_program_gets_the_same(nights):
    content = json.loads(run_here("status", "--format", "json", cwd=nights).stdout)
    assert [night["status"] for night in content["nights"]] == ["failed", "killed", *["done"] * 8]
    assert [night["exit_code"] for night in content["nights"]] == [5, None, *[0] * 8]
    assert content["nights"][1]["crawl_id"] is not None
    assert content["nights"][0]["words"].startswith("the disk is full\x1b[31m; free room on that disk")
    assert {incident["cause"] for incident in content["incidents"]} == {"failed", "killed"}
    assert content["published"] is None

"""Why readers are behind is said with the command that mends it, and no longer once it is mended."""

from datetime import timedelta
from pathlib import Path

import pytest

from builders import bit_rot
from builders.command import run_here
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.doctor import examine
from verdicts.pipeline.nights.record import NightRecord, read_nights, write_record
from verdicts.pipeline.nights.reporting import record_night, save_record
from verdicts.pipeline.sources.config import DEMO, salvage_alerts
from verdicts.warehouse.storage.durable import write_bytes


@pytest.fixture
def folder(two_nights, tmp_path):
    return DataFolder(bit_rot.fresh(two_nights, tmp_path))


def lag(folder: DataFolder) -> list[tuple[str, str]]:
    return [(finding.what, finding.mend) for finding in examine(folder, steps.now())]


def crawl_and_build(folder: DataFolder, *, is_built: bool = True) -> None:
    with open_store(folder.root, command="test") as store:
        bit_rot._crawl(store, [("/compare/x-vs-y", b"<html>words</html>")], steps.now())
        if is_built:
            steps.build_corpus(store, folder)


def test_a_build_that_is_not_published_and_a_rollback_end_with_a_publication(folder):
    assert lag(folder) == []
    before = folder.pointer.read_text().strip()
    crawl_and_build(folder)
    ((what, mend),) = lag(folder)
    assert what.endswith(f"is not published; readers have {before}")
    assert mend == "verdicts publish"
    steps.publish_corpus(folder)
    assert lag(folder) == []
    steps.roll_back(folder)
    words = f"readers have {before} since a rollback; the next run gives them the last build again"
    assert lag(folder) == [(words, "verdicts publish")]
    steps.publish_corpus(folder)
    assert lag(folder) == []


def fail_tonight(folder: DataFolder, error: OSError) -> None:
    with record_night(folder, DEMO) as night:
        save_record(folder, night)
        raise error


def test_a_night_that_was_killed_is_named_until_the_next_one_ends(folder):
    write_record(folder, NightRecord("20991101T013000Z-0000", steps.now()))
    ((what, mend),) = lag(folder)
    assert "has no ending: its process was killed" in what
    assert mend == "verdicts run"
    write_record(folder, NightRecord("20991102T013000Z-0000", steps.now(), steps.now(), status="done", exit_code=0))
    assert lag(folder) == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(28, "No space left on device", "data/raw"), " UTC ended on a full disk: data/raw: No space"),
        (OSError(5, "Input/output error", "data/raw"), " UTC failed: data/raw: Input"),
    ],
    ids=["full", "broken"],
)
def test_a_night_that_failed_is_named_until_readers_have_another(folder, error, words):
    with pytest.raises(OSError, match=str(error.strerror)):
        fail_tonight(folder, error)
    ((what, mend),) = lag(folder)
    assert words in what
    assert mend == "verdicts run"
    steps.publish_corpus(folder)
    assert lag(folder) == []


def test_a_clock_that_went_back_is_named(folder, monkeypatch):
    present = steps.now()
    crawl_and_build(folder, is_built=False)
    monkeypatch.setattr(steps, "now", lambda: present - timedelta(days=3))
    (what, mend), *rest = lag(folder)
    assert what.startswith("the last run lies 3 days in the future (")
    assert mend == "verdicts run --all"
    assert [mend for _, mend in rest] == ["verdicts build"]


ALERTS = """
[alerts] # who hears of it
on = ["failed"]
heartbeat = "https://a.example/{}"
apprise = [
    "json://b.example",
]
[care]
"""

BROKEN = {
    "a mistake elsewhere": "hosts = [" + ALERTS.format("x"),
    "an unknown key": ALERTS.format("x").replace("[care]", "hertbeat = 1\n[care]"),
}


@pytest.mark.parametrize("what", [*BROKEN, "no address"])
def test_alerts_are_read_from_a_config_that_is_not_valid(tmp_path, what):
    path = tmp_path / "verdicts.toml"
    path.write_text(BROKEN.get(what, ALERTS.format("x").replace("https:", "htp:")))
    alerts = salvage_alerts(path)
    assert (alerts.on, alerts.apprise) == (("failed",), ("json://b.example",))
    assert alerts.heartbeat == (None if what == "no address" else "https://a.example/x")


def test_a_night_that_a_mistake_in_the_config_prevents_is_a_failed_night(folder):
    home = folder.root.parent
    (home / "verdicts.toml").write_text("user_agnt = 1\n")
    assert run_here("run", "--data", folder.root, cwd=home).returncode == 1
    (ending,) = read_nights(folder, 1)
    assert (ending.status, ending.exit_code) == ("failed", 1)
    assert "user_agnt" in ending.headline


def test_a_full_disk_names_the_file_that_it_refuses():
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_bytes(Path("/dev/full"), b"x")

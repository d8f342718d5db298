"""What machines are told of a night: numbers that add up, and log lines with the ids of night, crawl and load."""

import json
import logging
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from prometheus_client.parser import text_string_to_metric_families

from builders.command import find_published_file, run_here
from builders.paths import ROOT
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import logs
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.logs import log_to, send_log
from verdicts.pipeline.nights.record import NightRecord, read_nights
from verdicts.pipeline.nights.reporting import report_night
from verdicts.pipeline.sources.config import read_config

NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)
NIGHT = NightRecord("20261102T115900Z-aaaa", NOON - timedelta(minutes=1), NOON, "done", 0, "all of it")


def read_numbers(path):
    """Each sample by its name and the values of its labels."""
    families = text_string_to_metric_families(path.read_text(encoding="utf-8"))
    return {(sample.name, *sample.labels.values()): sample.value for family in families for sample in family.samples}


def test_a_night_adds_up(night):
    home, _ = night
    folder = DataFolder(home / "data")
    numbers = read_numbers(folder.metrics)
    with open_store(folder.root, command="test", read_only=True) as store:
        known = store.state.execute("SELECT count(*) FROM urls").fetchone()[0]
    assert sum(value for name, value in numbers.items() if name[0] == "verdicts_addresses") == known > 200
    assert numbers["verdicts_night_status", "done"] == 1
    assert {step for name, step in (key for key in numbers if key[0] == "verdicts_step_duration_seconds")} >= {
        "crawl",
        "extract",
        "load",
        "publish",
    }
    (record,) = read_nights(folder)
    assert numbers["verdicts_last_success_timestamp_seconds",] == record.ended_at.timestamp()


def test_the_log_of_a_night_has_its_ids(night):
    home, done = night
    lines = [json.loads(line) for line in DataFolder(home / "data").log.read_text(encoding="utf-8").splitlines()]
    assert {line["command"] for line in lines} == {"run"}
    (ended,) = [line for line in lines if line["event"] == "night"]
    assert {"night_id", "crawl_id", "load_id"} <= ended.keys()
    assert ended["published"] == find_published_file(home / "data").name
    steps = {line["step"]: line for line in lines if line["event"] == "step"}
    assert steps["publish"]["load_id"] == ended["load_id"]
    assert steps["crawl"]["count"] > 200
    assert [line["message"] for line in lines if line["event"] == "step"] == [
        line for line in done.stderr.splitlines() if re.fullmatch(r"\w+, [\w ]+: \d+", line)
    ]


def test_the_alerts_of_the_document_are_over_metrics_that_exist(night):
    metrics = DataFolder(night[0] / "data").metrics.read_text(encoding="utf-8")
    text = (ROOT / "docs" / "monitoring.md").read_text(encoding="utf-8")
    assert set(re.findall(r"verdicts_\w+", text.partition("```yaml")[2].partition("```")[0])) <= set(
        re.findall("# HELP (.*?) ", metrics)
    )


def test_numbers_that_cannot_be_written_cost_one_line(tmp_path, capsys):
    config = tmp_path / "verdicts.toml"
    site = '[[site]]\nhosts = ["a.example"]\nstart_urls = ["https://a.example/"]\n'
    config.write_text(f'user_agent = "me (me@bot.example)"\n{site}[metrics]\nfile = "/dev/null/verdicts.prom"\n')
    (tmp_path / "data" / "raw").mkdir(parents=True)
    report_night(DataFolder(tmp_path / "data"), read_config(config), replace(NIGHT, status="failed"))
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "metrics" in line]
    assert line.startswith("the metrics: ")
    assert [night.status for night in read_nights(DataFolder(tmp_path / "data"))] == ["failed"]


def test_log_files_are_rotated_and_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(logs, "FILE_BYTES", 2_000)
    monkeypatch.setattr(logs, "FILES_KEPT", 2)
    folder = DataFolder(tmp_path)
    folder.raw.mkdir()
    with send_log():
        log_to(folder, "test")
        for number in range(100):
            logging.getLogger("verdicts").info("line %d \u202e of a\npage", number)
    files = sorted(folder.log.parent.iterdir())
    assert [path.name for path in files] == ["verdicts.jsonl", "verdicts.jsonl.1", "verdicts.jsonl.2"]
    assert all(path.stat().st_size <= 2_000 for path in files)
    *_, last = folder.log.read_text(encoding="utf-8").splitlines()
    assert json.loads(last)["message"].startswith("line 99 ")
    assert not logging.getLogger("verdicts").handlers


def test_a_log_that_cannot_be_written_costs_nothing(tmp_path, capsys):
    (tmp_path / "raw").mkdir()
    (tmp_path / "logs").write_text("a file where the folder should be")
    with send_log():
        log_to(DataFolder(tmp_path), "test")
        logging.getLogger("verdicts.fetch.run").warning("said all the same")
    assert capsys.readouterr().err == "said all the same\n"


def test_commands_that_only_read_write_no_log(tmp_path):
    (tmp_path / "data").mkdir()
    for call in (["status"], ["crawl", "--data", "data", "--dry-run"], ["sql", "SELECT 1"]):
        run_here(*call, cwd=tmp_path)
    assert list((tmp_path / "data").iterdir()) == []


def test_a_mistake_is_in_the_log_and_in_one_line(tmp_path):
    (tmp_path / "data" / "raw").mkdir(parents=True)
    done = run_here("publish", cwd=tmp_path)
    assert done.returncode == 1
    (line,) = DataFolder(tmp_path / "data").log.read_text(encoding="utf-8").splitlines()
    assert (json.loads(line)["event"], json.loads(line)["exit_code"]) == ("failed", 1)
    assert done.stderr == f"verdicts: {json.loads(line)['message']}\n"

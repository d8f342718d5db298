"""A night is recorded by the Prefect API that is configured: its steps, its end as the exit code says, and its log."""

import re
from dataclasses import dataclass, fields
from subprocess import CompletedProcess
from typing import Any

import pytest

from builders.command import summary_of, verdicts
from builders.paths import BUILDERS
from builders.prefect_server import asked, log_of, runs_of
from verdicts.demo_site.responses import SITE_URL
from verdicts.pipeline.night import NightSteps

RUNS = """
import sys
from pathlib import Path
from types import SimpleNamespace
from builders.kills import shrink
from verdicts.commands.cli import main
from verdicts.fetch.model.errors import StoreLocked
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.errors import HeldBack

def command():
    try:
        main()
    except SystemExit as ended:
        print(f"exit code {ended.code}", file=sys.stderr, flush=True)

shrink(4)
command()
with open_store(Path("data"), command="crawl"):
    command()

from prefect.exceptions import TerminationSignal
from verdicts.flows import nightly as flows, states

states.TRIES_EVERY_S = 0
tries = []

def raises(error):
    raise error

def partial(*_):
    return SimpleNamespace(status="partial", headline="the night")

def held_at_first(*_):
    tries.append(1)
    return partial() if len(tries) > 3 else raises(StoreLocked("data is held by another run"))

for end in (
    partial,
    lambda *_: raises(HeldBack("a.example is held")),
    lambda *_: raises(KeyError("slug")),
    lambda *_: raises(TerminationSignal(15)),
):
    flows.run_night = end
    flows.nightly(return_state=True)
flows.run_night = held_at_first
flows.nightly(wait_minutes=1, return_state=True)
flows.nightly("never", "missing.toml", return_state=True)
"""
"""Two runs of the command, the second while another run holds the store; then every other end, and one that waits."""

NIGHTS = """
import sys
from builders.kills import shrink
from verdicts.commands.cli import main

shrink(4)
for options in ([], ["--all"]):
    sys.argv = ["verdicts", "run", *options]
    try:
        main()
    except SystemExit as ended:
        assert ended.code == 0, ended.code
"""
"""A night, and a full one right after it, when no page is due."""

KEPT = "ended by a signal; what was finished is kept, and the next run goes on from there"
MISSING = "missing.toml does not exist; write one with 'verdicts init', or leave --config out for the demo"

ENDS = [
    ("COMPLETED", "Partial", "the night (exit code 2)"),
    ("FAILED", "Held back", "a.example is held (exit code 3)"),
    ("FAILED", "Failed", "Flow run encountered an exception: KeyError: 'slug'"),
    ("CANCELLED", "Cancelled", KEPT),
    ("COMPLETED", "Partial", "the night (exit code 2)"),
    ("FAILED", "Failed", f"{MISSING} (exit code 1)"),
]


@dataclass
class Recorded:
    """What the process said, and what the server keeps of it."""

    home: Any
    done: CompletedProcess[str]
    runs: list[dict[str, Any]]
    tasks: list[dict[str, Any]]
    logs: list[list[tuple[str, str]]]
    artifacts: list[dict[str, Any]]


def run_by(api, home, code):
    """What the process said, and the runs that the server keeps of it."""
    before = {run["id"] for run in runs_of(api, "flow_runs")}
    with_user = api.url.replace("//", f"//{api.auth}@")
    settings = {"PREFECT_API_URL": with_user, "PREFECT_HOME": str(home / "client"), "NO_PROXY": "127.0.0.1"}
    done = verdicts("run", cwd=home, code=code, PYTHONPATH=str(BUILDERS.parent), **settings)
    assert done.returncode == 0, done.stderr
    return done, [run for run in runs_of(api, "flow_runs") if run["id"] not in before]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory, api):
    home = tmp_path_factory.mktemp("recorded")
    done, runs = run_by(api, home, RUNS)
    logs = [log_of(api, run) for run in runs]
    ids = {run["id"] for run in runs}
    artifacts = [artifact for artifact in asked(api, "artifacts/filter", {}) if artifact["flow_run_id"] in ids]
    return Recorded(home, done, runs, runs_of(api, "task_runs"), logs, artifacts)


def state_of(run):
    return run["state_type"], run["state_name"], run["state"]["message"]


def test_a_night_is_a_completed_run_whose_steps_are_tasks_and_whose_log_is_ours(recorded):
    first, _, _ = re.split(r"exit code \d\n", recorded.done.stderr)
    assert re.findall(r"exit code (\d)\n", recorded.done.stderr) == ["0", "4"], recorded.done.stderr
    steps = [re.split("[,:]", line)[0] for line in first.splitlines()]
    assert steps == ["crawl", "crawl", "extract", "normalize", "load", "publish", "export", "verify"]
    assert summary_of(recorded.done)["pages"] == "4"
    night = recorded.runs[0]
    kind, name, message = state_of(night)
    assert (kind, name) == ("COMPLETED", "Completed")
    assert re.fullmatch(r"\S+: \d+ fetched, 0 unchanged, 0 failed; readers have \S+", message)
    tasks = [task for task in recorded.tasks if task["flow_run_id"] == night["id"]]
    assert [task["state_type"] for task in tasks] == ["COMPLETED"] * len(fields(NightSteps))
    day = night["start_time"][:10]
    names = ["crawl", "build", "publish", "export", "verify"]
    assert [task["name"] for task in tasks] == [f"{name} {day} demo site {SITE_URL}" for name in names]
    assert [set(task["tags"]) for task in tasks] == [{"verdicts", name} for name in names]
    assert {name for name, _ in recorded.logs[0]} == {"verdicts.progress", "verdicts.end"}
    assert [line for _, line in recorded.logs[0]] == [*first.splitlines(), f"completed: {message}"]


def test_the_report_of_a_night_is_an_artifact_of_its_run(recorded):
    (artifact,) = [artifact for artifact in recorded.artifacts if artifact["key"] == "night-report"]
    assert artifact["flow_run_id"] == recorded.runs[0]["id"]
    (kept,) = (recorded.home / "data" / "reports").glob("*.md")
    assert artifact["data"] == kept.read_text(encoding="utf-8")
    assert kept.stem in artifact["description"]


def test_a_run_that_meets_another_is_refused_in_its_state_and_in_one_line(recorded):
    _, refused, _ = re.split(r"exit code \d\n", recorded.done.stderr)
    kind, name, message = state_of(recorded.runs[1])
    assert (kind, name) == ("FAILED", "Refused")
    assert refused == f"verdicts: {message.removesuffix(' (exit code 4)')}\n"


def test_every_end_is_the_state_of_its_exit_code_and_the_last_line_of_the_log(recorded):
    runs, logs = recorded.runs[2:], recorded.logs[2:]
    assert [state_of(run) for run in runs] == ENDS
    assert {run["name"] for run in runs} == {"nightly data", "nightly never"}
    assert {name for log in logs for name, _ in log} == {"verdicts.end"}
    said = [[line for _, line in log] for log in logs]
    assert "failed, a bug of this program\nTraceback" in said[2][0]
    assert [len(lines) for lines in said] == [1, 1, 1, 1, 2, 1]
    assert said[4][0] == "waits: data is held by another run"
    ended = [f"{name.lower()}: {message}" for _, name, message in ENDS]
    assert [lines[-1] for lines in said if lines != said[2]] == ended[:2] + ended[3:]


def test_a_run_that_fails_on_its_config_makes_nothing(recorded):
    assert not (recorded.home / "never").exists()


def test_what_a_run_comes_to_is_printed_by_the_command_alone(recorded):
    *_, after = re.split(r"exit code \d\n", recorded.done.stderr)
    assert after == ""


@pytest.mark.whole
def test_a_full_night_asks_for_pages_that_are_not_due(tmp_path, api):
    _, runs = run_by(api, tmp_path, NIGHTS)
    assert [run["parameters"]["everything"] for run in runs] == [False, True]
    (first,), (full,) = (re.findall(r"(\d+) fetched, (\d+) unchanged", state_of(run)[2]) for run in runs)
    assert int(full[0]) + int(full[1]) == int(first[0]) > 0

"""A night is recorded by the Prefect API that answers: its steps, its end as the exit code says, and its log."""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings

from builders import interruptions
from builders.command import RUN_MAIN, read_summary, verdicts, without_an_api
from builders.paths import BUILDERS
from builders.prefect_server import ask_api, list_runs, list_tasks, read_log
from verdicts.flows.states import find_dead_api
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.record import read_nights
from verdicts.pipeline.nights.report import render_report

SMALL = "from builders.kills import shrink; shrink(4)\n"

RUNS = f"""
import sys
from pathlib import Path
from types import SimpleNamespace
{SMALL}
from verdicts.fetch.store.store import open_store
from verdicts.flows import nightly as flows
from verdicts.flows.command import cli
from verdicts.pipeline.pipeline_errors import HeldBack

def command(*options):
    try:
        cli(options)
    except SystemExit as ended:
        print(f"exit code {{ended.code}}", file=sys.stderr, flush=True)

command()
with open_store(Path("data"), command="crawl"):
    command()
command("--all")

from prefect.exceptions import TerminationSignal

def raises(error):
    raise error

for end in (
    lambda *_, **__: SimpleNamespace(status="partial", headline="the night"),
    lambda *_, **__: raises(HeldBack("a.example is held")),
    lambda *_, **__: raises(KeyError("slug")),
    lambda *_, **__: raises(TerminationSignal(15)),
):
    flows.run_night = end
    flows.nightly(return_state=True)
flows.nightly("never", "missing.toml", return_state=True)
"""
"""Runs of the flow as a program, the second while another run holds the store; then every other end."""

KEPT = "ended by a signal; what was finished is kept, and the next run goes on from there"
MISSING = "missing.toml does not exist; write one with 'verdicts init', or leave --config out for the demo"

ENDS = [
    ("COMPLETED", "Partial", "the night (exit code 2)"),
    ("FAILED", "Held back", "a.example is held (exit code 3)"),
    ("FAILED", "Failed", "Flow run encountered an exception: KeyError: 'slug'"),
    ("CANCELLED", "Cancelled", KEPT),
    ("FAILED", "Failed", f"{MISSING} (exit code 1)"),
]

STEPS = ["extract", "normalize", "load", "publish", "export", "verify"]


@dataclass
class Recorded:
    """What the process said, in parts that end with an exit code, and what the server keeps of it."""

    home: Path
    api: Any
    done: "subprocess.CompletedProcess[str]"
    said: list[str]
    runs: list[dict[str, Any]]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory, api):
    home = tmp_path_factory.mktemp("recorded")
    settings = {"PREFECT_API_URL": api.url, "PREFECT_API_AUTH_STRING": api.auth, "PREFECT_HOME": str(home / "client")}
    done = verdicts(cwd=home, code=RUNS, PYTHONPATH=str(BUILDERS.parent), **settings)
    assert done.returncode == 0, done.stderr
    # Other tests left deployments with runs to come.
    own = list_runs(api, "flow_runs", flow_runs={"deployment_id": {"is_null_": True}})
    return Recorded(home, api, done, re.split(r"exit code (\d)\n", done.stderr), own)


def read_state(run):
    return run["state_type"], run["state_name"], run["state"]["message"]


def test_a_night_is_a_completed_run_with_a_task_for_each_site_and_each_step_and_with_our_log(recorded):
    night = recorded.runs[0]
    # Prefect says where to look, before the flow begins.
    said = [line for line in recorded.said[0].splitlines() if "| Flow run" not in line]
    assert recorded.said[1::2] == ["0", "1", "0"], recorded.done.stderr
    assert [re.split("[,:]", line)[0] for line in said] == ["crawl", "crawl", *STEPS]
    kind, name, message = read_state(night)
    assert (kind, name) == ("COMPLETED", "Completed")
    assert re.fullmatch(r"\S+: \d+ fetched, 0 unchanged, 0 failed; readers have \S+", message)
    tasks = ["crawl demo.verdicts.example", *STEPS]
    assert list_tasks(recorded.api, night) == [(task, "COMPLETED") for task in tasks]
    log = [(name, line) for name, line in read_log(recorded.api, night) if name != "prefect.flow_runs"]
    assert {name for name, _ in log} == {"verdicts.progress", "verdicts.end"}
    assert [line for _, line in log] == [*said, f"completed: {message}"]


@pytest.mark.whole
def test_a_recorded_night_has_the_same_rows_as_one_without_a_server(recorded, tmp_path):
    code = f"{SMALL}import sys; sys.modules['prefect'] = None; {RUN_MAIN}"
    done = verdicts("run", cwd=tmp_path, code=code, PYTHONPATH=str(BUILDERS.parent))
    assert read_summary(done)["pages"] == "4"
    rows = interruptions.read_published_rows(tmp_path)
    assert rows["reviews"]
    assert interruptions.read_published_rows(recorded.home) == rows


def test_the_report_of_a_night_is_an_artifact_of_its_run(recorded):
    ours = [run["id"] for run in recorded.runs[:3]]
    artifacts = ask_api(recorded.api, "artifacts/filter", {})
    kept = {item["flow_run_id"]: item for item in artifacts if item["key"] == "night-report"}
    # The refused run wrote no report.
    assert [run in kept for run in ours] == [True, False, True]
    folder = DataFolder(recorded.home / "data")
    nights = read_nights(folder)
    assert kept[ours[0]]["data"] == render_report(nights[-1], nights)[".md"]


def test_a_run_that_meets_another_is_refused_in_its_state_and_in_one_line(recorded):
    kind, name, message = read_state(recorded.runs[1])
    assert (kind, name) == ("FAILED", "Refused")
    assert recorded.said[2] == f"refused: {message}\n"


@pytest.mark.whole
def test_a_full_night_asks_for_pages_that_are_not_due(recorded):
    first, _, full = recorded.runs[:3]
    counts = [re.findall(r"(\d+) (?:fetched|unchanged)", read_state(run)[2]) for run in (first, full)]
    assert sum(map(int, counts[1])) == sum(map(int, counts[0])) > 0


def test_every_end_is_the_state_of_its_exit_code_and_the_last_line_of_the_log(recorded):
    runs = recorded.runs[3:]
    assert [read_state(run) for run in runs] == ENDS
    said = [[line for _, line in read_log(recorded.api, run)] for run in runs]
    assert "failed, a bug of this program\nTraceback" in said.pop(2)[0]
    ended = [f"{name.lower()}: {message}" for _, name, message in ENDS if "KeyError" not in message]
    assert [lines[-1] for lines in said] == ended
    assert not (recorded.home / "never").exists()


@pytest.mark.whole
def test_the_flow_file_is_a_program_whose_schedule_needs_an_api(tmp_path):
    flow = Path(sys.modules["verdicts.flows.nightly"].__file__) if "verdicts.flows.nightly" in sys.modules else None
    call = [sys.executable, str(flow or Path(BUILDERS).parents[1] / "flows" / "nightly.py"), "--cron", "30 2 * * *"]
    done = subprocess.run(call, cwd=tmp_path, env=without_an_api(tmp_path), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        1,
        "Error: no Prefect API is configured; 'verdicts serve' starts one\n",
    )


def test_an_api_that_does_not_answer_is_found_before_the_night():
    with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:9/api"}):
        assert str(find_dead_api()).startswith("http://127.0.0.1:9/api: ")
    with temporary_settings(restore_defaults={PREFECT_API_URL}):
        assert find_dead_api() is None

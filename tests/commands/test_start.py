"""What a command or a worker loads before it is done: nothing that it does not use."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.command_start import measure
from benchmarks.where_time_goes import run_night
from builders.command import verdicts
from verdicts.demo_site.site_facts import load_facts
from verdicts.demo_site.site_pages import render_comparison
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.record import NightRecord
from verdicts.pipeline.nights.reporting import report_night
from verdicts.pipeline.sources.config import DEMO

WATCHED = {
    "aiohttp", "asyncio", "dataframely", "duckdb", "fastwarc", "httpx", "isal", "lxml", "msgspec", "numpy",
    "pandas", "polars", "prefect", "pyarrow", "pydantic", "rapidfuzz", "rich", "selectolax", "sqlalchemy", "sqlite3",
    "trafilatura",
}  # fmt: skip
"""Packages that cost a process more than a few milliseconds."""

MAY_LOAD = {
    "--help": "",
    "run --help": "",
    "path": "",
    "rollback": "asyncio duckdb msgspec rich",
    "query": "duckdb",
    "sql 'SELECT 1'": "duckdb rich",
    "sql 'SELECT 1' --format csv": "duckdb msgspec",
    "sql 'SELECT 1' --format json": "duckdb msgspec",
    "sql 'SELECT 1' --format parquet --output answer.parquet": "duckdb",
    "query coverage_by_host": "duckdb rich",
    "search checker": "duckdb rich",
    "show REVIEW": "duckdb",
    "show REVIEW --source": "duckdb fastwarc isal msgspec selectolax",
    "status": "duckdb fastwarc isal msgspec pydantic rich sqlite3",
    "why a.example": "asyncio duckdb fastwarc isal msgspec pydantic rich sqlite3",
    "report": "msgspec",
    "snapshot snapshot": "asyncio duckdb fastwarc isal msgspec polars pydantic rich sqlite3",
    "wacz corpus.wacz": "fastwarc isal msgspec sqlite3",
    "doctor": "asyncio duckdb fastwarc isal msgspec numpy polars pydantic rapidfuzz rich selectolax sqlite3",
    "crawl --config missing.toml": "asyncio fastwarc isal msgspec pydantic rich sqlite3",
}
"""Command to what of these it may load."""

LOADED = "\nimport sys; print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"

COMMAND = f"""
import atexit
from verdicts.commands.cli import main
atexit.register(lambda: exec({LOADED!r}))
main()
"""

WORKER = (
    """
import sys
from datetime import UTC, datetime
from verdicts.extract.declarations import NOTHING_DECLARED
from verdicts.pipeline.workers.pool import read_page
from verdicts.fetch.model.snapshot import IndexEntry, Location, Snapshot
body = sys.stdin.buffer.read()
headers = (("content-type", "text/html; charset=utf-8"),)
url = "http://a.example/compare/a-vs-b"
moment = datetime(2026, 11, 1, tzinfo=UTC)
entry = IndexEntry(Location("crawl-00001.warc.gz", 0), url, url, moment, "crawl", "0" * 64, "text/html")
row = read_page(entry, Snapshot(url, url, moment, 200, headers, body, "crawl"), NOTHING_DECLARED)
assert row.kind == "comparison", row
"""
    + LOADED
)


@pytest.fixture(scope="module")
def home(six_pages, tmp_path_factory):
    """A folder with six pages of the demo site, built and published twice."""
    home = tmp_path_factory.mktemp("start")
    shutil.copytree(six_pages / "data", home / "data")
    steps.publish_corpus(DataFolder(home / "data"))
    steps.verify_data(DataFolder(home / "data"))
    at = steps.now()
    report_night(DataFolder(home / "data"), DEMO, NightRecord("20261101T023000Z-0001", at, status="done", exit_code=0))
    return home


def list_loaded(code: str, *args: str, cwd: Path, stdin: bytes = b"") -> tuple[int, set[str]]:
    """The exit code of a fresh process, and the packages it had loaded when it was done."""
    call = [sys.executable, "-c", code, *args]
    done = subprocess.run(call, cwd=cwd, capture_output=True, input=stdin, timeout=60, check=False)
    return done.returncode, set(done.stderr.decode().splitlines()[-1].split())


@pytest.mark.parametrize("call", MAY_LOAD)
@pytest.mark.share(5)
def test_a_command_loads_only_what_it_uses(home, call, tmp_path):
    args = shlex.split(call)
    if args[0] in {"rollback", "crawl"}:
        # `doctor` tells of a rollback, and of a night that a missing config prevents.
        home = shutil.copytree(home, tmp_path / "home", symlinks=True)
    if "REVIEW" in args:
        answer = verdicts("sql", "SELECT review_id FROM reviews ORDER BY ALL LIMIT 1", "--format", "json", cwd=home)
        args[args.index("REVIEW")] = json.loads(answer.stdout)[0]["review_id"]
    code, packages = list_loaded(COMMAND, *args, cwd=home)
    assert code == (1 if "missing.toml" in args else 0)
    assert "verdicts" in packages
    assert packages & WATCHED <= {*MAY_LOAD[call].split()}


def test_a_shell_that_completes_waits_for_click_alone(home):
    asked = {
        "_VERDICTS_COMPLETE": "bash_complete",
        "COMP_WORDS": "verdicts\nquery\nreviewer_leanings\n",
        "COMP_CWORD": "3",
    }
    code, packages = list_loaded(
        f"import os, sys; os.environ |= {asked}; sys.argv[0] = 'verdicts'\n{COMMAND}", cwd=home
    )
    assert code == 0
    assert "verdicts" in packages
    assert packages & WATCHED == set()


def test_a_worker_loads_only_what_a_page_needs():
    page = render_comparison(load_facts(), load_facts().pairs[0]).encode()
    code, packages = list_loaded(WORKER, cwd=Path.cwd(), stdin=page)
    assert code == 0
    assert "verdicts" in packages
    assert packages & WATCHED <= {"fastwarc", "isal", "msgspec", "selectolax"}


@pytest.mark.whole
def test_a_question_takes_little_more_than_the_import_of_duckdb():
    lines = measure(5, ["sql", "query", "search"])
    times = {title.split()[1]: float(ratio.split()[0]) for title, *_, ratio, beside in lines if "duckdb" in beside}
    assert times.keys() == {"sql", "query", "search"}
    assert times["sql"] < 2.5
    assert times["query"] < 2.6
    assert times["search"] < 3.2


@pytest.mark.whole
def test_publishing_takes_less_than_a_first_load():
    costs = run_night(1_000)
    assert costs["publish"].cpu_s < costs["load"].cpu_s

"""Analysts may have no right to write: not to the data folder, not to the working folder, not to a home."""

import shutil
import subprocess
import sys

import pytest

from builders.command import find_published_file, verdicts
from verdicts.pipeline.exit_codes import STORAGE

UNPRIVILEGED = """
import ctypes, os, sys
ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE: root obeys permissions too
os.execv(sys.executable, [sys.executable, "-c", sys.argv[1], *sys.argv[2:]])
"""

ONE_AFTER_THE_OTHER = """
import shlex, sys
from verdicts.commands.cli import main
for call in sys.argv[1:]:
    sys.argv = ["verdicts", *shlex.split(call)]
    try:
        main()
    except SystemExit as ended:
        print(f"\\n{call}: exit code {ended.code}", flush=True)
"""

READ = (
    "status",
    "why /compare/amble-kernel-vs-midmeadow",
    "sql 'SELECT count(*) FROM reviews'",
    "sql 'FROM reviews' --format parquet --output {elsewhere}/reviews.parquet",
    "sql \"SELECT count(*) FROM 'data/dataset/reviews/*.parquet'\" --format csv",
    "query coverage_by_host",
    "search checker",
    "show {review}",
    "path",
    "diff",
    "diff --table reviews --format csv",
    "check",
    "doctor",
    "snapshot {elsewhere}/snapshot",
    "wacz {elsewhere}/corpus.wacz",
    "export {elsewhere}/dataset",
    "crawl --dry-run",
    "forget {review} --dry-run",
    "--help",
)

WRITE = ("crawl", "build", "publish", "export data/dataset", "run")


@pytest.fixture
def read_only(night, tmp_path):
    """A working folder with the data of a whole night, in which nothing can be written."""
    home, _ = night
    place = tmp_path / "read-only"
    shutil.copytree(home / "data", place / "data")
    for path in (place, *place.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    return place


@pytest.mark.whole
def test_every_reading_command_works_and_every_other_says_so_in_one_line(read_only, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    review = verdicts("sql", "SELECT min(review_id) FROM reviews", "--format", "csv", cwd=read_only).stdout.split()[-1]
    before = {path: path.stat().st_mtime_ns for path in read_only.rglob("*")}
    calls = [call.format(elsewhere=elsewhere, review=review) for call in (*READ, *WRITE)]
    done = subprocess.run(
        [sys.executable, "-c", UNPRIVILEGED, ONE_AFTER_THE_OTHER, *calls],
        cwd=read_only,
        env={"HOME": "/nonexistent", "PATH": "/usr/bin:/bin", "TMPDIR": str(elsewhere)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    # The doctor works, and finds that the folder cannot be written.
    codes = [int(call == "doctor") for call in READ] + [STORAGE] * len(WRITE)
    ends = [f"{call}: exit code {code}" for call, code in zip(calls, codes, strict=True)]
    assert [line for line in done.stdout.splitlines() if ": exit code " in line] == ends, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("verdicts: ") == len(WRITE)
    assert (elsewhere / "dataset" / "_manifest.json").exists()
    assert {path.name for path in elsewhere.iterdir()} == {
        "corpus.wacz",
        "dataset",
        "reviews.parquet",
        "snapshot",
    }
    assert {path: path.stat().st_mtime_ns for path in read_only.rglob("*")} == before
    assert find_published_file(read_only / "data").exists()

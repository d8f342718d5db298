"""Memory, processes and folders that are short: a code of its own and one line, or a command that works nevertheless.

A share of the matrix; `python -m benchmarks.shortages` fills disks, too.
"""

import subprocess

import pytest

from builders.command import RUN_MAIN, verdicts
from builders.interruptions import strays, write_pages
from corpus.tables import TABLES
from fetch.model.errors import StorageFailed
from fetch.model.snapshot import IndexEntry
from pipeline.failure_log import FailureLog
from pipeline.workers import pool
from warehouse.exporting.export import export
from warehouse.storage.durable import sole_writer
from warehouse.storage.errors import WarehouseLocked

LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_AS, ({size}, {size})); "


@pytest.mark.matrix
def test_a_corpus_is_built_in_little_address_space_or_the_command_says_how_much_it_takes(tmp_path):
    write_pages(tmp_path / "pages", 6)
    short = verdicts("ingest", "pages", cwd=tmp_path, code=LIMITED.format(size=600_000_000) + RUN_MAIN)
    assert short.returncode == 5, short.stderr
    assert short.stderr.splitlines()[-1] == (
        "verdicts: the address space is limited to 0.60 GB, and this takes 1 GB at least: raise 'ulimit -v'"
    )
    enough = verdicts("ingest", "pages", cwd=tmp_path, code=LIMITED.format(size=1_500_000_000) + RUN_MAIN)
    assert enough.returncode == 0, enough.stderr
    assert strays(tmp_path) == []


@pytest.mark.once
def test_a_worker_that_cannot_be_started_is_named(monkeypatch, tmp_path):
    def refused(*_args, **_options):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refused)
    jobs = [(tmp_path / "segment", (IndexEntry.__new__(IndexEntry),))]
    with pytest.raises(StorageFailed, match="a worker cannot be started: Resource temporarily unavailable"):
        list(pool.read_pages(jobs, 1, FailureLog()))


@pytest.mark.once
def test_no_two_processes_write_an_export_or_a_copy_in_one_folder(tmp_path):
    with sole_writer(tmp_path), pytest.raises(WarehouseLocked, match=f"{tmp_path.name} is in use by another process"):
        export(tmp_path / "absent.duckdb", tmp_path / "out", tables=tuple(TABLES))
    with sole_writer(tmp_path):
        pass


FEW_THREADS = """
import threading
start, left = threading.Thread.start, 9
def limited(thread):
    global left
    left -= 1
    if left < 0:
        raise RuntimeError("can't start new thread")
    start(thread)
threading.Thread.start = limited
"""


@pytest.mark.once
def test_where_few_threads_can_be_started_a_build_says_how_many_it_takes(tmp_path):
    write_pages(tmp_path / "pages", 1)
    short = verdicts("ingest", "pages", cwd=tmp_path, code=FEW_THREADS + RUN_MAIN)
    assert short.returncode == 5, short.stderr
    assert "threads can be started: raise 'ulimit -u'" in short.stderr.splitlines()[-1]
    assert verdicts("status", cwd=tmp_path).returncode == 0

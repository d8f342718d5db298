"""Memory, processes and folders that are short: an exit code of its own and one line, or the command still works."""

import subprocess
import sys

import duckdb
import pytest

from builders.command import verdicts
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.model.snapshot import IndexEntry
from verdicts.pipeline.exit_codes import STORAGE, describe_error, find_exit_code
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.pipeline_errors import Interrupted
from verdicts.pipeline.workers import pool
from verdicts.warehouse.exporting.export import export
from verdicts.warehouse.storage.durable import sole_writer
from verdicts.warehouse.storage.warehouse_errors import WarehouseLocked


def test_a_worker_that_cannot_be_started_is_named(monkeypatch, tmp_path):
    def refuse(*_args, **_options):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    pages = [(tmp_path / "segment", IndexEntry.__new__(IndexEntry))]
    with pytest.raises(StorageFailed, match="a worker cannot be started: Resource temporarily unavailable"):
        list(pool.read_pages(pages, 1, FailureLog()))


def test_no_two_processes_write_an_export_or_a_copy_in_one_folder(tmp_path):
    with sole_writer(tmp_path), pytest.raises(WarehouseLocked, match=f"{tmp_path.name} is in use by another process"):
        export(tmp_path / "absent.duckdb", tmp_path / "out")
    with sole_writer(tmp_path):
        pass


class PanicException(BaseException):
    """As those of polars, which are no Exception."""


SAID = [
    RuntimeError("can't start new thread"),
    RuntimeError("Resource temporarily unavailable"),
    ImportError("lexbor.cpython-311-x86_64-linux-gnu.so: failed to map segment from shared object"),
    ImportError("libarrow.so.2100: cannot allocate memory in static TLS block"),
    NameError("name 'plr' is not defined"),
    duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate data of size 32.0 KiB\n\nPossible solutions:"),
    PanicException("could not spawn threads: ThreadPoolBuildError { kind: IOError(Os { code: 11 }) }"),
    MemoryError(),
]


@pytest.mark.parametrize("error", SAID, ids=lambda error: f"{type(error).__name__} {error}"[:40])
def test_memory_that_ran_out_is_one_line_and_a_code_whatever_library_says_it(error):
    assert find_exit_code(error) == STORAGE
    assert describe_error(error).startswith("memory ")
    assert "\n" not in describe_error(error)


@pytest.mark.parametrize("error", [RuntimeError("a bug"), ImportError("No module named 'x'"), Interrupted(15)])
def test_a_bug_and_a_signal_are_no_lack_of_memory(error):
    assert find_exit_code(error) is None


TIGHT = """
import resource
from pathlib import Path
from verdicts.pipeline.nights import reporting
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + 1_000_000, size + 1_000_000))
reporting._try_action("the metrics", lambda: __import__("selectolax.lexbor"))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_a_night_tells_at_its_end_names_a_lack_of_memory_in_one_line(tmp_path):
    done = verdicts(cwd=tmp_path, code=TIGHT)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("the metrics: memory ")
    assert done.stderr.count("\n") == 1

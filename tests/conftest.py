"""Data folders that many tests look at, each made once whatever the number of processes; and how many tests are run."""

import fcntl
import gc
import os
import pickle
import shutil
import sys
from collections import defaultdict
from datetime import UTC, datetime
from zlib import crc32

import pytest
from hypothesis import settings

from builders.command import WITHOUT_PREFECT, verdicts
from builders.leftovers import adopt_orphans, look, look_for_leftovers
from builders.run_end import end_children_with_this_process

# A machine with other work takes any time for an example.
settings.register_profile("share", deadline=None, max_examples=12)
settings.register_profile("whole", deadline=None, max_examples=60)

# Images of containers forbid Python to keep what it compiled: each of some hundred processes would compile all it
# imports anew, for three times the CPU.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Commands say what to do next as they were started, `uv run verdicts`.
os.environ.pop("UV_RUN_RECURSION_DEPTH", None)
# As every command sets it, also those that a test calls in its own process.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.dont_write_bytecode = False


@pytest.fixture(autouse=True)
def nothing_is_left_behind():
    """Fails a test that leaves a signal handler, a wakeup file, a thread, a process or a variable to the next one."""
    before = look()
    yield
    left = look_for_leftovers(before)
    assert not left, f"the test left behind {'; '.join(left)}"


def pytest_addoption(parser):
    parser.addoption("--whole", action="store_true", help="run the tests marked whole and every set of share(n), too")


def pytest_xdist_auto_num_workers():
    """Tests wait for sockets, clocks and processes of their own: one more than cores keeps all cores busy."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config):
    """In each process of a run: one that is killed takes along what it has started."""
    settings.load_profile("whole" if config.getoption("--whole") else "share")
    # Before it adopts orphans: the process that waits for its end is one, and no test's.
    end_children_with_this_process()
    adopt_orphans()


def pytest_collection_finish():
    """What was made by collecting stays: no collection of garbage looks at it again."""
    gc.freeze()


def pytest_collection_modifyitems(config, items):
    if config.getoption("--whole") or any("[" in named for named in config.args):
        return
    dropped = {item for item in items if item.get_closest_marker("whole")}
    sets = defaultdict(list)
    for item in items:
        if item.get_closest_marker("share"):
            sets[item.nodeid.partition("[")[0]].append(item)
    for name, of_one in sets.items():
        share = of_one[0].get_closest_marker("share").args[0]
        first = crc32(name.encode()) % share
        dropped |= {*of_one} - {*(of_one[first::share] or of_one[:1])}
    config.hook.pytest_deselected(items=[item for item in items if item in dropped])
    items[:] = [item for item in items if item not in dropped]


def make_once(tmp_path_factory, name, make):
    """A copy of the folder that `make` made, once for all processes of a run, and what it returned."""
    base = tmp_path_factory.getbasetemp()
    made = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"made-{name}"
    made.mkdir(exist_ok=True)
    with (made / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (made / "returned").exists():
            (made / "home").mkdir()
            (made / "returned").write_bytes(pickle.dumps(make(made / "home")))
    home = tmp_path_factory.mktemp(name)
    shutil.copytree(made / "home", home, dirs_exist_ok=True, symlinks=True)
    return home, pickle.loads((made / "returned").read_bytes())


@pytest.fixture(scope="session")
def night(tmp_path_factory):
    """A folder after one `verdicts run` in a process that cannot import Prefect, and what the command said."""
    return make_once(tmp_path_factory, "night", lambda home: verdicts("run", cwd=home, code=WITHOUT_PREFECT))


@pytest.fixture(scope="session")
def two_nights(tmp_path_factory):
    """A small data folder that was built, published and exported, for tests that spoil a copy of it."""
    from builders import bit_rot

    return make_once(tmp_path_factory, "two-nights", lambda home: bit_rot.make(home / "data"))[0] / "data"


@pytest.fixture(scope="session")
def six_pages(tmp_path_factory):
    """A folder with six comparison pages of the demo site as files, built, published and exported to `out`."""
    return make_once(tmp_path_factory, "six-pages", _six_pages)[0]


def _six_pages(home):
    from builders.interruptions import write_pages
    from verdicts.fetch.run.ingest import ingest
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline import steps
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.pipeline.sources.page_files import find_sources

    write_pages(home / "pages", 6)
    folder = DataFolder(home / "data")
    with open_store(folder.root, command="test") as store:
        ingest(store, find_sources((home / "pages",), None), clock=lambda: datetime(2026, 11, 1, 1, 30, tzinfo=UTC))
        steps.build_corpus(store, folder)
    steps.publish_corpus(folder)
    steps.export_dataset(folder, home / "out")


@pytest.fixture(scope="session")
def hand_made(tmp_path_factory):
    """The hand-made corpus in a file that no test writes to."""
    from builders.warehouse_files import load_corpus

    path = tmp_path_factory.mktemp("hand-made") / "corpus.duckdb"
    load_corpus(path)
    return path


def pytest_make_parametrize_id(val, argname):
    """The bytes of a gzip hold the second they were made in: two processes would collect tests of two names."""
    return argname if isinstance(val, bytes) and val.startswith(b"\x1f\x8b") else None

"""Whatever ends a publication, readers keep what they have, and the next one is whole."""

import shutil
import signal

import pytest

from builders import warehouse_rows as make
from builders.bit_rot import TESTS
from builders.command import verdicts
from builders.kills import STEPS
from builders.warehouse_files import load_corpus, tables
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.serving.published import find_published
from verdicts.warehouse.storage.warehouse_errors import WarehouseBroken

SIGNALS = (signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT)


@pytest.fixture(scope="module")
def two_loads(tmp_path_factory):
    folder = DataFolder(tmp_path_factory.mktemp("two-loads"))
    with open_store(folder.root, command="test"):
        load_corpus(folder.warehouse)
    steps.publish_corpus(folder)
    load_corpus(folder.warehouse, {}, load_id="load-2", loaded_at=make.NEXT_NIGHT)
    return folder.root


@pytest.fixture
def folder(two_loads, tmp_path):
    """A data folder of two loads, of which the first is published."""
    return DataFolder(shutil.copytree(two_loads, tmp_path / "data"))


def what_readers_have(folder: DataFolder) -> tuple[str, bytes]:
    path = find_published(folder.serve)
    return path.name, path.read_bytes()


def check_next_publication(folder):
    """It is whole, and nothing of those that were ended is left."""
    assert tables(steps.publish_corpus(folder)) == tables(folder.warehouse)
    assert [file.name for file in folder.serve.iterdir() if file.name.startswith(".")] == []
    assert not steps.verify_data(folder).damaged


ENDED_AT = """
from builders.kills import end_at
end_at({step!r}, {number:d})
from verdicts.commands.cli import main; main()
"""


def end_publications(folder, at):
    """A command that crashes, or is killed, at each of these steps."""
    before = what_readers_have(folder)
    for step, number in at:
        code = ENDED_AT.format(step=step, number=number)
        ended = verdicts("publish", cwd=folder.root.parent, code=code, PYTHONPATH=str(TESTS))
        assert ended.returncode == -number, (step, ended)
        assert what_readers_have(folder) == before, step


def test_a_crash_or_a_kill_in_a_copy_leaves_readers_what_they_have(folder):
    end_publications(folder, [("copy", signal.SIGKILL), ("views", signal.SIGSEGV)])
    check_next_publication(folder)


@pytest.mark.whole
def test_a_signal_at_any_step_of_a_copy_leaves_readers_what_they_have(folder):
    end_publications(folder, zip(STEPS, SIGNALS * 3, strict=False))
    check_next_publication(folder)


def test_a_warehouse_that_cannot_be_read_leaves_readers_what_they_have(folder):
    before = what_readers_have(folder)
    folder.warehouse.write_bytes(b"no database")
    with pytest.raises(WarehouseBroken, match=r"corpus\.duckdb: cannot be opened as a database"):
        steps.publish_corpus(folder)
    assert what_readers_have(folder) == before

"""Whatever ends the process that makes a publication, readers keep what they have, and the next one is whole."""

import shutil
import signal
import sys
import time

import psutil
import pytest

from builders import interruptions
from builders import warehouse_rows as make
from builders.bit_rot import TESTS
from builders.command import called, verdicts
from builders.kills import NAMES, STEPS, end_at
from builders.warehouse_files import load_corpus, tables
from verdicts.fetch.objects import open_objects
from verdicts.fetch.store import checksums
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import publishing, steps
from verdicts.pipeline.build.build_manifest import BuildManifest, Inputs, Tables, write_manifest
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import PublicationFailed
from verdicts.warehouse.manifests import Manifest, publish_manifest
from verdicts.warehouse.parts import write_part
from verdicts.warehouse.storage.errors import WarehouseBroken

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

VIEWS = ("tables of views", "state of views")

SIGNALS = (signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT)


@pytest.fixture(scope="module")
def two_loads(tmp_path_factory):
    folder = DataFolder(tmp_path_factory.mktemp("two-loads"))
    with open_store(folder.root, command="test"):
        load_corpus(folder.warehouse)
    steps.publish_corpus(folder)
    load_corpus(folder.warehouse, {}, load_id="load-2", loaded_at=make.NEXT_NIGHT)
    checksums.note(folder.warehouse)
    return folder.root


@pytest.fixture
def folder(two_loads, tmp_path):
    """A data folder of two loads, of which the first is published."""
    return DataFolder(shutil.copytree(two_loads, tmp_path / "data"))


def files(folder: DataFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.serve.iterdir()}


def check_next_publication(folder):
    """It is whole, and nothing of those that were ended is left."""
    assert tables(steps.publish_corpus(folder)) == tables(folder.warehouse)
    assert [file.name for file in folder.serve.iterdir() if file.name.startswith(".")] == []
    assert not steps.verify_data(folder, 1).damaged


@pytest.mark.whole
def test_a_signal_at_any_step_of_a_copy_leaves_readers_what_they_have(folder, monkeypatch):
    before = files(folder)
    for step, number in zip([step for step in STEPS if step not in VIEWS], [*SIGNALS, *SIGNALS], strict=True):
        with monkeypatch.context() as patch:
            end_at(step, number, patch)
            failed = called("publish", cwd=folder.root.parent)
        line = (
            f"verdicts: publishing was ended by signal {number:d} ({NAMES[number]}); readers keep"
            " corpus-load-1.duckdb; run 'verdicts publish' to try again\n"
        )
        assert (failed.returncode, failed.stderr) == (5, line), step
        assert files(folder) == before, step
    check_next_publication(folder)


@pytest.mark.whole
def test_a_signal_while_views_are_made_leaves_readers_what_they_have(folder, monkeypatch):
    objects = open_objects(str(folder.root))
    parts = {table: [write_part(objects, table, "build-1-0000", rows)] for table, rows in make.corpus().items()}
    made = publish_manifest(objects, Manifest(0, "build-1", make.NIGHT, "1", "1", parts))
    write_manifest(folder.build_manifest, BuildManifest(Inputs(()), "", Tables(objects.url, made.number, 0)))
    before = files(folder)
    for step, number in zip(VIEWS, SIGNALS, strict=False):
        with monkeypatch.context() as patch:
            end_at(step, number, patch)
            with pytest.raises(PublicationFailed, match=f"signal {number:d} .*readers keep corpus-load-1"):
                steps.publish_corpus(folder)
        assert files(folder) == before, step
    assert len(tables(steps.publish_corpus(folder))["reviews"]) == len(make.corpus()["reviews"])


@pytest.mark.whole
def test_a_process_that_hangs_is_ended_later_for_a_larger_warehouse(folder, monkeypatch):
    before, processes = files(folder), psutil.Process().children()
    monkeypatch.setattr(publishing, "LEAST_S", 2.0)
    monkeypatch.setattr(publishing, "BYTES_A_S", folder.warehouse.stat().st_size)
    end_at("views", signal.SIGSTOP, monkeypatch)
    with pytest.raises(PublicationFailed, match=r"was not done within 3 s and was ended; readers keep corpus-load-1"):
        steps.publish_corpus(folder)
    assert files(folder) == before
    assert set(psutil.Process().children()) <= set(processes)


def test_the_first_publication_that_fails_says_that_readers_have_nothing(tmp_path, monkeypatch):
    folder = DataFolder(tmp_path)
    load_corpus(folder.warehouse)
    end_at("checks", signal.SIGKILL, monkeypatch)
    with pytest.raises(PublicationFailed, match="readers have no copy yet"):
        steps.publish_corpus(folder)


def test_what_the_process_raises_is_raised_here(folder):
    before = files(folder)
    folder.warehouse.write_bytes(b"no database")
    checksums.note(folder.warehouse)
    with pytest.raises(WarehouseBroken, match=r"corpus\.duckdb: cannot be opened as a database"):
        steps.publish_corpus(folder)
    assert files(folder) == before


KILLED_AT = """
import os, signal
import {module} as module
module.{name} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
from verdicts.commands.cli import main; main()
"""


@pytest.mark.whole
def test_a_command_killed_before_the_pointer_moved_leaves_readers_what_they_have(folder):
    pointer = folder.pointer.read_bytes()
    for module, name in (
        ("verdicts.warehouse.serving.published", "unused_path"),
        ("verdicts.warehouse.storage.durable", "sync"),
    ):
        killed = verdicts("publish", cwd=folder.root.parent, code=KILLED_AT.format(module=module, name=name))
        assert killed.returncode == -signal.SIGKILL
        assert folder.pointer.read_bytes() == pointer
    check_next_publication(folder)


ENDLESS = """
from builders.kills import endless_copy
from verdicts.pipeline import publishing
publishing._copy = endless_copy
from verdicts.commands.cli import main; main()
"""


@pytest.mark.whole
def test_the_process_ends_with_the_command_that_waits_for_it(folder, monkeypatch):
    home, before = folder.root.parent, files(folder)
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    for number in (signal.SIGINT, signal.SIGKILL):
        process = interruptions.start("publish", cwd=home, code=ENDLESS)
        while not [*folder.serve.glob(".corpus-*.tmp")]:
            assert process.poll() is None
            time.sleep(0.01)
        assert len(interruptions.living(process.pid, within_s=0)) == 2
        ended = interruptions.end(process, number)
        assert ended.survivors == ()
        if number == signal.SIGKILL:
            assert ended.code == -number
        else:
            assert ended.complaint(number) is None
            assert files(folder) == before
    check_next_publication(folder)

"""The doctor finds what is wrong, writes nothing, and names the command that mends it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable

import duckdb
import pytest

from builders import bit_rot
from verdicts.commands.group import cli
from verdicts.fetch.model.fetch_errors import StoreMissing
from verdicts.fetch.store.state import hold
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.doctor import Finding
from verdicts.pipeline.nights.doctor import examine as examine_folder


@pytest.fixture
def folder(two_nights, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return DataFolder(bit_rot.fresh(two_nights, tmp_path).relative_to(tmp_path))


def first(pattern: str) -> Callable[[DataFolder], object]:
    return lambda folder: sorted(folder.root.glob(pattern))[0]


def remove(pattern):
    return lambda folder: first(pattern)(folder).unlink()


def flip(pattern):
    return lambda folder: bit_rot.flip(first(pattern)(folder))


def add_unknown_segment(folder):
    shutil.copy(first("raw/*")(folder), folder.raw / "20200101T000000Z-abcd-00001.warc.gz")


def age_warehouse(folder):
    with duckdb.connect(folder.warehouse) as connection:
        connection.execute("UPDATE internal.migrations SET version = version - 1")


def leave_log(folder):
    folder.warehouse.with_name("corpus.duckdb.wal").touch()


def store_and_not_build(folder):
    with open_store(folder.root, command="test") as store:
        bit_rot._crawl(store, [("/compare/x-vs-y", b"<html>words</html>")], steps.now())


def withdraw_pointer(folder):
    folder.pointer.write_text("corpus-20200101T000000Z-abcd.duckdb\n")


def leave_clients_behind(folder):
    fixed = folder.serve / "corpus.duckdb"
    content = fixed.read_bytes()
    fixed.unlink()
    fixed.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))


SPOILED = {
    "segment is missing": (remove("raw/*"), "verdicts repair"),
    "unknown segment": (add_unknown_segment, "verdicts repair"),
    "state is damaged": (flip("state.sqlite"), "verdicts repair"),
    "warehouse is older": (age_warehouse, "verdicts repair"),
    "load was killed": (leave_log, "verdicts build"),
    "run was not built": (store_and_not_build, "verdicts build"),
    "pointer leads nowhere": (withdraw_pointer, "verdicts publish"),
    "path for clients is missing": (remove("serve/corpus.duckdb"), "verdicts publish"),
    "path for clients is another copy": (leave_clients_behind, "verdicts publish"),
}


def examine(folder):
    return examine_folder(folder, steps.now())


def test_nothing_is_found_in_a_sound_folder(folder):
    assert examine(folder) == ()


@pytest.mark.parametrize("what", SPOILED)
@pytest.mark.share(4)
def test_each_finding_names_the_command_that_mends_it(folder, what):
    spoil, mend = SPOILED[what]
    spoil(folder)
    before = {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in folder.root.rglob("*")}
    found = examine(folder)
    assert mend in {finding.mend for finding in found}, found
    assert {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in folder.root.rglob("*")} == before


def test_a_run_that_was_killed_is_to_be_run_again_(folder):
    hold_it = f"""
import time
from pathlib import Path
from verdicts.fetch.store.store import open_store
from datetime import datetime, UTC
with open_store(Path({str(folder.root.absolute())!r}), command="run") as store:
    store.begin("20991101T013000Z-0000", "crawl", datetime(2099, 11, 1, tzinfo=UTC))
    print("held", flush=True)
    time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", hold_it], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        assert examine(folder) == (), "a run that is at work is no finding"
        holder.kill()
    assert "verdicts run" in {finding.mend for finding in examine(folder)}


def test_the_command_says_what_to_type_and_ends_with_1_where_anything_is_found(folder, capsys):
    assert cli.main(["doctor"], standalone_mode=False) == 0
    assert capsys.readouterr().out == "nothing is wrong\n"
    moved = folder.root.rename("other data")
    (moved / "serve" / "current").unlink()
    assert cli.main(["doctor", "--data", "other data"], standalone_mode=False) == 1
    assert "\n    verdicts publish --data 'other data'\n" in capsys.readouterr().out
    with pytest.raises(StoreMissing):
        cli.main(["doctor", "--data", "nowhere"], standalone_mode=False)


def test_a_file_that_this_user_cannot_write_is_named_with_what_gives_it_back(folder, monkeypatch):
    """Whoever runs the tests, the folder is theirs; the other user is made up."""
    owner = folder.root.owner()
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK or path != folder.state)
    assert examine(folder) == (Finding(f"{folder.state} is write-protected", f"chmod u+w {folder.state}"),)
    monkeypatch.setattr(os, "geteuid", lambda: 4_000_000)
    words = f"data belongs to {owner}, and you are #4000000; you can only read it"
    assert examine(folder) == (Finding(words, f"sudo -u {owner} verdicts run"),)
    monkeypatch.setattr(os, "access", lambda path, _: path != folder.root)
    assert [found.what for found in examine(folder)] == [words], "nothing else can be read"


def test_a_held_lock_is_said(folder, capsys):
    with hold(folder.root / "lock", "crawl"):
        assert cli.main(["doctor"], standalone_mode=False) == 0
    assert capsys.readouterr().out.startswith("running: 'verdicts crawl' (process ")


def test_a_log_of_which_nothing_can_be_read_is_gone_after_the_command_that_is_named(folder):
    folder.warehouse.with_name("corpus.duckdb.wal").write_bytes(b"torn before its first entry" * 100)
    (found,) = examine(folder)
    assert found.mend == "verdicts build"
    with open_store(folder.root, command="test") as store:
        steps.build_corpus(store, folder)
    assert examine(folder) == ()

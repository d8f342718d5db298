"""A data folder that lacks any part, or holds anything in its place: one line, a documented code, a way on."""

import re
import shlex
import shutil
import sqlite3
from contextlib import closing
from itertools import cycle

import duckdb
import pytest

from builders import bit_rot
from builders.command import read_tables, run_here, run_well
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.store import checksums
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.doctor import examine
from verdicts.warehouse.serving.published import link_for_clients

READING = (
    ("status",),
    ("why", "a.example"),
    ("verify",),
    ("show", "a"),
    ("check",),
    ("query", "list_tools"),
    ("diff",),
    ("path",),
    ("export", "out"),
    ("report",),
)
WRITING = ("rollback", "publish", "build", "repair")

WITHOUT_LOAD = frozenset({"load_id"})


def remove(path):
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def only(*kept):
    return lambda data: [remove(path) for path in data.iterdir() if path.name not in kept]


def all_at_once(*spoilings):
    return lambda data: [spoil(data) for spoil in spoilings]


def each(pattern, spoil):
    def spoil_each(data):
        for path in sorted(data.glob(pattern)):
            spoil(path)

    return spoil_each


def _rewrite(path, content):
    path.chmod(0o644)
    path.write_bytes(content)


def empty(path):
    _rewrite(path, b"")


def halve(path):
    content = path.read_bytes()
    _rewrite(path, content[: len(content) // 2])


def garble(path):
    _rewrite(path, b"\xff\xfe\x00[[[[{" * 50)


def without_digest(spoil):
    def spoil_both(path):
        spoil(path)
        checksums.find_note(path).unlink(missing_ok=True)

    return spoil_both


def kill_first_load(data):
    """The file is made, and closed without a table: so a first load leaves it that was killed."""
    for path in (data / "warehouse").iterdir():
        path.unlink()
    shutil.rmtree(data / "serve")
    duckdb.connect(str(data / "warehouse" / "corpus.duckdb")).close()


FILES = (
    "state.sqlite",
    "warehouse/corpus.duckdb",
    "warehouse/built.txt",
    "serve/current",
    "serve/corpus-*.duckdb",
    "records/*.parquet",
    "raw/*.gz",
)
BESIDE = (
    "reports/*.json",
    "logs/verdicts.jsonl",
    "metrics/verdicts.prom",
    "dataset/SHA256SUMS",
    "lock",
)
"""Nothing is built from these: several are damaged at once."""
SPOILINGS = (remove, empty, halve, garble)
"""Each file meets one of them, and each of them several files."""

STATES = {
    "nothing": only(),
    "raw alone": only("raw"),
    "raw and state": only("raw", "state.sqlite", "state.sqlite.sha256"),
    "state alone": only("state.sqlite"),
    "serve alone": only("serve"),
    "warehouse alone": only("warehouse"),
    "reports alone": only("reports"),
    "no warehouse": lambda data: remove(data / "warehouse"),
    "no serve": lambda data: remove(data / "serve"),
    "no copy": each("serve/corpus*", remove),
    "no pointer": each("serve/current*", remove),
    "first load killed": kill_first_load,
    **{f"{name} {spoil.__name__}": each(name, spoil) for name, spoil in zip(FILES, cycle(SPOILINGS), strict=False)},
    **{
        f"{name} {spoil.__name__} without digest": each(name, without_digest(spoil))
        for name, spoil in zip(FILES, SPOILINGS[1:], strict=False)
    },
    **{
        f"what stands beside, from {first} on": all_at_once(
            *(each(name, spoil) for name, spoil in zip(BESIDE, cycle(SPOILINGS[first:]), strict=False))
        )
        for first in (0, 3)
    },
}


@pytest.fixture
def data(two_nights, tmp_path):
    return bit_rot.fresh(two_nights, tmp_path)


@pytest.fixture(scope="module")
def answer(two_nights, tmp_path_factory):
    """What the question says of the whole folder: a damaged one says the same, or that it is damaged."""
    home = tmp_path_factory.mktemp("whole")
    bit_rot.fresh(two_nights, home)
    return run_well(*bit_rot.QUESTION, cwd=home).stdout


def check_said(done):
    """A bug would have raised in `called`."""
    assert 0 <= done.returncode <= 5
    errors = [line for line in done.stderr.splitlines() if line.startswith("verdicts: ")]
    assert "Traceback" not in done.stdout + done.stderr
    assert len(errors) <= 1
    assert done.returncode == 0 or errors or done.stdout, done


def test_raw_and_state_alone_give_readers_their_corpus_again(data, answer):
    STATES["raw and state"](data)
    done = run_well("repair", cwd=data.parent)
    assert "corpus.duckdb: it is missing; made again" in done.stdout
    assert run_well(*bit_rot.QUESTION, cwd=data.parent).stdout == answer


def test_one_repair_adds_the_runs_that_an_older_state_does_not_know_and_gives_them_to_readers(data):
    older = {path: path.read_bytes() for path in data.glob("state.sqlite*")}
    with open_store(data, command="test") as store:
        bit_rot._crawl(store, [("/compare/x-vs-y", b"<html>words</html>")], steps.now())
    for path, content in older.items():
        path.write_bytes(content)
    (unknown,) = steps.verify_data(DataFolder(data)).damaged
    assert "a run that the state does not know" in unknown.line
    assert "readers are given" in run_well("repair", cwd=data.parent).stdout
    assert list_damaged_paths(DataFolder(data)) == set()
    run_well("doctor", cwd=data.parent)
    asked = run_well("sql", "SELECT count(*) FROM ops.crawls", "--format", "csv", cwd=data.parent)
    assert asked.stdout == "count_star()\n3\n"


@pytest.mark.parametrize("place", range(len(STATES)), ids=[*STATES])
@pytest.mark.share(60)
def test_any_command_says_what_is_wrong_in_one_line_and_the_doctors_commands_mend_it(data, answer, place):
    """Each state meets three of the commands and the question, and each command eight states or nine."""
    [*STATES.values()][place](data)
    for number in range(3):
        check_said(run_here(*READING[(3 * place + number) % len(READING)], cwd=data.parent))
    done = run_here(*bit_rot.QUESTION, cwd=data.parent)
    check_said(done)
    assert done.returncode or done.stdout == answer
    done = run_here("doctor", cwd=data.parent)
    check_said(done)
    for _ in range(6):
        commands = re.findall(r"^    (.+)$", done.stdout, re.MULTILINE)
        if not commands:
            break
        name, *rest = shlex.split(commands[0])
        assert name == "verdicts"
        mended = run_here(*rest, cwd=data.parent)
        check_said(mended)
        assert mended.returncode == 0, mended
        done = run_here("doctor", cwd=data.parent)
    if "holds no corpus yet" in done.stderr:
        return
    assert done.stdout == "nothing is wrong\n", done
    # Nothing else has what the pages said.
    if [*STATES][place] != "state alone":
        assert run_well(*bit_rot.QUESTION, cwd=data.parent).stdout == answer


@pytest.mark.parametrize(("state", "command"), [*zip([*STATES][::3], cycle(WRITING), strict=False)])
@pytest.mark.share(7)
def test_what_writes_says_it_too(data, state, command):
    STATES[state](data)
    check_said(run_here(command, cwd=data.parent))


def list_damaged_paths(folder):
    return {damage.path for damage in steps.verify_data(folder).damaged}


@pytest.mark.whole
def test_a_flipped_bit_of_what_has_a_digest_is_found_and_a_repair_makes_the_folder_sound(data):
    folder = DataFolder(data)
    for path in (*folder.raw.iterdir(), *data.glob("state.sqlite*")):
        before = path.read_bytes()
        bit_rot.flip(path)
        assert path.with_name(path.name.removesuffix(checksums.SUFFIX)) in list_damaged_paths(folder), path
        path.write_bytes(before)
    assert list_damaged_paths(folder) == set()
    bit_rot.flip(folder.state)
    run_well("repair", cwd=data.parent)
    assert list_damaged_paths(folder) == set()
    assert examine(folder, steps.now()) == ()


def make_outdated(data):
    """As an early version left it: state and warehouse of other schemas, and no digest anywhere."""
    for path in data.rglob(f"*{checksums.SUFFIX}"):
        path.unlink()
    with closing(sqlite3.connect(data / "state.sqlite")) as state:
        state.execute("DROP TABLE lost")
        state.execute("PRAGMA user_version = 2")
    for path in (data / "warehouse" / "corpus.duckdb", *(data / "serve").glob("corpus-*")):
        path.chmod(0o644)
        with duckdb.connect(str(path)) as connection:
            connection.execute("DROP TABLE IF EXISTS ops.gate_measures")
            if path.parent.name == "warehouse":
                connection.execute("DELETE FROM internal.migrations")
                connection.execute("INSERT INTO internal.migrations VALUES (4, 'early', now())")
            else:
                connection.execute("CREATE OR REPLACE MACRO schema_version() AS 4")
                link_for_clients(path)


@pytest.mark.whole
def test_a_folder_of_an_older_version_has_one_way_which_every_command_names(data):
    """The command is typed as it is printed; it stores no page again."""
    expected = read_tables(data / "warehouse" / "corpus.duckdb", without_columns=WITHOUT_LOAD)
    raw = {path.name: path.read_bytes() for path in (data / "raw").iterdir()}
    make_outdated(data)
    old = data.rename(data.parent / "it's  old")
    mends = set()
    for command in ("doctor", "status", "check", "verify", "build", "run", "snapshot other", "crawl --dry-run"):
        done = run_here(*command.split(), "--data", old, cwd=data.parent)
        assert done.returncode != 0
        said = done.stdout + done.stderr
        assert "an older version of verdicts wrote it" in said, done
        mends |= set(re.findall(r"(?:^    |to make it again from raw/: )(verdicts .+)$", said, re.MULTILINE))
    assert len(mends) == 1, mends
    (mend,) = mends
    run_well(*shlex.split(mend)[1:], cwd=data.parent)
    assert read_tables(old / "warehouse" / "corpus.duckdb", without_columns=WITHOUT_LOAD) == expected
    assert {path.name: path.read_bytes() for path in (old / "raw").iterdir()} == raw
    folder = DataFolder(old)
    assert examine(folder, steps.now()) == ()
    assert list_damaged_paths(folder) == set()
    run_well("query", "list_tools", "--data", old, cwd=data.parent)


@pytest.mark.whole
def test_segments_of_another_folder_that_are_taken_in_are_not_stored_again_by_the_next_crawl(data, tmp_path):
    run_well("ingest", data / "raw", "--data", "new", cwd=tmp_path)
    new = tmp_path / "new"
    run_well("crawl", "--data", new, cwd=tmp_path)
    with (
        open_store(data, command="test", read_only=True) as old_store,
        open_store(new, command="test", read_only=True) as store,
    ):
        before = {entry.url: entry.fetched_at for entry in old_store.index()}
        taken_in = [entry for entry in store.index() if entry.url in before]
        assert {entry.url: entry.fetched_at for entry in taken_in} == before
        outcomes = {(row.url, row.outcome) for row in store.read_fetches() if row.url in before}
    assert len(taken_in) == len(before)
    assert outcomes == {(url, how) for url in before for how in (Outcome.STORED, Outcome.UNCHANGED)}

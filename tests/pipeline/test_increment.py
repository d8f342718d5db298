"""A night normalizes and loads only what it touches, and the corpus is the same as after a full rebuild."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.normalize_pages import (
    CAST,
    HOST,
    Tool,
    address,
    dump,
    labelled,
    observed,
    page,
    reworded,
    tool,
    with_take,
)
from builders.warehouse_files import Tables, load_corpus, tables
from corpus.tables import CORPUS_TABLES
from extract.model.records import Observation, Reject
from fetch.model.errors import StorageFailed
from fetch.model.snapshot import Location
from pipeline.build import rounds
from pipeline.build.build_manifest import BuildManifest, manifest_of
from pipeline.build.record_files import write_records
from pipeline.failure_log import FailureLog
from pipeline.state import draft as state_draft
from pipeline.state import state_file
from pipeline.workers.record_rows import record_row

pytestmark = pytest.mark.matrix

SHARED = " ".join(f"word{number} said by both" for number in range(20))
TOOLS = (
    *CAST,
    with_take(tool("eta", name="Some Long Product", tagline="The same"), "PM", SHARED),
    with_take(tool("theta", name="Some Long Product", tagline="The same"), "PM", SHARED),
    tool("iota", name="Some Long Products"),
)
FAR = [labelled(tool(f"far-{number}"), tool(f"far-{number + 1}")) for number in range(0, 24, 2)]
"""Pages of a first night that no other one has to do with."""


@dataclass
class Nights:
    """Builds, one a night, over the record files of a folder, each by what the one before left."""

    folder: Path
    before: BuildManifest | None = None
    count: int = 0
    read: list[int] = field(default_factory=list)
    are_whole: list[bool] = field(default_factory=list)
    failures: FailureLog = field(default_factory=FailureLog)

    @property
    def state(self) -> Path:
        return self.folder / "rounds.sqlite"

    @property
    def warehouse(self) -> Path:
        return self.folder / "nights.duckdb"

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*.parquet"))

    def add(self, observations: Iterable[Observation], suffix: str = "") -> None:
        """One record file a segment."""
        by_crawl: dict[str, dict[Location, Observation]] = defaultdict(dict)
        for item in observations:
            by_crawl[item.location.segment].setdefault(item.location, item)
        for segment, by_place in by_crawl.items():
            name = f"{segment.partition('.')[0]}{suffix}.parquet"
            write_records(self.folder / name, [record_row(item) for item in by_place.values()])

    def manifest(
        self,
        gone: Iterable[str] = (),
        moved: Mapping[str, str] | None = None,
        held: Iterable[Observation] = (),
    ) -> BuildManifest:
        places = {item.location: item.url for item in held}
        return manifest_of(self.files, frozenset(gone), dict(moved or {}), places)

    def build(self, observations: Iterable[Observation] = (), **options: Any) -> None:
        """A night: its record files, its rounds, its load, its state."""
        self.add(observations)
        now = self.manifest(**options)
        counted = _Counted()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rounds, "read_records", counted.of(rounds.read_records))
            patch.setattr(rounds, "read_at", counted.of(rounds.read_at))
            made = rounds.run_rounds(self.state, self.files, now, self.before, self.failures)
        self.count += 1
        name = f"load-{self.count}"
        load_corpus(self.warehouse, dict(made.rows), load_id=name, crawls=(), fetches=(), scope=made.scope)
        made.keep(name)
        self.before = replace(now, state=name)
        self.read.append(counted.read)
        self.are_whole.append(made.scope is None)

    def check(self, **options: Any) -> None:
        """The tables have the rows of a build of everything at once."""
        with TemporaryDirectory() as name:
            made = rounds.run_rounds(
                Path(name, "rounds.sqlite"), self.files, self.manifest(**options), None, FailureLog()
            )
            path = Path(name, "whole.duckdb")
            load_corpus(path, dict(made.rows), load_id="load-1", crawls=(), fetches=())
            rebuilt = _comparable(path)
        nights = _comparable(self.warehouse)
        for table in rebuilt:
            assert nights[table] == rebuilt[table], table


class _Counted:
    read = 0

    def of(self, read: Any) -> Any:
        def counted(*given: Any) -> Any:
            for item in read(*given):
                self.read += 1
                yield item

        return counted


def _comparable(path: Path) -> Tables:
    """The rows without the load that brought them."""
    return {table: [row[:-1] for row in rows] for table, rows in tables(path).items() if table in CORPUS_TABLES}


@pytest.fixture
def nights(tmp_path: Path) -> Nights:
    """After a first night of pages that have nothing to do with each other."""
    made = Nights(tmp_path)
    made.build(FAR)
    return made


def _rejects(nights: Nights) -> list[tuple[str, str]]:
    return [(row[0], row[2]) for row in tables(nights.warehouse)["rejects"]]


@st.composite
def _observations(draw: st.DrawFn) -> Observation:
    first, second = sorted(draw(st.permutations(range(len(TOOLS))))[:2])
    how = st.sampled_from(["as it is", "as it is", "as it is", "cut", "edited", "renamed"])
    a, b = (_with_another_slug(reworded(TOOLS[number], draw(how)), draw) for number in (first, second))
    rendering = draw(st.sampled_from(["html", "html", "html", "innertext", "quotes"]))
    host = draw(st.sampled_from([HOST, HOST, "mirror.example"]))
    url = address(a, b, host) if rendering == "html" or draw(st.booleans()) else None
    url = f"{url}?ref=x" if url and draw(st.integers(0, 4)) == 0 else url
    night, moment = draw(st.integers(1, 3)), draw(st.integers(0, 59))
    if url and draw(st.integers(0, 9)) == 0:
        return observed(Reject("empty", "nothing"), url, night=night, second=moment)
    return observed(page(a, b, rendering), url, night=night, second=moment)  # type: ignore[arg-type]  # a rendering


def _with_another_slug(of: Tool, draw: st.DrawFn) -> Tool:
    """The site may have renamed it; it says so where a page leads from the one slug to the other."""
    return replace(of, slug=f"{of.slug}{draw(st.sampled_from(['', '', '', '-next', '-again']))}")


@given(st.lists(_observations(), min_size=2, max_size=9), st.data())
@settings(deadline=None, max_examples=4, derandomize=True)
def test_builds_night_by_night_give_the_corpus_of_a_full_rebuild(
    observations: list[Observation], data: st.DataObject
) -> None:
    urls = sorted({item.url for item in observations})
    some = st.sets(st.sampled_from(urls), max_size=2)
    pairs = st.dictionaries(st.sampled_from(urls), st.sampled_from(urls), max_size=3)
    by_crawl: dict[str, list[Observation]] = defaultdict(list)
    for item in observations:
        by_crawl[item.crawl_id].append(item)
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds, "WHOLE_SHARE", 100.0)
        nights = Nights(Path(name))
        last: dict[str, Any] = {}
        for number, (_, of_night) in enumerate(sorted(by_crawl.items())):
            last = {
                "gone": data.draw(some),
                "moved": data.draw(pairs | st.just({url: url.partition("?")[0] for url in urls if "?" in url})),
                "held": data.draw(st.lists(st.sampled_from(of_night), max_size=1)) if number else [],
            }
            nights.build(of_night, **last)
        assert nights.are_whole == [True] + [False] * (len(by_crawl) - 1)
        nights.check(**last)


def test_a_night_reads_what_is_new_and_the_pages_that_it_touches(nights: Nights) -> None:
    nights.build([labelled(TOOLS[0], TOOLS[4], night=2)])
    nights.build([labelled(TOOLS[0], TOOLS[1], night=3), dump(TOOLS[1], TOOLS[2], night=3)])
    assert nights.are_whole == [True, False, False]
    assert max(nights.read[1:]) < len(FAR) / 2
    nights.check()


def test_a_night_that_is_most_of_the_corpus_builds_everything_and_the_next_one_does_not(nights: Nights) -> None:
    nights.build([labelled(tool(f"new-{number}"), tool(f"new-{number + 1}"), night=2) for number in range(0, 20, 2)])
    nights.build([labelled(TOOLS[0], TOOLS[4], night=3)])
    assert nights.are_whole == [True, True, False]
    nights.check()


def test_a_night_without_news_writes_next_to_nothing(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    changes: list[int] = []
    keep = state_file.StateFile.keep

    def counted(self: state_file.StateFile, name: str) -> None:
        changes.append(self._connection.total_changes)
        keep(self, name)

    monkeypatch.setattr(state_file.StateFile, "keep", counted)
    size = nights.state.stat().st_size
    nights.build()
    assert (nights.are_whole, nights.read[1]) == ([True, False], 0)
    assert changes == [0]
    assert nights.state.stat().st_size == size


def test_nights_that_bring_the_same_pages_again_leave_a_state_of_the_same_size(nights: Nights) -> None:
    """What was replaced is no longer there."""
    sizes = []
    for number in range(2, 9):
        nights.build([labelled(tool("far-0"), tool("far-1"), night=number)])
        sizes.append(nights.state.stat().st_size)
    assert not any(nights.are_whole[1:])
    assert sizes[-1] - sizes[0] < 0.1 * sizes[0]


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _flipped_header(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"SQLight")


def _flipped_records(path: Path) -> None:
    """A bit of every record, which SQLite does not notice."""
    with sqlite3.connect(path) as connection:
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name != 'kept'").fetchall()
        for (name,) in names:
            for rowid, body in connection.execute(f"SELECT rowid, record FROM {name}").fetchall():
                other = body[:-1] + bytes([body[-1] ^ 1])
                connection.execute(f"UPDATE {name} SET record = ? WHERE rowid = ?", [other, rowid])


def _without_a_table(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE snapshots RENAME TO snapshoots")


def _of_another_load(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE kept SET name = 'load-0'")


def _of_another_format(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 0")


def _foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE notes (note)")


def _empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize(
    "harm",
    [
        _cut,
        _flipped_header,
        _flipped_records,
        _without_a_table,
        _of_another_load,
        _of_another_format,
        _foreign,
        _empty,
        Path.unlink,
    ],
    ids=lambda harm: harm.__name__.strip("_"),
)
@pytest.mark.share(4)
def test_a_state_that_is_not_as_it_was_kept_costs_a_whole_build_and_no_row(
    nights: Nights, harm: Any, caplog: pytest.LogCaptureFixture
) -> None:
    harm(nights.state)
    nights.build([labelled(TOOLS[0], TOOLS[4], night=2), labelled(tool("far-0"), tool("far-1"), night=2)])
    assert nights.are_whole == [True, True]
    assert ("everything is normalized anew" in caplog.text) == (harm is not Path.unlink)
    nights.build([labelled(TOOLS[0], TOOLS[1], night=3)])
    assert nights.are_whole == [True, True, False]
    assert nights.failures.failed == []
    nights.check()


def test_a_state_that_another_process_holds_is_replaced(
    nights: Nights, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **options: connect(*given, timeout=0, **options))
    other = sqlite3.connect(nights.state, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    nights.build([labelled(TOOLS[0], TOOLS[4], night=2)])
    other.close()
    assert "database is locked" in caplog.text
    nights.build([labelled(TOOLS[0], TOOLS[1], night=3)])
    assert nights.are_whole == [True, True, False]
    nights.check()


@pytest.mark.parametrize("is_whole", [False, True])
def test_a_disk_that_is_full_is_told_of_and_blamed_on_no_page(
    nights: Nights, monkeypatch: pytest.MonkeyPatch, is_whole: bool
) -> None:
    connect = sqlite3.connect

    def full(*given: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*given, **options)
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    monkeypatch.setattr(sqlite3, "connect", full)
    if is_whole:
        nights.before = None
    with pytest.raises(StorageFailed, match=r"rounds\.sqlite: database or disk is full"):
        nights.build([labelled(tool(f"new-{number}"), tool("new"), night=2) for number in range(5)])
    assert nights.failures.failed == []
    assert not state_draft.draft_of(nights.state).exists()
    monkeypatch.setattr(sqlite3, "connect", connect)
    nights.build()
    nights.check()


KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
from pipeline.state.state_file import StateFile
from normalize.snapshots import SNAPSHOTS
state = StateFile(Path(sys.argv[1]))
state._connection.execute("PRAGMA cache_size = 1")
state._connection.execute("PRAGMA cache_spill = 1")
for relation in ("snapshots", "sightings", "texts"):
    state._connection.execute(f"UPDATE {relation} SET record = zeroblob(5000)")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_kill_while_the_state_is_kept_costs_no_row(nights: Nights) -> None:
    """SQLite undoes what was half written, by the journal that the killed process left."""
    done = subprocess.run([sys.executable, "-c", KILLED, str(nights.state)], check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert nights.state.with_name("rounds.sqlite-journal").exists()
    nights.build([labelled(TOOLS[0], TOOLS[4], night=2), labelled(tool("far-0"), tool("far-1"), night=2)])
    assert nights.are_whole == [True, False]
    nights.check()


def test_a_whole_build_takes_away_what_a_killed_one_left(nights: Nights) -> None:
    draft = state_draft.draft_of(nights.state)
    draft.write_bytes(b"half")
    draft.with_name(f"{draft.name}-journal").write_bytes(b"half")
    nights.build([labelled(TOOLS[0], TOOLS[4], night=2)])
    assert sorted(path.name for path in nights.folder.glob("rounds*")) == ["rounds.sqlite"]


def test_a_record_file_that_was_written_anew_takes_the_place_of_what_it_had(nights: Nights) -> None:
    first = [labelled(TOOLS[0], TOOLS[4], night=2), labelled(TOOLS[1], TOOLS[5], night=2)]
    nights.build(first)
    (old,) = (path for path in nights.files if first[0].crawl_id in path.name)
    old.unlink()
    reread = replace(first[0], extracted=page(TOOLS[0], reworded(TOOLS[4], "edited")))
    nights.add([reread, labelled(TOOLS[2], TOOLS[5], night=2)], suffix=".v2")
    nights.build()
    assert nights.are_whole == [True, False, False]
    nights.check()


def test_what_is_held_and_let_in_again_has_the_rows_of_a_rebuild(nights: Nights) -> None:
    new = [labelled(TOOLS[0], TOOLS[4], night=2), labelled(tool("far-0"), tool("far-1"), night=2)]
    nights.build(new, held=new)
    nights.check(held=new)
    nights.build(held=new[1:])
    nights.check(held=new[1:])
    nights.build()
    nights.check()
    nights.build(held=[*new, FAR[3]])
    nights.check(held=[*new, FAR[3]])
    assert not any(nights.are_whole[1:])


def test_tombstones_and_moves_that_are_set_and_lifted_have_the_rows_of_a_rebuild(nights: Nights) -> None:
    moved = {FAR[1].url: FAR[2].url, f"{FAR[3].url}?ref=x": FAR[3].url}
    steps: Sequence[dict[str, Any]] = (
        {"gone": [FAR[0].url]},
        {"gone": [FAR[0].url, FAR[4].url], "moved": moved},
        {"moved": {FAR[1].url: FAR[5].url}},
        {},
    )
    for night in steps:
        nights.build(**night)
        nights.check(**night)
    assert not any(nights.are_whole[1:])


def test_a_page_that_the_normalizer_fails_on_is_left_out_told_and_tried_no_more(
    nights: Nights, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring, evil = rounds.bring, labelled(TOOLS[0], TOOLS[4], night=2)

    def broken(state: Any, night: Any, *options: Any) -> Any:
        done = bring(state, night, *options)
        if any(item.url == evil.url for item in night.new):
            raise ZeroDivisionError("ours")
        return done

    monkeypatch.setattr(rounds, "bring", broken)
    good = [labelled(TOOLS[1], TOOLS[5], night=2), labelled(tool("far-0"), tool("far-1"), night=2)]
    nights.build([*good, evil])
    assert nights.failures.failed == [evil.url]
    assert _rejects(nights) == [(evil.url, "normalizer_failed")]
    nights.build([labelled(TOOLS[2], TOOLS[5], night=3)])
    assert nights.are_whole == [True, False, False]
    assert nights.failures.failed == [evil.url]
    assert _rejects(nights) == [(evil.url, "normalizer_failed")]
    monkeypatch.setattr(rounds, "bring", bring)
    (old,) = (path for path in nights.files if evil.crawl_id in path.name)
    old.rename(old.with_name(f"{evil.location.segment.partition('.')[0]}.v2.parquet"))
    nights.build()
    assert _rejects(nights) == []
    nights.check()

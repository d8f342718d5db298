"""Readers have a copy of their own, and the night never disturbs them."""

import os
import shutil
import stat
import tempfile
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from builders import warehouse_rows as make
from builders.warehouse_files import VIEWS, answer_frame, load_corpus, publish, tables
from verdicts.warehouse.schema.declared import relations
from verdicts.warehouse.serving.copy import INDEXES
from verdicts.warehouse.serving.published import (
    Keep,
    choose_kept,
    copies,
    find_published,
    is_for_clients,
    path_for_clients,
    point_to,
    rollback,
)
from verdicts.warehouse.serving.published import publish as publish_file
from verdicts.warehouse.storage.warehouse_errors import NothingPublished


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    path = tmp_path_factory.mktemp("loaded") / "corpus.duckdb"
    load_corpus(path)
    return path


@pytest.fixture
def path(loaded, tmp_path):
    """A warehouse of the test's own."""
    return Path(shutil.copyfile(loaded, tmp_path / "corpus.duckdb"))


@pytest.fixture
def serve(tmp_path):
    return tmp_path / "serve"


def publish_small(serve, load_id):
    """A night whose whole corpus is the id of its load."""

    def make_file(draft):
        with duckdb.connect(draft) as connection:
            connection.execute("CREATE TABLE loads AS SELECT ? AS load_id", [load_id])
        return load_id

    return publish_file(serve, make_file)


def publish_night(path, serve, load_id, rows=None):
    """A night that brings a crawl and nothing else."""
    load_corpus(path, rows, load_id=load_id, loaded_at=make.NEXT_NIGHT, crawls=[make.Crawl(f"crawl of {load_id}")])
    return publish(path, serve, at=make.NIGHT)


def test_a_published_copy_holds_what_the_warehouse_holds(path, serve):
    serve.mkdir()
    for left in (".corpus-load-0.duckdb.tmp", ".corpus-load-0.duckdb.tmp.wal"):
        (serve / left).write_bytes(b"half a copy, of a publication that was killed")
    copy = publish(path, serve, at=make.NIGHT)
    assert find_published(serve) == copy
    assert tables(copy) == tables(path)
    assert not stat.S_IMODE(copy.stat().st_mode) & 0o222
    assert sorted(file.name for file in serve.iterdir()) == ["corpus-load-1.duckdb", "corpus.duckdb", "current"]
    with duckdb.connect(copy, read_only=True) as connection:
        made = connection.execute("SELECT table_name, expressions FROM duckdb_indexes()").fetchall()
    indexed = sorted((table.rpartition(".")[2], column) for table, column in INDEXES)
    assert sorted((table, column.strip("[]'\"")) for table, column in made) == indexed


@pytest.mark.whole
def test_a_view_of_a_copy_says_what_it_says_of_the_warehouse(path, serve):
    copy = publish(path, serve, at=make.NIGHT)
    for view in VIEWS.values():
        question = f"SELECT * FROM {view} ORDER BY ALL"
        assert answer_frame(copy, question).equals(answer_frame(path, question)), view
    described = []
    for file in (path, copy):
        with duckdb.connect(file, read_only=True) as connection:
            described.append(relations(connection))
    assert described[0] == described[1]


def test_without_a_copy_the_error_says_what_to_do(serve):
    with pytest.raises(NothingPublished, match="verdicts run"):
        find_published(serve)
    publish_small(serve, "load-1").unlink()
    with pytest.raises(NothingPublished, match="verdicts publish"):
        find_published(serve)


def test_the_path_of_a_copy_is_never_used_twice(serve):
    first, second, third = (publish_small(serve, "load-1") for _ in range(3))
    assert len({first, second, third}) == 3
    assert find_published(serve) == third


def test_rollback_points_to_the_copy_before_and_never_to_one_that_was_withdrawn(serve):
    first = publish_small(serve, "load-1")
    publish_small(serve, "load-2")
    assert rollback(serve) == find_published(serve) == first
    with pytest.raises(NothingPublished, match="no copy before"):
        rollback(serve)
    assert find_published(serve) == first
    publish_small(serve, "load-3")
    assert rollback(serve) == first


def read_load(path):
    """What a client reads that knows only the path and the catalog `corpus`."""
    with duckdb.connect(path, read_only=True) as connection:
        return connection.execute("SELECT load_id FROM corpus.loads").fetchall()[0][0]


def test_a_client_that_is_configured_once_has_each_night_and_each_rollback(serve):
    first = publish_small(serve, "load-1")
    fixed = path_for_clients(serve)
    with duckdb.connect(fixed, read_only=True) as reader:
        second = publish_small(serve, "load-2")
        assert reader.execute("FROM loads").fetchall() == [("load-1",)], "an open client keeps its night"
    assert (path_for_clients(serve), read_load(fixed)) == (fixed, "load-2")
    assert fixed.samefile(second), "it takes no space of its own"
    assert rollback(serve) == first
    assert read_load(fixed) == "load-1"


@pytest.mark.parametrize("draft", [".corpus.duckdb.tmp", ".current.tmp"])
def test_a_publication_that_ends_while_readers_are_moved_is_made_up_for_by_the_next(serve, monkeypatch, draft):
    first, replace = publish_small(serve, "load-1"), os.replace

    def end(source, target):
        if Path(source).name == draft:
            raise KeyboardInterrupt
        replace(source, target)

    monkeypatch.setattr(os, "replace", end)
    with pytest.raises(KeyboardInterrupt):
        publish_small(serve, "load-2")
    monkeypatch.undo()
    assert find_published(serve) == first
    assert read_load(path_for_clients(serve)) in {"load-1", "load-2"}
    # What a kill leaves.
    os.link(first, serve / ".corpus.duckdb.tmp")
    assert path_for_clients(serve).samefile(publish_small(serve, "load-2"))
    assert not [file.name for file in serve.iterdir() if file.name.startswith(".")]


def test_without_hard_links_the_path_is_a_copy(serve, monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    publish_small(serve, "load-1")
    copy, fixed = publish_small(serve, "load-2"), path_for_clients(serve)
    assert read_load(fixed) == "load-2"
    assert is_for_clients(copy)
    assert not stat.S_IMODE(fixed.stat().st_mode) & 0o222
    fixed.unlink()
    assert not is_for_clients(copy)
    with pytest.raises(NothingPublished, match=r"corpus\.duckdb is missing; run 'verdicts publish'"):
        path_for_clients(serve)


def test_what_a_killed_client_wrote_is_not_in_the_next_copy(serve):
    publish_small(serve, "load-1")
    log = serve / "corpus.duckdb.wal"
    log.write_bytes(b"rows of a client that opened the file as root, and not read-only")
    publish_small(serve, "load-2")
    assert not log.exists()
    assert read_load(path_for_clients(serve)) == "load-2"


@contextmanager
def ordinary_user(folder):
    """This process without the rights of root, in a folder that belongs to the ordinary user."""
    if os.geteuid() != 0:
        yield
        return
    for path in (folder, *folder.rglob("*")):
        os.chown(path, 65534, 65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_the_owner_can_only_read_the_path_also_where_he_may_write_nothing():
    with tempfile.TemporaryDirectory() as outside:
        serve = Path(outside, "serve")
        publish_small(serve, "load-1")
        with ordinary_user(Path(outside)):
            serve.chmod(0o555)
            with pytest.raises(duckdb.IOException, match="Permission denied"):
                duckdb.connect(path_for_clients(serve))
            assert read_load(path_for_clients(serve)) == "load-1"
            serve.chmod(0o755)


def test_a_copy_that_fails_half_way_leaves_the_last_one_published(path, serve, monkeypatch):
    first = publish(path, serve, at=make.NIGHT)

    def fill_the_disk(_, target):
        target.write_bytes(b"half a copy")
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(shutil, "copyfile", fill_the_disk)
    with pytest.raises(OSError, match="No space left"):
        publish_night(path, serve, "load-2")
    assert find_published(serve) == first
    assert sorted(file.name for file in serve.iterdir()) == ["corpus-load-1.duckdb", "corpus.duckdb", "current"]


def test_a_copy_without_news_of_the_corpus_still_has_the_new_crawl(path, serve):
    publish(path, serve, at=make.NIGHT)
    load_corpus(path, load_id="load-2", crawls=[make.Crawl("20261121T013000Z-0002")])
    copy = publish(path, serve, at=make.NIGHT)
    assert answer_frame(copy, "SELECT count(*) AS n FROM ops.crawls").item() == 2


@pytest.fixture
def pointed(serve):
    """A folder of copies, and a copy outside it. Nobody opens them."""
    serve.mkdir()
    for copy in (serve / "corpus-load-1.duckdb", serve.parent / "corpus-load-1.duckdb"):
        copy.touch()
    point_to(serve / "corpus-load-1.duckdb")
    return serve


@pytest.mark.parametrize(
    "content",
    [
        "../corpus-load-1.duckdb",
        "/etc/passwd",
        "corpus-/../../corpus-load-1.duckdb",
        "corpus-a/b.duckdb",
        "corpus-load-1.duckdb\ncorpus-load-2.duckdb",
        "corpus-\x00.duckdb",
        "corpus-" + "a" * 100_000 + ".duckdb",
        "",
    ],
)
def test_a_pointer_leads_to_a_copy_beside_it_or_nowhere(pointed, content):
    assert find_published(pointed) == pointed / "corpus-load-1.duckdb"
    (pointed / "current").write_text(content)
    with pytest.raises(NothingPublished, match="run 'verdicts publish'") as refused:
        find_published(pointed)
    assert len(str(refused.value)) < 500
    point_to(pointed / "corpus-load-1.duckdb")
    assert find_published(pointed) == pointed / "corpus-load-1.duckdb"


def test_a_link_is_no_copy_and_no_pointer(pointed):
    (pointed / "corpus-load-1.duckdb").unlink()
    (pointed / "corpus-load-1.duckdb").symlink_to(pointed.parent / "corpus-load-1.duckdb")
    with pytest.raises(NothingPublished, match="is missing"):
        find_published(pointed)
    assert copies(pointed) == []
    (pointed / "current").unlink()
    (pointed / "current").symlink_to("/etc/passwd")
    with pytest.raises(NothingPublished, match="is not a file"):
        find_published(pointed)


def test_of_published_copies_the_newest_of_days_weeks_and_months_stay():
    days = [(month, day) for month in range(1, 7) for day in range(1, 29)]
    copies = [Path(f"corpus-2026{month:02}{day:02}T013000Z-0000.duckdb") for month, day in days]
    staying = {path.name[11:15] for path in choose_kept(copies, Keep(daily=4, weekly=3, monthly=3))}
    by_day, by_week, by_month = {"0628", "0627", "0626", "0625"}, {"0628", "0621", "0614"}, {"0628", "0528", "0428"}
    assert staying == by_day | by_week | by_month
    assert len(choose_kept(copies, Keep(0, 0, 0))) == 3, "never none"

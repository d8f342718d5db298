"""Objects are created once, whoever tries."""

import os
import signal
import subprocess
import sys

import pytest

from builders.s3_server import s3_server
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.objects import ObjectMissing, Range, open_objects

FAILING = {"folder": None, "bucket": 0, "bucket that fails": 5}
"""Stores to one request in how many fails there, in which case a creator may miss its own success."""


@pytest.fixture(params=FAILING)
def url(request, tmp_path):
    if FAILING[request.param] is None:
        yield str(tmp_path)
        return
    with s3_server(one_in=FAILING[request.param]) as server:
        yield "s3://bucket/a/corpus"
        assert bool(server.failed.total()) == bool(server.one_in)


@pytest.fixture
def server():
    with s3_server() as server:
        yield server


CREATES = """
import sys
from verdicts.fetch.objects import open_objects
objects = open_objects(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
print(objects.create("tables/manifest-000001.json", sys.argv[2].encode() * 100_000), flush=True)
"""


def test_of_several_creators_one_is_first_and_all_read_its_bytes(url):
    children = [
        subprocess.Popen(
            [sys.executable, "-c", CREATES, url, str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(6)
    ]
    for child in children:
        assert child.stdout.readline() == "ready\n"
    won = [child.communicate("\n", timeout=60)[0].strip() for child in children]
    body = open_objects(url).read("tables/manifest-000001.json")
    first = int(body[:1])
    assert body == str(first).encode() * 100_000
    assert {number for number, said in enumerate(won) if said == "True"} <= {first}
    assert {*won} <= {"True", "False"}


@pytest.mark.usefixtures("server")
def test_a_creator_whose_every_answer_came_is_told_that_it_was_first(tmp_path):
    for objects in (open_objects(str(tmp_path)), open_objects("s3://bucket")):
        assert [objects.create("a", b"1"), objects.create("a", b"1")] == [True, False]


def test_an_object_that_is_there_stays_as_it_is(url, tmp_path):
    objects = open_objects(url)
    (tmp_path / "file").write_bytes(b"second" * 2_000_000)
    for number in range(10):
        objects.create(f"a/{number}", b"first")
        assert not objects.create(f"a/{number}", b"second")
        assert not objects.create(f"a/{number}", tmp_path / "file")
        assert objects.read(f"a/{number}") == b"first"


def test_a_file_becomes_an_object_of_its_bytes(url, tmp_path):
    objects = open_objects(url)
    for name, body in {"large": os.urandom(7_000_000), "empty": b""}.items():
        (tmp_path / f"{name}.file").write_bytes(body)
        objects.create(f"files/{name}", tmp_path / f"{name}.file")
        assert objects.read(f"files/{name}") == body


def test_parts_of_an_object_are_read_in_the_order_asked_for(url):
    objects = open_objects(url)
    objects.create("numbers", b"0123456789")
    assert objects.read_ranges("numbers", [Range(7, 2), Range(0, 3)]) == [b"78", b"012"]
    assert objects.size("numbers") == 10


def test_a_missing_object_is_told_by_its_name(url):
    objects = open_objects(url)
    with pytest.raises(ObjectMissing, match="raw/gone"):
        objects.read("raw/gone")
    assert objects.size("raw/gone") is None
    objects.remove("raw/gone")


def test_names_are_those_that_begin_so_however_many_answers_they_take(url):
    objects = open_objects(url)
    names = [f"raw/{number:02}" for number in range(11)]
    for name in (*names, "rawer/c", "records/d", "records/gone"):
        objects.create(name, b"")
    objects.remove("records/gone")
    assert list(objects.names("raw")) == [*names, "rawer/c"]
    assert list(objects.names("raw/0")) == names[:10]
    assert list(objects.names("tables/")) == []
    assert [*objects.names()][-1] == "records/d"


def test_a_draft_of_a_killed_process_is_no_object(tmp_path):
    objects = open_objects(str(tmp_path))
    for name in ("raw/b", "raw/a", "rawer/c", "records/d"):
        objects.create(name, b"")
    halfway = (
        "shutil.copyfileobj = lambda _, file: (file.write(b'half'), print('half', flush=True), sys.stdin.readline())"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", f"import shutil, sys\n{halfway}{CREATES}", str(tmp_path), "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    child.stdin.write("\n")
    child.stdin.flush()
    assert [child.stdout.readline(), child.stdout.readline()] == ["ready\n", "half\n"]
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    assert list(objects.names("raw")) == ["raw/a", "raw/b", "rawer/c"]
    assert list(objects.names("tables/")) == []
    assert objects.create("tables/manifest-000001.json", b"whole")


def test_a_bucket_that_refuses_says_what_to_check(server):
    objects = open_objects("s3://bucket")
    server.key = "another"
    with pytest.raises(StorageFailed, match=r"raw/a: the store refuses .* check AWS_ACCESS_KEY_ID"):
        objects.create("raw/a", b"")


@pytest.mark.usefixtures("server")
def test_a_bucket_that_is_not_there_is_told():
    with pytest.raises(StorageFailed, match="there is no bucket 'another'"):
        open_objects("s3://another/corpus").create("raw/a", b"")


def test_without_its_packages_a_bucket_says_what_to_install(monkeypatch):
    for name in ("obstore", "verdicts.fetch.objects.s3"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "obstore", None)
    with pytest.raises(StorageFailed, match="needs the extra 'scale'"):
        open_objects("s3://bucket/corpus")

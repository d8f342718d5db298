"""Objects are created once, whoever tries."""

import os
import signal
import subprocess
import sys

import pytest

from fetch.objects.objects import ObjectMissing, Range
from fetch.objects.opening import open_objects

CREATES = """
import sys
from fetch.objects.opening import open_objects
objects = open_objects(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
print(objects.create("tables/manifest-000001.json", sys.argv[2].encode() * 100_000), flush=True)
"""


def test_of_several_creators_one_is_first_and_all_read_its_bytes(tmp_path):
    children = [
        subprocess.Popen(
            [sys.executable, "-c", CREATES, str(tmp_path), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(6)
    ]
    for child in children:
        assert child.stdout.readline() == "ready\n"
    won = [child.communicate("\n", timeout=60)[0].strip() for child in children]
    assert sorted(won) == ["False"] * 5 + ["True"]
    body = open_objects(str(tmp_path)).read("tables/manifest-000001.json")
    assert body == str(won.index("True")).encode() * 100_000


def test_an_object_that_is_there_stays_as_it_is(tmp_path):
    objects = open_objects(str(tmp_path))
    assert objects.create("a/b", b"first")
    assert not objects.create("a/b", b"second")
    assert objects.read("a/b") == b"first"


def test_parts_of_an_object_are_read_in_the_order_asked_for(tmp_path):
    objects = open_objects(str(tmp_path))
    objects.create("numbers", b"0123456789")
    assert objects.read_ranges("numbers", [Range(7, 2), Range(0, 3)]) == [b"78", b"012"]
    assert objects.size("numbers") == 10


def test_a_missing_object_is_told_by_its_name(tmp_path):
    objects = open_objects(str(tmp_path))
    with pytest.raises(ObjectMissing, match="raw/gone"):
        objects.read("raw/gone")
    assert objects.size("raw/gone") is None
    objects.remove("raw/gone")


def test_names_are_those_below_a_prefix_and_no_draft_of_a_killed_process(tmp_path):
    objects = open_objects(str(tmp_path))
    for name in ("raw/b", "raw/a", "rawer/c", "records/d"):
        objects.create(name, b"")
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            CREATES.replace("objects.create(", "objects._create(").replace(
                "sys.argv[2].encode() * 100_000",
                "lambda file: (file.write(b'half'), print('half', flush=True), sys.stdin.readline())",
            ),
            str(tmp_path),
            "1",
        ],
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

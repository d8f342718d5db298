"""Files that a person names: nothing waits for a pipe, reads a device for ever, or follows a link unasked."""

import os
import socket
import stat
from pathlib import Path

import pytest

from verdicts.fetch.input_files import open_file, open_output, open_stream, read_file

DEVICE = Path("/dev/zero")


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))


MADE = {
    "pipe": (os.mkfifo, "is a pipe"),
    "socket": (make_socket, "is a socket"),
    "folder": (Path.mkdir, "is a folder"),
    "link to a device": (lambda path: path.symlink_to(DEVICE), "is a device"),
    "link to itself": (lambda path: path.symlink_to(path), "Too many levels"),
    "link to nothing": (lambda path: path.symlink_to("nowhere"), "No such file"),
}


@pytest.mark.parametrize("name", MADE)
def test_what_is_no_file_is_named_at_once(tmp_path, name):
    make, why = MADE[name]
    path = tmp_path / "x"
    make(path)
    with pytest.raises(OSError, match=why) as refusal:
        open_file(path)
    assert refusal.value.filename == str(path)


def test_a_link_is_followed_where_that_is_wanted(tmp_path):
    (tmp_path / "page").write_bytes(b"words")
    (tmp_path / "link").symlink_to("page")
    assert read_file(tmp_path / "link") == b"words"
    with pytest.raises(OSError, match="is a link, and is not followed"):
        read_file(tmp_path / "link", follows_links=False)


@pytest.mark.parametrize("becomes", [os.mkfifo, lambda path: path.symlink_to("/etc/passwd")])
def test_what_a_name_stands_for_may_change_before_it_is_opened(tmp_path, monkeypatch, becomes):
    path = tmp_path / "page"
    path.write_bytes(b"words")
    seen = path.lstat()
    path.unlink()
    becomes(path)
    monkeypatch.setattr(Path, "stat", lambda *_, **__: seen)
    with pytest.raises(OSError, match=r"is a pipe|Too many levels"):
        open_file(path, follows_links=False)


def test_a_file_that_is_longer_than_it_may_be_is_not_read_to_its_end(tmp_path):
    with (tmp_path / "holes").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(OSError, match="more than 1,000 bytes"):
        read_file(tmp_path / "holes", 1_000)


def test_an_answer_waits_for_nobody_to_read_it(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a pipe that nobody reads"):
        open_output(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    with open_output(tmp_path / "pipe") as file:
        file.write("words\n")
    assert os.read(reader, 100) == b"words\n"
    os.close(reader)
    with open_output(tmp_path / "file") as file:
        file.write("words\n")
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) & 0o600 == 0o600


def test_a_pipe_that_nobody_writes_is_empty(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with open_stream(str(tmp_path / "pipe")) as file:
        assert file.read() == ""

"""Files and address lists of any content: what cannot be read is named with its place, the rest is taken."""

import os
from pathlib import Path

import pytest

from builders.command import find_published_file, read_tables, run_here
from builders.renderings import RENDERERS, page_url
from verdicts.demo_site.site_facts import load_facts
from verdicts.fetch.model.fetch_errors import FilesUnusable
from verdicts.pipeline.sources.page_files import find_sources

FACTS = load_facts()
A, B = "http://a.example/a", "http://a.example/b"
GOOD = f"path,url\na.txt,{A}\nb.html,{B}\n".encode()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.txt").write_text("A")
    (tmp_path / "b.html").write_text("<p>B")
    return tmp_path


def find(folder, urls=None):
    """The address of each file that can be read, and the problems of all others."""
    sources = find_sources([folder], urls)
    return {s.path.name: s.url for s in sources if s.problem is None}, [s.problem for s in sources if s.problem]


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + GOOD.replace(b"\n", b"\r\n"),
        f"url,path,note\n{A},a.txt,\n{B},b.html,same\n{B},b.html,again\n".encode(),
        f'"path","url"\n"a.txt","{A}"\n{"x" * 5_000},http://a.example/x\nb.html,{B}'.encode(),
        GOOD + b"not-there.txt,http://a.example/c\n\n",
    ],
)
def test_a_list_gives_each_file_its_address(folder, content):
    (folder / "urls.csv").write_bytes(content)
    assert find(folder) == ({"a.txt": A, "b.html": B}, [])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"c.txt", "1 columns instead of 2"),
        (b"c.txt,http://a.example/c,d", "3 columns instead of 2"),
        (b"c\0.txt,http://a.example/c", "a NUL in the path"),
        (b"c.txt,http://a.example/\0", "the address is not UTF-8 text"),
        (b"c.txt,http://a.example/\xe9", "the address is not UTF-8 text"),
        (b"c.txt,http://[::1", "is not an address"),
        (b"c.txt,javascript:alert(1)", "is not an http or https address"),
        (b'"c.txt,http://a.example/c', "unexpected end of data"),
        (b"a.txt,http://a.example/other", f"a.txt has the address '{A}' already"),
        (b"x" * 20_000_000 + b",http://a.example/c", "field larger than field limit"),
    ],
)
def test_a_broken_line_of_a_list_costs_itself_and_is_named(folder, line, why):
    first, *rest = GOOD.split(b"\n")
    lines = [first, *rest[:1], line, *rest[1:]] if line.startswith(b"a.txt") else [first, line, *rest]
    (folder / "urls.csv").write_bytes(b"\n".join(lines))
    addresses, (problem,) = find(folder)
    assert addresses == {"a.txt": A, "b.html": B}
    assert f"urls.csv:{lines.index(line) + 1}: " in problem
    assert why in problem


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"file;address\n"),
        lambda path: path.write_bytes(f"a.txt,{A}\n".encode()),
        lambda path: path.write_bytes(bytes(range(256)) * 50),
        lambda path: path.mkdir(),
        os.mkfifo,
        lambda path: path.symlink_to("nowhere"),
    ],
)
def test_what_is_no_list_is_named_and_the_files_are_taken_without_addresses(folder, make):
    make(folder / "urls.csv")
    addresses, (problem,) = find(folder)
    assert addresses == {"a.txt": None, "b.html": None}
    assert "urls.csv" in problem
    with pytest.raises(FilesUnusable):
        find(folder, folder / "urls.csv")


def test_what_is_no_file_is_named_and_nothing_is_read_for_ever(folder):
    os.mkfifo(folder / "pipe.html")
    (folder / "dangling.html").symlink_to("nowhere")
    (folder / "itself.html").symlink_to("itself.html")
    (folder / "folder.html").mkdir()
    (folder / "sub").mkdir()
    (folder / "sub" / "up").symlink_to("..")
    (folder / "UPPER.HTML").write_text("<p>U")
    addresses, problems = find(folder)
    assert set(addresses) == {"a.txt", "b.html", "UPPER.HTML"}
    broken = ["dangling.html", "itself.html", "pipe.html", "up"]
    assert sorted(problem.rpartition("/")[2].partition(":")[0] for problem in problems) == broken
    named = find_sources([folder / "pipe.html", Path("/dev/zero")], None)
    assert [source.problem.rpartition(": is ")[2] for source in named] == ["a pipe, not a file", "a device, not a file"]


def test_one_folder_of_all_that_is_broken_is_taken_in_part(tmp_path):
    pages = tmp_path / "pages"
    pages.mkdir()
    first, second = FACTS.pairs[:2]
    (pages / "first.txt").write_text(RENDERERS["quotes"](FACTS, first), encoding="utf-8")
    (pages / "second.html").write_text(RENDERERS["html_flat"](FACTS, second), encoding="utf-8")
    (pages / os.fsdecode(b"caf\xe9.html")).write_text("<html><p>coffee")
    (pages / os.fsdecode(b"\xff.html")).symlink_to("nowhere")
    (pages / "\x1b]0;x\x07.html").write_bytes(b"\xff\xfe\0\0")
    with (pages / "huge.html").open("wb") as file:
        file.truncate(3_000_000_000)
    (pages / "noise.warc.gz").write_bytes(b"\x1f\x8b\x08" * 2_000)
    (pages / "urls.csv").write_text(f"path,url\nfirst.txt\nfirst.txt,{page_url(first)}\n")
    done = run_here("ingest", pages, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    tables = read_tables(find_published_file(tmp_path / "data"), without=())
    details = " ".join(str(value) for row in tables["fetches"] for value in row)
    for words in ("\\xff.html: is a link", "huge.html: more than", "noise.warc.gz: the record at", "urls.csv:2: "):
        assert words in details
    assert [row[1] for row in tables["pages"]].count("panel") == 2

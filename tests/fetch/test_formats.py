"""Files of other programs: each is read as its own readers read it, or refused with the name of its format."""

import gzip
import io
import json
import zipfile
from base64 import b64encode
from datetime import UTC, datetime
from email.message import EmailMessage

import brotli
import pytest
import warcio
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from builders.command import run_here
from verdicts.fetch.archives.archive_records import zstd
from verdicts.fetch.replay.wacz import write_wacz
from verdicts.fetch.run.ingest import ingest
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.sources.page_files import find_sources

NOW = datetime(2026, 11, 1, tzinfo=UTC)
PAGE = "<html><p>A page of Zoë.</p></html>".encode()
HTML = "text/html; charset=utf-8"


def warc(*pages, kind="response"):
    """A `.warc.gz` of warcio: name, body, further HTTP headers."""
    file = io.BytesIO()
    writer = WARCWriter(file, gzip=True)
    for name, body, *headers in pages:
        http = StatusAndHeaders("200 OK", [("Content-Type", HTML), *headers], protocol="HTTP/1.1")
        url, date = f"http://a.example/{name}", {"WARC-Date": "2024-05-01T10:00:00Z"}
        writer.write_record(
            writer.create_warc_record(url, kind, io.BytesIO(body), http_headers=http, warc_headers_dict=date)
        )
    return file.getvalue()


def take_in(tmp_path, name, content, data="data"):
    """The stored pages by the end of their address, and what could not be read."""
    path = tmp_path / name
    path.write_bytes(content)
    with open_store(tmp_path / data, command="ingest") as store:
        run = ingest(store, find_sources([path], None), clock=lambda: NOW)
        pages = [store.read(entry.location) for entry in store.index()]
        return {page.url.rpartition("/")[2]: page for page in pages}, store.list_unreadable(run.crawl_id, 9)


CHUNKED = ("Transfer-Encoding", "chunked")
BODIES = {
    "brotli": (brotli.compress(PAGE), ("Content-Encoding", "br")),
    "zstd": (zstd.compress(PAGE[:9]) + zstd.compress(PAGE[9:]), ("Content-Encoding", "zstd")),
    "deflate over brotli": (zstd.compress(brotli.compress(PAGE)), ("Content-Encoding", "br, zstd")),
    "decoded, with its header": (PAGE, ("Content-Encoding", "br")),
    "no coding": (PAGE, ("Content-Encoding", "none, utf-8, text/html")),
    "without its chunks": (PAGE, CHUNKED),
    "packed and without its chunks": (gzip.compress(PAGE), CHUNKED, ("Content-Encoding", "gzip")),
    "chunks with extensions and a trailer": (
        b"9;seen=1\r\n%s\r\n%x ;a\r\n%s\r\n000\r\nX-Sum: 1\r\n\r\n" % (PAGE[:9], len(PAGE) - 9, PAGE[9:]),
        CHUNKED,
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_body_is_read_however_its_writer_left_it(tmp_path, name):
    pages, unread = take_in(tmp_path, "a.warc.gz", warc(("x", *BODIES[name])))
    assert ([page.body for page in pages.values()], unread) == ([PAGE], [])


@pytest.mark.parametrize("body", [brotli.compress(PAGE)[:-3], b"5\r\n<html\r\n", b"\x8b" * 50])
def test_a_body_that_is_cut_or_no_stream_is_told(tmp_path, body):
    header = CHUNKED if body.startswith(b"5") else ("Content-Encoding", "br")
    pages, unread = take_in(tmp_path, "a.warc.gz", warc(("x", body, header)))
    assert (pages, len(unread)) == ({}, 1)


def test_a_brotli_bomb_stops_at_the_limit(tmp_path):
    pages, (told,) = take_in(
        tmp_path, "a.warc.gz", warc(("x", brotli.compress(bytes(90_000_000)), ("Content-Encoding", "br")))
    )
    assert (pages, "inflates to more than" in told) == ({}, True)


def test_records_that_are_no_pages_make_no_ingest_fail(tmp_path):
    """A film above the limit, a picture, a page that the browser gave up, a revisit."""
    film = b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n" + bytes(25_000_000)
    picture = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n\x89PNG"
    head = "WARC/1.1\r\nWARC-Type: {}\r\nWARC-Target-URI: http://a.example/{}\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n{}"
    parts = [
        head.format(kind, name, "Content-Type: application/http; msgtype=response\r\n").encode()
        + more
        + b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (len(content), content)
        for kind, name, more, content in (
            ("response", "film", b"", film),
            ("response", "picture", b"", picture),
            ("response", "gone", b"", b"HTTP/1.1 0 No Content\r\ndate: now\r\n\r\n"),
            ("revisit", "again", b"", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            ("response", "page", b"", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE),
        )
    ]
    pages, unread = take_in(tmp_path, "a.warc", b"".join(parts))
    assert ([*pages], unread) == (["page"], [])
    with open_store(tmp_path / "data", command="test", read_only=True) as store:
        ((_, reason, count, *_),) = store.state.execute("SELECT host, reason, skipped FROM skips").fetchall()
    assert (reason, count) == ("revisit", 1)


def pack(files, way=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", way) as package:
        for name, content in files.items():
            package.writestr(name, content)
    return file.getvalue()


def test_the_archives_of_a_wacz_of_a_collection_and_of_a_zip_are_read(tmp_path):
    one = pack(
        {"datapackage.json": "{}", "archive/1.warc.gz": warc(("a", PAGE)), "archive/2.warc.gz": warc(("b", PAGE))}
    )
    for name, content, expected in (
        ("one.wacz", one, "ab"),
        (
            "many.wacz",
            pack({"x.wacz": one, "y.wacz": pack({"archive/3.warc": gzip.decompress(warc(("c", PAGE)))})}),
            "abc",
        ),
        ("crawl.warc.zip", pack({"crawl.warc.gz": warc(("d", PAGE))}, zipfile.ZIP_DEFLATED), "d"),
    ):
        pages, unread = take_in(tmp_path, name, content, data=name + ".d")
        assert ("".join(sorted(pages)), unread) == (expected, [])


def test_a_damaged_file_in_a_wacz_is_told_and_the_others_are_read(tmp_path):
    content = bytearray(pack({"archive/1.warc.gz": warc(("a", PAGE)), "archive/2.warc.gz": warc(("b", PAGE))}))
    content[content.index(b"2.warc.gz") + 40] ^= 1
    pages, unread = take_in(tmp_path, "a.wacz", bytes(content))
    assert [*pages] == ["a"]
    assert any("archive/2.warc.gz" in line for line in unread)
    _, (bomb,) = take_in(tmp_path, "b.wacz", pack({"a.warc": bytes(3_000_000)}, zipfile.ZIP_DEFLATED), "bomb")
    assert "unpacks to more than 100 times its size" in bomb


def entry(url, *, status=200, method="GET", mime="text/html; charset=latin1", **content):
    return {
        "startedDateTime": "2024-05-01T12:00:00.000+02:00",
        "request": {"method": method, "url": url},
        "response": {"status": status, "headers": [{"name": "Content-Type", "value": mime}], "content": content},
    }


def test_a_har_file_gives_the_pages_of_a_visit(tmp_path):
    text = PAGE.decode()
    entries = [
        entry("http://a.example/text", text=text),
        entry("http://a.example/base", text=b64encode(PAGE).decode(), encoding="base64", mime="text/html"),
        # As Firefox writes it.
        entry("http://a.example/no-base", text=text, encoding="base64"),
        entry("http://a.example/post", text=text, method="POST"),
        entry("http://a.example/picture", mime="image/png"),
        entry("http://a.example/away", status=302),
        entry("data:text/html,x", text=text),
        entry("http://a.example/none"),
        {"request": {}},
    ]
    content = b"\xef\xbb\xbf" + json.dumps({"log": {"version": "1.2", "entries": entries}}).encode()
    pages, unread = take_in(tmp_path, "a.har", content)
    assert [*pages] == ["text", "base", "no-base"]
    assert {page.body for page in pages.values()} == {PAGE}
    assert pages["text"].header("content-type") == "text/html; charset=utf-8"
    assert {page.fetched_at for page in pages.values()} == {datetime(2024, 5, 1, 10, tzinfo=UTC)}
    assert [line.rpartition("a.har: ")[2][:8] for line in unread] == ["entry 8:", "entry 9:"]
    assert "was not saved with it" in unread[0]


def test_an_mhtml_file_is_the_page_that_was_saved_without_its_frames(tmp_path):
    message = EmailMessage()
    message["Snapshot-Content-Location"] = "https://a.example/compare"
    message["Date"] = "Wed, 1 May 2024 10:00:00 -0000"
    message.set_content(PAGE.decode(), subtype="html", cte="quoted-printable")
    message.add_related("<p>A frame.</p>", subtype="html")
    pages, unread = take_in(tmp_path, "a.mhtml", bytes(message))
    assert unread == []
    page = pages["compare"]
    assert (page.url, page.body.strip()) == ("https://a.example/compare", PAGE)
    assert page.fetched_at == datetime(2024, 5, 1, 10, tzinfo=UTC)


FORMATS = {
    "book.pdf": (b"%PDF-1.7", "a PDF document"),
    "x.docx": (pack({"word/document.xml": "<w/>"}), "a Word document"),
    "x.epub": (pack({"mimetype": "x", "META-INF/container.xml": "<c/>"}), "an EPUB book"),
    "x.zip": (pack({"page.html": PAGE}), "a zip archive without a WARC file"),
    "x.arc.gz": (gzip.compress(b"filedesc://x.arc 0.0.0.0 20080430204825 text/plain 76\n"), "an ARC file"),
    "x.sqlite": (b"SQLite format 3\0" + bytes(99), "an SQLite database"),
    "x.webarchive": (b"bplist00" + bytes(99), "a Safari webarchive"),
    "page.txt": (b"\x89PNG\r\n", "a PNG picture"),
    "x.json": (b'{"pages": []}', "a JSON document"),
    "x.bin": (b"words \0 words", "a binary file"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_of_another_format_is_refused_with_its_name(tmp_path, name):
    content, what = FORMATS[name]
    pages, (told,) = take_in(tmp_path, name, content)
    assert (pages, what in told) == ({}, True), told


@pytest.mark.parametrize("name", ["a.html.gz", "a.php", "index.html@p=2", "a"])
def test_html_is_read_as_html_whatever_its_file_is_called(tmp_path, name):
    pages, unread = take_in(tmp_path, name, gzip.compress(PAGE) if name.endswith(".gz") else PAGE)
    ((page,), told) = (pages.values(), unread)
    assert (page.body, page.header("content-type"), told) == (PAGE, "text/html", [])


def test_a_warc_file_under_another_name_is_read_as_one(tmp_path):
    assert [*take_in(tmp_path, "a.warc.gz.bad", warc(("x", PAGE)))[0]] == ["x"]


def test_files_of_a_folder_that_are_not_read_are_counted_by_ending(tmp_path):
    folder = tmp_path / "mirror"
    folder.mkdir()
    for name in ("a.html", "b.php", "c.php", "d", ".hidden", "urls.csv.bak"):
        (folder / name).write_bytes(PAGE)
    done = run_here("ingest", folder, cwd=tmp_path)
    assert "verdicts: skipped in folders: 2 .php, 1 .bak, 1 without an ending\n" in done.stderr


def test_a_wacz_of_the_raw_store_is_read_by_other_tools_and_by_ingest(tmp_path):
    take_in(tmp_path, "a.warc.gz", warc(("a", PAGE), ("b", PAGE + b" b")))
    with open_store(tmp_path / "data", command="test", read_only=True) as store:
        assert write_wacz(store, tmp_path / "out.wacz", NOW) == (1, 2)
    with zipfile.ZipFile(tmp_path / "out.wacz") as package:
        lines = package.read("indexes/index.cdx").decode().splitlines()
        for line in lines:
            place = json.loads(line.split(" ", 2)[2])
            with package.open(f"archive/{place['filename']}") as file:
                file.seek(int(place["offset"]))
                record = next(iter(warcio.ArchiveIterator(file)))
                assert record.rec_headers["WARC-Target-URI"] == place["url"]
        description = json.loads(package.read("datapackage.json"))
        assert {one["path"] for one in description["resources"]} < set(package.namelist())
        assert [json.loads(line)["url"] for line in package.read("pages/pages.jsonl").splitlines()[1:]] == [
            "http://a.example/a",
            "http://a.example/b",
        ]
    pages, unread = take_in(tmp_path, "out.wacz", (tmp_path / "out.wacz").read_bytes(), data="again")
    assert ({name: page.body for name, page in pages.items()}, unread) == ({"a": PAGE, "b": PAGE + b" b"}, [])

"""WARC files (1.1) and lists of addresses (CSV), broken in every part: each is taken or named."""

import gzip
import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import zstandard

from builders.faults.crawl_case import START, in_words
from verdicts.fetch.run.ingest import ingest
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.errors import SourceMissing
from verdicts.pipeline.sources.page_files import find_sources

SECONDS = 30
BESIDE = "zz-beside.html"
GOOD_FILE = b"<html><body><p>A good file beside the bad ones.</p></body></html>"


@dataclass(frozen=True)
class ArchiveCase:
    """Files by name, and what must be seen.

    `holds`: addresses that are in the store afterwards. `lacks`: that are not. `unreadable`: how many files and records
    the log must name as unreadable, at least. `is_refused`: the call itself may be refused in one line (exit 1).
    """

    name: str
    rule: str
    files: Mapping[str, bytes | Callable[[], bytes]]
    holds: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    unreadable: int = 0
    is_refused: bool = False
    given: tuple[str, ...] = ()
    """Paths that are named; the whole folder where none is."""
    kind: str = ""


def fell(case: ArchiveCase, data: Path) -> list[str]:
    folder = data / "given"
    folder.mkdir(parents=True)
    for name, body in {**case.files, BESIDE: GOOD_FILE}.items():
        if callable(body):
            body = body()
        path = folder / os.fsdecode(os.fsencode(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        if body == FIFO:
            os.mkfifo(path)
        elif body.startswith(LINK):
            path.symlink_to(os.fsdecode(body.removeprefix(LINK)))
        else:
            path.write_bytes(body)
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(SECONDS)
    try:
        sources = find_sources([folder / name for name in case.given] or [folder], None)
        with open_store(data / "data", command="test") as store:
            run = ingest(store, sources, clock=lambda: START)
            log = store.fetches()
            held = {entry.url: store.read(entry.location).body for entry in store.index()}
    except SourceMissing as refused:
        return [] if case.is_refused else [f"the call is refused: {refused}"]
    except Exception as error:  # whatever ends the ingest is what is looked for
        return [f"the ingest ended with {in_words(error)}"]
    finally:
        signal.alarm(0)
    seen = [f"{url} is not held" for url in case.holds if url not in held]
    seen += [f"{url} is held" for url in case.lacks if url in held]
    if GOOD_FILE not in held.values():
        seen.append("the good file beside is not held")
    failed = [item for item in log if item.outcome == "unreadable"]
    if len(failed) < case.unreadable:
        seen.append(f"{len(failed)} unreadable in the log, must be {case.unreadable}")
    if (run.status == "partial") != bool(failed):
        seen.append(f"the run is {run.status} with {len(failed)} failed")
    return seen


FIFO, LINK = b"\0fifo", b"\0link "


def _too_long(*_: object) -> None:
    raise TimeoutError(f"not done within {SECONDS} s")


BEFORE, AFTER, ODD = "http://w.example/before", "http://w.example/after", "http://w.example/odd"
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"


def record(
    url: str | bytes | None,
    *,
    date: bytes | None = b"2026-11-01T00:00:00Z",
    kind: bytes = b"response",
    block: bytes | None = None,
    length: bytes | None = None,
    version: bytes = b"WARC/1.1",
    lines: tuple[bytes, ...] = (),
    content: bytes = b"application/http; msgtype=response",
) -> bytes:
    """One record; the parts that are not given are right."""
    target = url.encode("utf-8", "surrogateescape") if isinstance(url, str) else url
    body = HTTP + b"<p>Words of " + (target or b"nobody")[:200] + b"</p>" if block is None else block
    head = [version, b"WARC-Type: " + kind, b"WARC-Record-ID: <urn:uuid:12345678-1234-1234-1234-123456789abc>"]
    head += [] if target is None else [b"WARC-Target-URI: " + target]
    head += [] if date is None else [b"WARC-Date: " + date]
    head += [
        b"Content-Type: " + content,
        b"Content-Length: " + (b"%d" % len(body) if length is None else length),
        *lines,
    ]
    return b"\r\n".join(head) + b"\r\n\r\n" + body + b"\r\n\r\n"


def between(
    name: str, rule: str, odd: bytes, holds: bool | None = False, is_structure_lost: bool = False, unreadable: int = 0
) -> ArchiveCase:
    """A record between two good ones.

    `holds`: whether it must be held; None: either. `is_structure_lost`: what follows may be lost.
    """
    whole = record(BEFORE) + odd + record(AFTER)
    held = (BEFORE, *((ODD,) if holds else ()), *(() if is_structure_lost else (AFTER,)))
    return ArchiveCase(name, rule, {"a.warc": whole}, held, (ODD,) if holds is False else (), unreadable)


def packed(
    name: str, rule: str, file: str, data: bytes, holds: tuple[str, ...] = (BEFORE,), unreadable: int = 0
) -> ArchiveCase:
    return ArchiveCase(name, rule, {file: data}, holds, (), unreadable)


def listed(name: str, csv: bytes, holds: tuple[str, ...] = (), is_refused: bool = False) -> ArchiveCase:
    """A list beside two pages, the first of which it names."""
    files = {"one.html": b"<p>One page of words.</p>", "two.html": b"<p>Another page of words.</p>", "urls.csv": csv}
    return ArchiveCase(f"urls.csv {name}", "A13, RFC 4180", files, holds, (), is_refused=is_refused)


ZIPPED = HTTP.replace(b"html", b"html\r\nContent-Encoding: gzip")
ZIPPED_TWICE = HTTP.replace(b"html", b"html\r\nContent-Encoding: gzip, gzip")
CHUNKED = HTTP.replace(b"html", b"html\r\nTransfer-Encoding: chunked")


def flipped(data: bytes) -> bytes:
    return data[:40] + bytes([data[40] ^ 0xFF, data[41] ^ 0xFF]) + data[42:]


ONE = "http://l.example/one"
DATES = (b"99999-01-01T00:00:00Z", b"9999-12-31T23:59:59-14:00", b"0001-01-01T00:00:00+14:00", b"0000-00-00T00:00:00Z",
    b"yesterday", b"", b"2026-13-45T99:99:99Z",
         b"-2026-11-01T00:00:00Z", b"2026-11-01T00:00:00+99:99", b"\xff\xfe", b"1" * 5_000,
         "٢٠٢٦-١١-٠١T00:00:00Z".encode(), b"20261101000000")  # fmt: skip
GOOD_DATES = (
    b"2026-11-01T00:00:00.123456789Z",
    b"2026-11-01T00:00:00+02:00",
    b"1970-01-01T00:00:00Z",
    b"2026-11-01T00:00:00.5Z",
)
URLS = ("http://xn--a/", "http://a..b/", "http://[", "http://w.example:99999/", f"http://{'a' * 64}.example/",
    "http://w.example/\udcff", "http://w.example/\udced\udca0\udc80",
        "http://w.example/" + "x" * 50_000, "urn:x:y", "dns:w.example", "metadata://x", "file:///etc/passwd",
        "javascript:1", "http://\u00ad/", "http://w.example/a b", "<>", "http://")  # fmt: skip
LENGTHS = (b"999999999999", b"5", b"-1", b"many", b"9" * 30, b"", b"0", b"1e3", "٣".encode())
TWO = record(BEFORE) + record(AFTER)

RECORDS = (
    *(between(f"WARC-Date {date[:30]!r} of {len(date)}", "A13, WARC 1.1 5.4", record(ODD, date=date), None)
        for date in DATES),
    *(between(f"WARC-Date {date!r}", "WARC 1.1 5.4", record(ODD, date=date), True) for date in GOOD_DATES),
    between("no WARC-Date", "WARC 1.1 5.4", record(ODD, date=None), None),
    *(between(f"WARC-Target-URI {url[:40]!r} of {len(url)}", "A5, WARC 1.1 5.12", record(url)) for url in URLS),
    between("no WARC-Target-URI", "WARC 1.1 5.12", record(None)),
    between("WARC-Target-URI in brackets", "WARC 1.0 5.12", record(f"<{ODD}>"), True),
    *(between(f"Content-Length {length[:20]!r}", "WARC 1.1 5.2", record(ODD, length=length), None,
        is_structure_lost=True) for length in LENGTHS),
    between("no Content-Length", "WARC 1.1 5.2", record(ODD).replace(b"Content-Length", b"X-Length"), None,
        is_structure_lost=True),
    between("another version", "WARC 1.1 4", record(ODD, version=b"WARC/0.18"), None, is_structure_lost=True),
    between("version 9", "WARC 1.1 4", record(ODD, version=b"WARC/9.9"), None, is_structure_lost=True),
    between("no version", "WARC 1.1 4", record(ODD, version=b"hello"), None, is_structure_lost=True),
    *(between(f"a record of the kind {kind!r}", "WARC 1.1 6", record(ODD, kind=kind))
        for kind in (b"request", b"metadata", b"revisit", b"warcinfo", b"continuation", b"future", b"", b"\xff")),
    between("a resource", "WARC 1.1 6.4", record(ODD, kind=b"resource", block=b"<p>As it is.</p>",
        content=b"text/html"), True),
    between("a conversion", "WARC 1.1 6.7", record(ODD, kind=b"conversion", block=b"Text of a page.",
        content=b"text/plain"), True),
    between("a block that is no HTTP", "WARC 1.1 6.3", record(ODD, block=b"not http at all"), None),
    between("an empty block", "WARC 1.1 6.3", record(ODD, block=b""), None),
    between("HTTP without an end of its headers", "WARC 1.1 6.3",
        record(ODD, block=b"HTTP/1.1 200 OK\r\nContent-Type: text/html"), None),
    *(between(f"HTTP status {status!r}", "A5",
        record(ODD, block=b"HTTP/1.1 " + status + b"\r\nContent-Type: text/html\r\n\r\n<p>x</p>"), None)
      for status in (
          b"abc OK", b"999999999999999999999 OK", b"-200 OK", b"200 Tr\xe8s bien", b"", "２００ OK".encode())),
    between("HTTP 404", "docs/crawling",
        record(ODD, block=b"HTTP/1.1 404 No\r\nContent-Type: text/html\r\n\r\n<p>x</p>")),
    between("HTTP 206", "A4",
        record(ODD, block=b"HTTP/1.1 206 Partial Content\r\nContent-Type: text/html\r\n\r\n<p>x</p>")),
    between("HTTP headers beyond ASCII", "A5",
        record(ODD,
            block=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: \xff\r\nX: \xed\xa0\x80\r\n\r\n<p>x</p>"),
            True),
    between("a Content-Type beyond ASCII", "A5",
        record(ODD, block=b"HTTP/1.1 200 OK\r\nContent-Type: \xff\xe9\r\n\r\n<p>x</p>"), None),
    between("200 KB of HTTP headers", "A18",
        record(ODD, block=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: " + b"y" * 200_000 + b"\r\n\r\n<p>x</p>"),
        None),
    between("a picture", "docs/crawling", record(ODD, block=b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nx")),
    between("gzip as it came", "WARC 1.1 6.3",
        record(ODD,
            block=ZIPPED + gzip.compress(b"<p>x</p>")), True),
    between("a body of gzip cut off", "faults 20", record(ODD,
        block=ZIPPED + gzip.compress(b"<p>x</p>" * 99)[:-20])),
    between("gzip, then gzip", "A16",
        record(ODD,
            block=ZIPPED_TWICE + gzip.compress(gzip.compress(b"<p>x</p>"))), None),
    between("a bomb", "faults 23",
        record(ODD,
            block=ZIPPED + gzip.compress(bytes(60_000_000)))),
    between("chunks", "9112 7",
        record(ODD,
            block=CHUNKED + b"8\r\n<p>x</p>\r\n0\r\n\r\n"), True),
    between("chunks that are none", "9112 7",
        record(ODD,
            block=CHUNKED + b"zz\r\n<p>x</p>"),
            None),
    ArchiveCase("25 MB", "docs", {"a.warc": lambda: record(BEFORE) + record(ODD, block=HTTP + b"x" * 25_000_000) +
                record(AFTER)}, (BEFORE, AFTER), (ODD,), 1),
    between("a header line without a colon", "WARC 1.1 4", record(ODD, lines=(b"nonsense",)), None),
    between("a header line beyond ASCII", "WARC 1.1 4", record(ODD, lines=(b"WARC-X: \xff\xfe",)), True),
    between("a header of 100 KB", "WARC 1.1 4", record(ODD, lines=(b"WARC-X: " + b"y" * 100_000,)), None,
        is_structure_lost=True),
    between("the same header twice", "WARC 1.1 4", record(ODD, lines=(b"WARC-Date: 2020-01-01T00:00:00Z",)), None),
    between("folded header lines", "WARC 1.1 4", record(ODD, lines=(b"WARC-X: one\r\n two",)), True),
    between("a payload digest that is wrong", "WARC 1.1 5.9", record(ODD, lines=(b"WARC-Payload-Digest: sha1:AAAA",)),
        unreadable=1),
    between("a block digest that is wrong", "WARC 1.1 5.8", record(ODD, lines=(b"WARC-Block-Digest: sha1:AAAA",)),
        unreadable=1),
    between("a digest by nobody's algorithm", "WARC 1.1 5.8", record(ODD, lines=(b"WARC-Block-Digest: \xff:AAAA",)),
        True),
    between("a record cut by its writer", "WARC 1.1 5.13", record(ODD, lines=(b"WARC-Truncated: length",)),
        unreadable=1),
    between("a part of a record", "WARC 1.1 5.16", record(ODD, lines=(b"WARC-Segment-Number: 1",)), unreadable=1),
    between("half of a page", "A4", record(ODD, block=HTTP.replace(b"html", b"html\r\nContent-Length: 99") + b"<p>x"),
        unreadable=1),
    between("line feeds alone", "WARC 1.1 4", record(ODD).replace(b"\r", b""), unreadable=1),
    between("a thousand empty lines", "WARC 1.1 4", b"\r\n" * 1_000, None),
    between("random bytes between", "WARC 1.1 4", bytes(range(256)) * 20, None, is_structure_lost=True),
    between("NULs between", "WARC 1.1 4", bytes(5_000), None, is_structure_lost=True),
)  # fmt: skip

FILES = (
    packed("plain", "WARC 1.1", "a.warc", TWO, (BEFORE, AFTER)),
    packed("a gzip member a record", "WARC 1.1 A", "a.warc.gz",
        gzip.compress(record(BEFORE)) + gzip.compress(record(AFTER)), (BEFORE, AFTER)),
    packed("one gzip member for all", "WARC 1.1 A", "a.warc.gz", gzip.compress(TWO), (BEFORE, AFTER)),
    packed("zstd frames", "WARC zstd", "a.warc.zst",
        zstandard.compress(record(BEFORE)) + zstandard.compress(record(AFTER)), (BEFORE, AFTER)),
    packed("gzip cut off", "faults 20", "a.warc.gz",
        gzip.compress(record(BEFORE)) + gzip.compress(record(AFTER))[:-30], (BEFORE,), 1),
    packed("gzip cut off in its head", "faults 20", "a.warc.gz",
        gzip.compress(record(BEFORE)) + gzip.compress(record(AFTER))[:3], (BEFORE,), 1),
    packed("zstd cut off", "faults 20", "a.warc.zst",
        zstandard.compress(record(BEFORE)) + zstandard.compress(record(AFTER))[:-30], (BEFORE,), 1),
    packed("a flipped byte in gzip", "A1", "a.warc.gz",
        gzip.compress(record(BEFORE)) + flipped(gzip.compress(record(AFTER))), (BEFORE,), 1),
    packed("a flipped byte in zstd", "A1", "a.warc.zst",
        zstandard.compress(record(BEFORE)) + flipped(zstandard.compress(record(AFTER))), (BEFORE,), 1),
    packed("junk behind gzip", "WARC 1.1 A", "a.warc.gz", gzip.compress(record(BEFORE)) + b"junk", (BEFORE,)),
    packed("plain, called gz", "WARC 1.1", "a.warc.gz", TWO, ()),
    packed("gzip, called plain", "WARC 1.1", "a.warc", gzip.compress(TWO), ()),
    packed("HTML, called WARC", "WARC 1.1", "a.warc", GOOD_FILE + b"x", ()),
    packed("nothing", "WARC 1.1", "a.warc", b"", ()),
    packed("nothing, called gz", "WARC 1.1", "a.warc.gz", b"", ()),
    packed("random bytes", "WARC 1.1", "a.warc", bytes(range(256)) * 400, ()),
    packed("random bytes, called gz", "WARC 1.1", "a.warc.gz", bytes(range(256)) * 400, ()),
    packed("random bytes, called zst", "WARC 1.1", "a.warc.zst", bytes(range(255, -1, -1)) * 400, ()),
    packed("a WARC cut off in its block", "WARC 1.1", "a.warc", record(BEFORE) + record(AFTER)[:-30], (BEFORE,), 1),
    packed("a WARC cut off in its header", "WARC 1.1", "a.warc", record(BEFORE) + record(AFTER)[:60], (BEFORE,)),
    packed("a file of 25 MB", "docs", "big.html", lambda: b"<p>" + b"x" * 25_000_000, ()),
    packed("an empty page", "faults 37", "e.html", b"", ()),
    packed("NULs", "faults 61", "n.html", bytes(10_000), ()),
    packed("a name beyond Unicode", "A5", "\udcff\udce9.html", b"<p>Words of a page.</p>", ()),
    packed("a name with a line end", "A5", "a\nb\x1b[31m.html", b"<p>Words of a page.</p>", ()),
    packed("a name of 250 letters", "POSIX", "n" * 240 + ".html", b"<p>Words of a page.</p>", ()),
    packed("a link to nowhere", "POSIX", "l.html", LINK + b"/nowhere/at/all", ()),
    packed("a link to itself", "POSIX", "l.html", LINK + b"l.html", ()),
    packed("a folder called page.html", "POSIX", "page.html/inner.txt", b"Words of a page.", ()),
    ArchiveCase("a pipe in the folder", "POSIX", {"p.html": FIFO}),
    ArchiveCase("a pipe by name", "POSIX", {"p.html": FIFO}, given=("p.html", "zz-beside.html"), is_refused=True),
    ArchiveCase("a device by name", "POSIX", {"d.html": LINK + b"/dev/zero"}, given=("d.html", "zz-beside.html"),
        is_refused=True),
)  # fmt: skip

LISTS = (
    listed("plain", f"path,url\none.html,{ONE}\n".encode(), (ONE,)),
    listed("with a mark", f"\ufeffpath,url\none.html,{ONE}\n".encode(), (ONE,)),
    listed("with CR and LF", f"path,url\r\none.html,{ONE}\r\n".encode(), (ONE,)),
    listed("with more columns", f"x,path,y,url\n1,one.html,2,{ONE}\n".encode(), (ONE,)),
    listed("quoted", f'"path","url"\n"one.html","{ONE}"\n'.encode(), (ONE,)),
    listed("with a short row", f"path,url\ntwo.html\none.html,{ONE}\n".encode(), (ONE,)),
    listed("with a short row last", f"path,url\none.html,{ONE}\ntwo.html".encode(), (ONE,)),
    listed("with an empty row", f"path,url\n\none.html,{ONE}\n,\n".encode(), (ONE,)),
    listed("with a long row", f"path,url\ntwo.html,http://l.example/two,x,y,z\none.html,{ONE}\n".encode(), (ONE,)),
    listed("with a NUL", f"path,url\ntwo.html\0,http://x.example/\none.html,{ONE}\n".encode(), (ONE,)),
    listed("with a NUL in an address", f"path,url\ntwo.html,http://x.example/\0\none.html,{ONE}\n".encode(), (ONE,)),
    listed("with a path of 5,000 letters", f"path,url\n{'x' * 5_000},http://x.example/\none.html,{ONE}\n".encode(),
        (ONE,)),
    listed("with a field of 200 KB", f"path,url\n{'x' * 200_000},http://x.example/\none.html,{ONE}\n".encode(), (ONE,)),
    listed("with paths elsewhere",
        f"path,url\n../../etc/passwd,http://x.example/\n/etc/passwd,http://y.example/\none.html,{ONE}\n".encode(),
        (ONE,)),
    listed("with a path of nobody", f"path,url\nnone.html,http://x.example/\none.html,{ONE}\n".encode(), (ONE,)),
    listed("with dead addresses", b"path,url\none.html,http://xn--a/\ntwo.html,http://[\n"),
    listed("with one dead address", f"path,url\ntwo.html,http://a..b/\none.html,{ONE}\n".encode(), (ONE,)),
    listed("with a port beyond", f"path,url\ntwo.html,http://x.example:99999/\none.html,{ONE}\n".encode(), (ONE,)),
    listed("with a surrogate's bytes",
        f"path,url\none.html,{ONE}\n".encode() + b"two.html,http://x.example/\xed\xa0\x80\n", (ONE,), is_refused=True),
    listed("in latin-1", f"path,url\none.html,{ONE}\n".encode() + b"caf\xe9.html,http://x.example/\n", (ONE,),
        is_refused=True),
    listed("with one file twice", f"path,url\none.html,http://x.example/\none.html,{ONE}\n".encode()),
    listed("with an open quote", f'path,url\none.html,{ONE}\n"two.html,http://x.example/\n'.encode(), (ONE,)),
    listed("with semicolons", f"path;url\none.html;{ONE}\n".encode(), is_refused=True),
    listed("without a head", f"one.html,{ONE}\n".encode(), is_refused=True),
    listed("of nothing", b""),
    listed("of a head alone", b"path,url\n"),
    listed("of random bytes", bytes(range(256)) * 50, is_refused=True),
    ArchiveCase("urls.csv as a folder", "POSIX", {"one.html": b"<p>One page.</p>",
        "urls.csv/x.txt": b"Words of a page."}, is_refused=True),
)  # fmt: skip

CASES = {"archives and lists": (*RECORDS, *FILES, *LISTS)}

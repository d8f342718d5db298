"""A page that was forgotten leaves no record and no row, and no way leads back to it."""

import gzip
from datetime import UTC, date, datetime, timedelta

import pytest

from builders.made_sites import ROOT, Made, crawl_made_site
from builders.nights import words
from verdicts.fetch.archives.archive_pages import read_pages
from verdicts.fetch.archives.archive_records import ArchiveFile
from verdicts.fetch.care.store_verification import verify_segments
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.run.ingest import Source, ingest
from verdicts.fetch.store.erase import erase
from verdicts.fetch.store.forgotten import FORGOTTEN_FILE, make_entry, note_forgotten, read_forgotten
from verdicts.fetch.store.store import open_store

FIRST = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
LATER = timedelta(days=15)
GONE = f"{ROOT}/people/jane"

SITE = {
    "/": Made(text="home", links=("/people/jane", "/stays")),
    "/people/jane": Made(text="jane", has_etag=True),
    "/stays": Made(text="stays", has_etag=True),
}


def forget(data, *entries):
    with open_store(data, command="test") as store:
        store.forgotten = note_forgotten(data, entries, date(2026, 11, 20))
        erase(store, store.forgotten, {})
        assert verify_segments(store, lambda *_: None).damaged == ()


def raw_words(data):
    return b"".join(gzip.decompress(path.read_bytes()) for path in sorted((data / "raw").iterdir()))


async def test_its_records_visits_and_rows_are_gone_from_the_files_and_the_rest_is_whole(tmp_path):
    for number in range(2):
        await crawl_made_site(tmp_path, SITE, FIRST + number * LATER)
    with open_store(tmp_path, command="test") as store:
        # As SQLite does it by default: the rows stay in free pages.
        store.state.execute("PRAGMA secure_delete = OFF")
        more = [(f"{GONE}/{number}", GONE) for number in range(500)]
        store.state.executemany("INSERT INTO spellings VALUES (?, ?)", more)
        store.state.execute("DELETE FROM spellings")
        store.state.commit()
    assert (tmp_path / "state.sqlite").read_bytes().count(b"jane") > 500
    forget(tmp_path, make_entry("page", GONE))
    raw = raw_words(tmp_path)
    assert GONE.encode() not in raw.replace(b'href="/people/jane"', b"")
    assert words("jane").encode() not in raw
    assert words("stays").encode() in raw
    assert raw.count(b"WARC-Type: revisit") == 2, "the visits of both other pages"
    for path in tmp_path.glob("state.sqlite*"):
        assert b"jane" not in path.read_bytes()
    assert b"jane" not in (tmp_path / FORGOTTEN_FILE).read_bytes()


async def test_no_link_start_sitemap_redirect_or_copy_leads_back_to_it(tmp_path):
    await crawl_made_site(tmp_path, SITE, FIRST)
    forget(tmp_path, make_entry("page", GONE.replace("http:", "https:")))
    sitemap = f"<urlset><url><loc>{GONE}</loc></url><url><loc>{ROOT}/stays</loc></url></urlset>"
    later = SITE | {
        "/": Made(text="home", links=("/people/jane", "/people/jane?utm_source=x", "/stays", "/old", "/copy")),
        "/old": Made(status=301, location="/people/jane"),
        "/copy": Made(text="jane", canonical=GONE),
        "/sitemap.xml": lambda _: _Xml(sitemap),
    }
    result = await crawl_made_site(tmp_path, later, FIRST + LATER, starts=("/", "/people/jane"))
    assert result.asked["/copy"] == 1
    assert [path for path in result.asked if path.startswith("/people")] == []
    assert not any(words("jane").encode() in snapshot.body for snapshot in result.snapshots)
    assert not any("jane" in f"{row.url} {row.detail}" for row in result.log)
    assert b"jane" not in (tmp_path / "state.sqlite").read_bytes()


class _Xml:
    """An answer in XML."""

    status, header, location, has_etag, media_type = 200, (), None, False, "application/xml"

    def __init__(self, text):
        self.body = text.encode()


async def test_an_archive_does_not_bring_it_back(tmp_path):
    await crawl_made_site(tmp_path / "old", SITE, FIRST)
    (archive,) = (tmp_path / "old" / "raw").iterdir()
    assert GONE in {page.url for page in read_pages(ArchiveFile(archive), FIRST)}
    data = tmp_path / "data"
    await crawl_made_site(data, SITE, FIRST)
    forget(data, make_entry("page", GONE))
    with open_store(data, command="test") as store:
        run = ingest(store, [Source(archive, None)], clock=lambda: FIRST + LATER)
        assert {skip.reason: skip.skipped for skip in store.read_skips(run.crawl_id)} == {"forgotten": 1}
        assert GONE not in {item.url for item in store.index()}


async def test_a_host_goes_with_all_that_is_known_of_it(tmp_path):
    await crawl_made_site(tmp_path, SITE, FIRST)
    forget(tmp_path, make_entry("host", "a.example"))
    raw = raw_words(tmp_path)
    assert raw.count(b"WARC-Type") == raw.count(b"WARC-Type: warcinfo") == 1
    for path in tmp_path.glob("state.sqlite*"):
        assert b"a.example" not in path.read_bytes()
    result = await crawl_made_site(tmp_path, SITE, FIRST + LATER)
    assert [path for path in result.asked if not path.endswith((".txt", ".xml"))] == []


def test_a_crawl_that_was_interrupted_goes_on_after_its_segment_was_written_again(tmp_path):
    def keep(store, path, at):
        run = store.begin("20261101T013000Z-0001", "crawl", at).crawl_id
        with store.transaction():
            store.keep(Snapshot(ROOT + path, ROOT + path, at, 200, (("content-type", "text/html"),), b"words", run))
        store.interrupt(run, at)

    with open_store(tmp_path, command="test") as store:
        keep(store, "/people/jane", FIRST)
        keep(store, "/stays", FIRST)
    forget(tmp_path, make_entry("page", GONE))
    with open_store(tmp_path, command="test") as store:
        keep(store, "/more", FIRST + timedelta(hours=1))
    with open_store(tmp_path, command="test") as store:
        assert [store.read(item.location).url for item in store.index()] == [f"{ROOT}/stays", f"{ROOT}/more"]


def test_a_list_that_is_broken_is_not_taken_for_an_empty_one(tmp_path):
    note_forgotten(tmp_path, [make_entry("page", GONE)], date(2026, 11, 20))
    assert read_forgotten(tmp_path).has_page(GONE)
    path = tmp_path / FORGOTTEN_FILE
    path.write_text(path.read_text()[:40])
    with pytest.raises(StorageFailed, match="line 1 is no entry"):
        read_forgotten(tmp_path)

"""An archive whose reading was killed is read on from the last commit: no record twice, none lost."""

import os
import signal
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime
from random import Random

import pytest

from builders.public_crawl import make_crawled_pages, write_archive
from verdicts.fetch.archives import archive_pages
from verdicts.fetch.run.ingest import BATCH, Source, ingest
from verdicts.fetch.store.store import open_store

PAGES = make_crawled_pages(700, size=300)
WHOLE = sum(page.status == "200 OK" and "html" in page.media_type for page in PAGES)

TAKE_IN = """
import os, re, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from verdicts.fetch.run.ingest import ingest
from verdicts.fetch.run.ingest import Source
from verdicts.fetch.store.store import open_store

data, archive, dies_after = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
calls = 0
def clock():
    global calls
    calls += 1
    if calls == dies_after:
        os.kill(os.getpid(), signal.SIGKILL)
    return datetime(2026, 11, 1, tzinfo=UTC)
with open_store(data, command="ingest") as store:
    print(ingest(store, [Source(archive, None)], clock=clock).status)
"""


def take_in(data, archive, dies_after=-1):
    call = [sys.executable, "-c", TAKE_IN, str(data), str(archive), str(dies_after)]
    return subprocess.run(call, capture_output=True, text=True, check=False)


def rows(data):
    with open_store(data, command="test", read_only=True) as store:
        return Counter((row.url, row.outcome, row.body_sha256) for row in store.fetches())


@pytest.mark.parametrize("kind", ["a.warc.gz", "a.warc"])
@pytest.mark.share(2)
def test_killed_again_and_again_it_has_each_record_once(tmp_path, kind):
    archive = tmp_path / kind
    archive.write_bytes(write_archive(PAGES, is_packed=kind.endswith("gz")))
    chance = Random(7)
    killed = 0
    while (done := take_in(tmp_path / "data", archive, chance.randrange(20, 3 * BATCH))).returncode != 0:
        assert done.returncode == -signal.SIGKILL, done.stderr
        killed += 1
        assert killed < 100
    assert done.stdout == "done\n"
    assert killed > 2
    take_in(tmp_path / "whole", archive)
    assert rows(tmp_path / "data") == rows(tmp_path / "whole")
    assert rows(tmp_path / "data").total() == WHOLE


def test_it_reads_no_byte_of_what_it_has_and_one_that_changed_anew(tmp_path, monkeypatch):
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(write_archive(PAGES))
    assert take_in(tmp_path / "data", archive, 5 * BATCH + 50).returncode != 0
    begun = []
    read_records = archive_pages.read_records

    def note(file, limit, begin=0):
        begun.append(begin)
        return read_records(file, limit, begin)

    monkeypatch.setattr(archive_pages, "read_records", note)
    os.utime(archive, (1, 1))
    for _ in range(2):
        with open_store(tmp_path / "data", command="ingest") as store:
            ingest(store, [Source(archive, None)], clock=lambda: datetime(2026, 11, 1, tzinfo=UTC))
    assert begun == [0, 0]
    (tmp_path / "data").rename(tmp_path / "former")
    assert take_in(tmp_path / "data", archive, 5 * BATCH + 50).returncode != 0
    with open_store(tmp_path / "data", command="ingest") as store:
        ingest(store, [Source(archive, None)], clock=lambda: datetime(2026, 11, 1, tzinfo=UTC))
    assert begun[2] > archive.stat().st_size / 3

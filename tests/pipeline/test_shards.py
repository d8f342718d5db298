"""A corpus of which pages lie in shards: built, asked, verified and repaired like any other."""

import json
import shutil

import polars as pl
import pytest

from builders.command import verdicts
from builders.public_crawl import CrawledPage, packed, warc, wet
from builders.renderings import RENDERERS, page_url
from builders.s3_server import BUCKET, s3_server
from verdicts.demo_site.facts import load_facts

FACTS = load_facts()


def crawled(rendering, pairs):
    return [CrawledPage(page_url(pair), RENDERERS[rendering](FACTS, pair).encode()) for pair in pairs]


HTML = packed(warc(crawled("html_semantic", FACTS.pairs[:12])))
TEXT = packed(wet(crawled("innertext", FACTS.pairs[12:20])))
OTHER = packed(warc(crawled("html_flat", FACTS.pairs[20:24])))


@pytest.fixture
def server():
    with s3_server() as server:
        server.objects |= {
            f"{BUCKET}/crawl/a.warc.gz": HTML,
            f"{BUCKET}/crawl/deep/b.wet.gz": TEXT,
            f"{BUCKET}/crawl/index.txt": b"no archive",
        }
        yield server


def run(server, home, *words):
    done = verdicts(*words, cwd=home, **server.environment, NO_PROXY="127.0.0.1")
    return done.returncode, done.stdout + done.stderr


def rows(home):
    """What was read of the pages, by address."""
    read = pl.read_parquet([*(home / "data" / "records").glob("*.parquet")])
    return sorted(read.select("url", "fetched_at", "sha256", "kind", "record", "tools", "amounts", "failure").rows())


def test_a_folder_of_shards_makes_the_corpus_of_its_files(server, tmp_path):
    (tmp_path / "files").mkdir()
    for name in ("a.warc.gz", "deep/b.wet.gz"):
        (tmp_path / "files" / name.rpartition("/")[2]).write_bytes(server.objects[f"{BUCKET}/crawl/{name}"])
    for home, named in (("copied", str(tmp_path / "files")), ("shards", f"s3://{BUCKET}/crawl")):
        (tmp_path / home).mkdir()
        assert run(server, tmp_path / home, "ingest", named)[0] == 0
    assert len(rows(tmp_path / "shards")) == 20
    assert {row[3] for row in rows(tmp_path / "shards")} == {"comparison"}
    assert rows(tmp_path / "shards") == rows(tmp_path / "copied")


def test_a_corpus_with_shards_is_verified_shown_and_repaired_like_any_other(server, tmp_path):
    assert run(server, tmp_path, "ingest", f"s3://{BUCKET}/crawl/a.warc.gz")[0] == 0
    before = rows(tmp_path)
    assert run(server, tmp_path, "verify")[0] == 0
    status, said = run(
        server, tmp_path, "sql", "SELECT review_id FROM reviews ORDER BY ALL LIMIT 1", "--format", "json"
    )
    assert status == 0, said
    (found,) = json.loads(said)
    assert run(server, tmp_path, "show", found["review_id"])[0] == 0
    (tmp_path / "data" / "state.sqlite").unlink()
    shutil.rmtree(tmp_path / "data" / "records")
    assert run(server, tmp_path, "repair")[0] in {0, 2}
    assert run(server, tmp_path, "build")[0] == 0
    assert rows(tmp_path) == before


def test_pages_of_a_shard_that_has_changed_are_rejects_until_it_is_taken_in_again(server, tmp_path):
    run(server, tmp_path, "ingest", f"s3://{BUCKET}/crawl/a.warc.gz")
    shutil.rmtree(tmp_path / "data" / "records")
    server.objects[f"{BUCKET}/crawl/a.warc.gz"] = OTHER
    run(server, tmp_path, "build", "--all")
    assert {json.loads(row[4])["reason"] for row in rows(tmp_path)} == {"shard_changed"}
    run(server, tmp_path, "ingest", f"s3://{BUCKET}/crawl/a.warc.gz")
    assert sum(row[3] == "comparison" for row in rows(tmp_path)) == 4


def test_what_was_read_before_a_shard_changed_stays(server, tmp_path):
    run(server, tmp_path, "ingest", f"s3://{BUCKET}/crawl/a.warc.gz")
    before = [row[:5] for row in rows(tmp_path)]
    server.objects[f"{BUCKET}/crawl/a.warc.gz"] = OTHER
    run(server, tmp_path, "build", "--all")
    assert [row[:5] for row in rows(tmp_path)] == before


def test_an_address_without_an_archive_and_a_pattern_that_is_none_are_told(server, tmp_path):
    for words, told in (
        ([f"s3://{BUCKET}/nothing"], "no WARC, WET or WAT file at s3://bucket/nothing"),
        (["s3://elsewhere/crawl"], "s3://elsewhere/crawl"),
        ([f"s3://{BUCKET}/crawl", "--include", "("], "'(' is no regular expression"),
    ):
        status, said = run(server, tmp_path, "ingest", *words)
        assert (status, told in said) == (1, True), said

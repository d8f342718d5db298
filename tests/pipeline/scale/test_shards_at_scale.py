"""Pages of shards are read by whichever machine has room for them: the record files are those of one machine."""

from datetime import UTC, datetime

from builders.public_crawl import CrawledPage, packed, warc
from builders.renderings import RENDERERS, page_url
from builders.s3_server import BUCKET, s3_server
from builders.shipped_pages import read_alone, record_files
from verdicts.demo_site.facts import load_facts
from verdicts.fetch.intake.ingest import ingest
from verdicts.fetch.intake.sources import Shard
from verdicts.fetch.objects.opening import open_objects
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.local import LocalEngine
from verdicts.pipeline.failure_log import FailureLog
from verdicts.pipeline.scale.extraction import extract_at_scale
from verdicts.pipeline.scale.shipping import ship

FACTS = load_facts()


def shard(pairs):
    pages = [CrawledPage(page_url(pair), RENDERERS["html_semantic"](FACTS, pair).encode()) for pair in pairs]
    return packed(warc(pages))


def test_shards_are_read_past_one_machine_as_on_one(tmp_path, monkeypatch):
    folder = DataFolder(tmp_path / "data")
    with s3_server() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        server.objects |= {f"{BUCKET}/crawl/{number}.warc.gz": shard(FACTS.pairs[number::3]) for number in range(3)}
        for number in range(3):
            night = datetime(2026, 11, 1 + number, tzinfo=UTC)
            with open_store(folder.root, command="ingest") as store:
                ingest(store, [Shard(f"s3://{BUCKET}/crawl/{number}.warc.gz")], clock=lambda night=night: night)
        with open_store(folder.root, command="test", read_only=True) as store:
            objects = open_objects(f"s3://{BUCKET}/corpus")
            ship(store, folder, objects, lambda *_: None)
        names = extract_at_scale(objects, LocalEngine(2), FailureLog(), lambda *_: None)
        assert len(names) == 3
        made = {name: objects.read(name) for name in objects.names("records/")}
        assert made == read_alone(folder) == record_files(folder.records)

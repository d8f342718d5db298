"""The corpus of the demo site as one complete crawl gives it, made without crawling."""

from datetime import UTC, datetime
from functools import cache

from verdicts.demo_site.facts import load_facts
from verdicts.demo_site.pages import comparison_page
from verdicts.demo_site.responses import SITE_URL
from verdicts.extract.model.records import Observation
from verdicts.extract.page import extract
from verdicts.fetch.model.snapshot import Location, Snapshot
from verdicts.normalize.corpus import Corpus, normalize

CRAWL = "20261101T013000Z-0001"
MOMENT = datetime(2026, 11, 1, 1, 30, 1, tzinfo=UTC)


def demo_observation(url: str, body: str, media_type: str, offset: int) -> Observation:
    snapshot = Snapshot(url, url, MOMENT, 200, (("content-type", media_type),), body.encode(), CRAWL)
    return Observation(url, MOMENT, CRAWL, Location("demo", offset), snapshot.sha256, extract(snapshot))


@cache
def demo_corpus() -> Corpus:
    facts = load_facts()
    root = SITE_URL.rstrip("/")
    return normalize(
        demo_observation(root + pair.path, comparison_page(facts, pair), "text/html; charset=utf-8", offset)
        for offset, pair in enumerate(facts.pairs)
    )

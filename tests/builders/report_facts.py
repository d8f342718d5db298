"""Facts of a report made by hand: every section filled, with the same words wherever a page's words may stand."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from verdicts.corpus.rows.runs import GateAcceptRow, GateMeasureRow
from verdicts.pipeline.nights.corpus_changes import Changed, CorpusChanges
from verdicts.pipeline.nights.incidents import Incident
from verdicts.pipeline.nights.night_log import NightEnding
from verdicts.pipeline.nights.report_facts import CareLine, Crawled, Gates, HostNight, NightFacts, NightOutcomes

BEGAN = datetime(2026, 11, 21, 2, 30, tzinfo=UTC)
NIGHT_ID = "20261121T023000Z-4f1a"

CODES = {"done": 0, "partial": 2, "held": 3, "failed": 5, "interrupted": None, "refused": 4}


def ending(status: str = "held", headline: str = "the disk is full", **changes) -> NightEnding:
    crawl_id, load_id = "20261121T023001Z-0001", "20261121T024000Z-0002"
    made = NightEnding(
        NIGHT_ID, BEGAN, BEGAN + timedelta(minutes=50), status, CODES[status], headline, crawl_id, load_id
    )
    return replace(made, published=f"corpus-{load_id}.duckdb", **changes)


def lost(host: str, state: str, measure: str, *examples: str) -> GateMeasureRow:
    return GateMeasureRow(
        "20261121T023001Z-0001",
        host,
        measure,
        "night",
        "page",
        130,
        104,
        0.005,
        1e-9,
        "hold",
        state,
        examples,
        "5",
        "1",
    )


def facts(status: str = "held", words: str = "Free tier / $20/mo", hosts: int = 1, **changes) -> NightFacts:
    """`words` stand for all that comes from a page, a host, an error or a person."""
    examples = [f"http://a.example/compare/{words}: {words} → {words}{number}" for number in range(3)]
    held = (lost(words, "held", "price", *examples), lost(words, "held", "amount", *examples))
    host = HostNight(words, 130, 120, 9, 12, 104, 1, BEGAN - timedelta(days=3), words)
    made = NightFacts(
        ending=ending(status, words),
        crawled=Crawled(12, 108, 9, (host,) * hosts),
        nights=tuple(
            NightOutcomes(BEGAN - timedelta(days=night), status, 100, 20, 5, night % 3) for night in range(14)
        ),
        gates=Gates(
            held=(held,) * hosts if status == "held" else (),
            down=frozenset(),
            losses=(lost(words, "alert", "price", *examples),) * hosts,
            watch=((lost(words, "watch", "price"), (0.0, 0.1, 0.8)),) * hosts,
            accepted=(GateAcceptRow(words, "price", "run", BEGAN, words, words),) * hosts,
            unjudged=(words,) * hosts,
        ),
        corpus=CorpusChanges(
            published="corpus-20261121T024000Z-0002.duckdb",
            before="corpus-20261120T024000Z-0002.duckdb",
            counts=(("pages", 130, 128), ("tools", 46, 46)),
            new_tools=Changed(hosts, ((words, words),) * hosts),
            vanished_tools=Changed(hosts, ((words, None),) * hosts),
            verdicts=Changed(hosts, ((words, "ship", "skip", 2),) * hosts),
            prices=Changed(hosts, ((words, words, words),) * hosts),
            fill_rates=(("score of a take", 82, 100), ("tagline", 100, 100)),
        ),
        care=(CareLine("Free disk", words), CareLine("Verified", words, is_wrong=True)),
        incidents=(Incident(words, words, "held", words, BEGAN, NIGHT_ID),) * hosts,
        undelivered=(words,),
    )
    return replace(made, **changes)

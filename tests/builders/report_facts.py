"""Facts of a report made by hand: every section filled, with the same words wherever a page's words may stand."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from verdicts.pipeline.nights.ending import NightEnding
from verdicts.pipeline.nights.report.facts import (
    Accepted,
    Command,
    CorpusChanges,
    Count,
    Crawled,
    Example,
    Filled,
    Gates,
    HeldHost,
    HostNight,
    Line,
    Loss,
    NightFacts,
    NightOutcomes,
    OpenIncident,
    Tool,
    Turned,
    some,
)

BEGAN = datetime(2026, 11, 21, 2, 30, tzinfo=UTC)
NIGHT_ID = "20261121T023000Z-4f1a"

CODES = {"done": 0, "partial": 2, "held": 3, "failed": 5, "interrupted": None, "refused": 4}


def ending(status: str = "held", headline: str = "the disk is full", **changes) -> NightEnding:
    crawl_id, load_id = "20261121T023001Z-0001", "20261121T024000Z-0002"
    made = NightEnding(
        NIGHT_ID, BEGAN, BEGAN + timedelta(minutes=50), status, CODES[status], headline, crawl_id, load_id
    )
    return replace(made, published=f"corpus-{load_id}.duckdb", **changes)


def facts(status: str = "held", words: str = "Free tier / $20/mo", hosts: int = 1, **changes) -> NightFacts:
    """`words` stand for all that comes from a page, a host, an error or a person."""
    moment = BEGAN
    example = Example(f"http://a.example/compare/{words}", words, words)
    loss = Loss(words, "price", "held", 104, 130, f"price: {words}", (example, example, example), (0.0, 0.1, 0.8))
    held = HeldHost(words, "20261121T023001Z-0001", some([loss, loss]), Command(f"verdicts check --accept {words}"))
    host = HostNight(words, 130, 120, 9, 12, 104, 1, moment - timedelta(days=3), words)
    turned = Turned(words, words, words, 2)
    count = 1 if status == "held" else 0
    made = NightFacts(
        ending=ending(status, words),
        crawled=Crawled("partial", 130, 12, 108, 9, 1_000_000, some([host] * hosts)),
        nights=tuple(
            NightOutcomes(moment - timedelta(days=night), status, 100, 20, 5, night % 3)
            for night in reversed(range(14))
        ),
        gates=Gates(
            held=some([held] * hosts * count),
            losses=some([loss] * hosts),
            watch=some([replace(loss, state="watch", examples=())] * hosts),
            accepted=some([Accepted(words, "price", moment, words, words)] * hosts),
            unjudged=some([words] * hosts),
        ),
        corpus=CorpusChanges(
            published="corpus-20261121T024000Z-0002.duckdb",
            before="corpus-20261120T024000Z-0002.duckdb",
            counts=(Count("pages", 130, 128), Count("tools", 46, 46)),
            new_tools=some([Tool(words, words)] * hosts),
            vanished_tools=some([Tool(words, None)] * hosts),
            verdicts=some([Turned(words, "ship", "skip")] * hosts),
            prices=some([turned] * hosts),
            fill_rates=(Filled("score of a take", 82, 100), Filled("tagline", 100, 100)),
        ),
        care=(Line("Free disk", words), Line("Backup", words, is_wrong=True)),
        incidents=some([OpenIncident(words, words, moment, words)] * hosts),
        undelivered=(words,),
    )
    return replace(made, **changes)

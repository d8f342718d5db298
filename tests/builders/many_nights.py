"""A published corpus of 21 nights, with texts that are meant to break a page: rows straight into a warehouse.

The demo corpus is what the last night left. Its crawls, attempts, earlier verdicts and prices are made up here, so that
every picture has something to show; hostile words stand wherever a page of the site may write.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from builders.snapshots import CRAWL, MOMENT, demo_corpus
from builders.warehouse_files import load_corpus, publish
from builders.warehouse_rows import Crawl, Fetch
from verdicts.corpus.rows.reviews import LookalikeRow
from verdicts.corpus.rows.runs import DiscrepancyRow, RejectRow
from verdicts.pipeline.data_folder import DataFolder

NIGHTS = 21
SEED = 7

LONG_WORD = "antidisestablishment" * 250
"""5,000 characters without a place to break."""

HOSTILE = (
    '<script>alert("a review")</script> A tag that must stay words.',
    '"><img src=x onerror=alert(1)> A quote that must not end an attribute.',
    "' onmouseover='alert(1)' autofocus onfocus='alert(2) Quotes of the other sort.",
    "</bdi></td></table></main><style>body{display:none}</style> Ends of what was never begun.",
    "\u202eThis sentence runs backwards. \u2067So does this one.",
    "=1+1",
    "=cmd|' /C calc'!A0",
    '@SUM(A1:A9) and\ttabs,\r\nlines and "quotes"',
    "{{ 7 * 7 }} {% raw %} ${7*7} templates of several sorts",
    "javascript:alert(1) https://elsewhere.example/pixel.png",
    "z\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308 marks that climb, and 👩‍👩‍👧‍👦 joined by nothing that shows",
    "كلمات من اليمين إلى اليسار, then words from the left",
    f"{LONG_WORD} and a short one.",
)
"""What a page of a site may say: each is shown as it stands and does nothing."""

HOSTS = {"demo.verdicts.example": 118, "mirror.verdicts.example": 13, "lists.example.org": 9}
"""Host and addresses asked of it each night."""

_MS = {"demo.verdicts.example": 7, "mirror.verdicts.example": 60, "lists.example.org": 240}
_FAILURES = ("read_timeout", "server_error", "connect_error", "blocked")
_SETTLED = ("redirected", "not_found", "robots_denied")


def make_data(root: Path) -> DataFolder:
    """A data folder that holds a warehouse and its published copy, and nothing else."""
    folder = DataFolder(root)
    chance = Random(SEED)
    crawls = list(_crawls(chance))
    rows = _rows()
    _spoil(rows)
    load_corpus(
        folder.warehouse,
        rows,
        load_id="20261121T013100Z-0021",
        crawls=[crawl for crawl, _ in crawls],
        fetches=[fetch for _, fetches in crawls for fetch in fetches],
        loaded_at=_night(NIGHTS - 1) + timedelta(minutes=1),
    )
    publish(folder.warehouse, folder.serve, at=_night(NIGHTS - 1))
    return folder


def _night(number: int) -> datetime:
    return MOMENT + timedelta(days=number)


def _crawls(chance: Random) -> Iterator[tuple[Crawl, list[Fetch]]]:
    for number in range(NIGHTS):
        began = _night(number)
        crawl_id = CRAWL if number == 0 else f"{began:%Y%m%dT%H%M%SZ}-{number + 1:04}"
        fetches = list(_fetches(crawl_id, began, number, chance))
        outcomes = [fetch.outcome for fetch in fetches]
        failed = sum(outcome in _FAILURES for outcome in outcomes)
        crawl = Crawl(
            crawl_id,
            started_at=began,
            finished_at=began + timedelta(seconds=chance.randint(380, 500)),
            status="partial" if failed else "done",
            fetched=outcomes.count("stored"),
            unchanged=outcomes.count("unchanged"),
            failed=failed,
            bytes=sum(fetch.bytes for fetch in fetches),
        )
        yield crawl, fetches


def _fetches(crawl_id: str, began: datetime, number: int, chance: Random) -> Iterator[Fetch]:
    """The first night stores nearly all; later ones find most as it was, and the twelfth is a bad one."""
    stored, failing = (0.95 if number == 0 else 0.1), (0.2 if number == 11 else 0.02)
    place = 0
    for host, addresses in HOSTS.items():
        for address in range(addresses):
            place += 1
            drawn = chance.random()
            outcome = (
                chance.choice(_FAILURES)
                if drawn < failing
                else chance.choice(_SETTLED)
                if drawn < failing + 0.04
                else "stored"
                if chance.random() < stored
                else "unchanged"
            )
            yield Fetch(
                f"{crawl_id}-{place:05}",
                crawl_id,
                f"http://{host}/compare/page-{address}",
                outcome,
                None if outcome in _FAILURES else 200,
                started_at=began + timedelta(seconds=place),
                elapsed_ms=round(_MS[host] * chance.lognormvariate(0, 0.5)),
                bytes=2048 if outcome == "stored" else 0,
                body_sha256=None,
                segment=None,
                segment_offset=None,
                detail=HOSTILE[0] if outcome in _FAILURES else None,
            )


def _rows() -> dict[str, list[Any]]:
    rows = {table: list(held) for table, held in demo_corpus().items()}
    last = _night(NIGHTS - 1)
    rows["pages"] = [replace(page, last_seen_at=last) for page in rows["pages"]]
    rows["tools"] = [
        replace(
            tool, first_seen_at=_night(0 if place % 9 else place // 3), last_seen_at=last if place % 11 else _night(16)
        )
        for place, tool in enumerate(rows["tools"])
    ]
    rows["verdict_history"] = list(_turn_verdicts(rows["verdict_history"]))
    rows["price_history"] = list(_change_prices(rows["price_history"]))
    return rows


def _spoil(rows: dict[str, list[Any]]) -> None:
    """Hostile words in whatever a page writes."""
    rows["pages"][0] = replace(rows["pages"][0], title=HOSTILE[0])
    for place, words in enumerate(HOSTILE):
        rows["tools"][place] = replace(rows["tools"][place], tagline=words, description=words)
    rows["tools"][1] = replace(rows["tools"][1], name=HOSTILE[0])
    rows["tools"][4] = replace(rows["tools"][4], name=HOSTILE[4], category=HOSTILE[5], category_group=HOSTILE[5])
    rows["tools"][7] = replace(rows["tools"][7], name=LONG_WORD, category=LONG_WORD, category_group=LONG_WORD)
    rows["reviews"] = [
        replace(review, text=words) if place % 4 == 0 else review
        for place, (review, words) in enumerate(zip(rows["reviews"], cycle(HOSTILE), strict=False))
    ]
    rows["reviews"][2] = replace(rows["reviews"][2], reviewer=HOSTILE[1])
    earlier = cycle((LONG_WORD, *HOSTILE))
    rows["price_history"] = [
        state if state.valid_to is None else replace(state, pricing=next(earlier)) for state in rows["price_history"]
    ]
    rows["rejects"] = [
        RejectRow(f"http://demo.verdicts.example/compare/{place}", "extract", reason, words, "demo", place)
        for place, (words, reason) in enumerate(
            zip(HOSTILE * 2, cycle(("no_panel", "empty", "too_deep")), strict=False)
        )
    ]
    rows["discrepancies"] = [
        DiscrepancyRow(page.page_id, None, rule, words[:200], "ship")
        for page, words, rule in zip(rows["pages"], HOSTILE, cycle(("chip_follows_panel", "panel_votes")), strict=False)
    ]
    one, other, *_ = (review.review_id for review in rows["reviews"])
    rows["lookalikes"] = [LookalikeRow(*sorted((one, other)), 0.81)]


_EARLIER = {"ship": "mixed", "mixed": "skip", "skip": "ship", None: None}


def _turn_verdicts(states: list[Any]) -> Iterator[Any]:
    """Every twelfth page said something else of its tool until some night."""
    for place, state in enumerate(states):
        if place % 12 or state.panel_verdict is None:
            yield state
            continue
        turned = _night(NIGHTS - 1 - place // 12 % (NIGHTS - 1))
        yield replace(state, panel_verdict=_EARLIER[state.panel_verdict], valid_to=turned)
        yield replace(state, valid_from=turned)


def _change_prices(states: list[Any]) -> Iterator[Any]:
    for place, state in enumerate(states):
        if place % 5:
            yield state
            continue
        changed = _night(NIGHTS - 1 - place // 5)
        yield replace(state, pricing="Free tier / $12/mo Pro", valid_to=changed)
        yield replace(state, valid_from=changed)

"""Mentions for folding alone, without pages."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache

from builders.made_corpora import MadePage
from verdicts.extract.model.records import Span, Take
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.dedup.deduplicate import TakeClusters, fold
from verdicts.normalize.dedup.mentions import Mention, TextIds, days_of
from verdicts.normalize.dedup.similarity import THRESHOLDS, Thresholds
from verdicts.normalize.identity.ids import ToolPair
from verdicts.normalize.identity.page_versions import VersionHead

_IDS = TextIds()


def mention(text: str, page: int, tools: ToolPair, label: str | None = None, *, day: str = "20261101") -> Mention:
    """A take on a page of its number."""
    take = Take(0, None, None, None, None, None, text, Span(0, 0))
    return Mention(_IDS.of(text, tools, label), _version(page, tools, day), take, label)


@lru_cache(maxsize=4)
def _version(page: int, tools: ToolPair, day: str) -> VersionHead:
    return VersionHead(
        page_id=f"{page}",
        source="",
        host=None,
        tool_ids=tools,
        early_ids=tools,
        crawl=day,
        ingest_day=day,
        fetched_at=datetime(2026, 11, 1, tzinfo=UTC),
        sha256="",
        location=Location(day, page),
        rendering="html",
        profile="",
        title="",
    )


def unlabelled(texts: Iterable[str]) -> list[Mention]:
    """Each text on a page of its own, all of the same two tools."""
    return [mention(text, page, ("1", "2")) for page, text in enumerate(texts)]


def mentions_of(pages: Iterable[MadePage], *, day: str = "20261101") -> list[Mention]:
    """The takes of pages, with tools by their number in the world."""
    return [
        mention(
            take.text,
            page.number,
            (f"{page.a.number}", f"{page.b.number}"),
            f"{(page.b if take.is_b else page.a).number}" if page.is_labelled else None,
            day=day,
        )
        for page in pages
        for take in page.takes
    ]


def clusters_of(mentions: Iterable[Mention], thresholds: Thresholds = THRESHOLDS) -> TakeClusters:
    return fold(days_of(mentions, {}, {}), thresholds)


def reviews_of(mentions: Sequence[Mention], thresholds: Thresholds = THRESHOLDS) -> list[str]:
    """The review id of each mention."""
    clusters = clusters_of(mentions, thresholds)
    return [clusters.review_id(one.text_id) for one in mentions]

"""What extraction and normalization have of generated pages: observations of them, and mentions for folding alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256

from builders import normalize_pages
from builders.made_corpora import REVIEWERS, MadePage, MadeTool
from builders.normalize_pages import page as panel_page
from verdicts.corpus.enumerations import SIDES, Rendering, Side
from verdicts.extract.model.records import Comparison, Observation
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.dedup.deduplicate import fold
from verdicts.normalize.dedup.mentions import Mention, TextIds, list_distinct_texts
from verdicts.normalize.dedup.similarity import THRESHOLDS, Thresholds, find_similar
from verdicts.normalize.identity.ids import ToolPair
from verdicts.normalize.identity.page_versions import VersionHead
from verdicts.normalize.parse.typed_page import TypedTake

HOST = "made.example"
FIRST_NIGHT = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
NO_ADDRESS_SHARE = 4
"""One in this many unlabelled pages is a dump without an address."""


def observations(pages: Iterable[MadePage]) -> Iterator[Observation]:
    """One snapshot per page, all fetched in one night."""
    return (snapshot(page, page.number) for page in pages)


def snapshot(page: MadePage, place: int, moment: datetime = FIRST_NIGHT, night: datetime = FIRST_NIGHT) -> Observation:
    """A page as it was at a moment, stored by the crawl of a night."""
    digest = sha256(f"{place}".encode()).hexdigest()
    crawl_id = f"{night:%Y%m%dT%H%M%SZ}-0001"
    return Observation(
        url=address(page) or f"urn:sha256:{digest}",
        fetched_at=moment + timedelta(seconds=place % 3000),
        crawl_id=crawl_id,
        location=Location(f"{crawl_id}-00001.warc.gz", place),
        sha256=digest,
        extracted=comparison(page),
        address=address(page),
    )


def address(page: MadePage) -> str | None:
    """The page's address, None for a dump without one."""
    if not page.is_labelled and page.number % NO_ADDRESS_SHARE == 0:
        return None
    return f"https://{HOST}/compare/{page.a.slug}-vs-{page.b.slug}"


def comparison(page: MadePage) -> Comparison:
    """The page in HTML where it is labelled, else in the rendering that has lost reviewers, scores and tables."""
    rendering: Rendering = "html" if page.is_labelled else "quotes"
    tools = (page.a, page.b)
    # What a page has lost of a panel is still counted by it.
    whole = panel_page(
        *(as_tool(tool, dict(zip(tool.reviewers, tool.takes, strict=True))) for tool in tools), rendering
    )
    shown = panel_page(*(as_tool(tool, select_texts(page, tool)) for tool in tools), rendering)
    cards = zip(whole.cards, tools, strict=True)
    of_tools = tuple(replace(card, chip=None, description=f"What {tool.name} is for.") for card, tool in cards)
    return replace(shown, cards=of_tools, decisions=whole.decisions)


def select_texts(page: MadePage, tool: MadeTool) -> dict[int, str]:
    """The takes of one of its tools, by reviewer, as the page words them."""
    return {take.reviewer: take.text for take in page.takes if take.is_b == (tool is page.b)}


def as_tool(tool: MadeTool, texts: Mapping[int, str]) -> normalize_pages.Tool:
    votes = dict(zip(tool.reviewers, tool.votes, strict=True))
    takes = {
        REVIEWERS[reviewer]: (text, 60 + reviewer, "ship" if votes[reviewer] else "skip")
        for reviewer, text in texts.items()
    }
    return normalize_pages.Tool(tool.slug, tool.name, tool.tagline, takes, category="Tools", pricing="Free")


_IDS = TextIds()


def mention(text: str, page: int, tools: ToolPair, label: str | None = None, *, day: str = "20261101") -> Mention:
    """A take on a page of its number."""
    side: Side | None = None if label is None else SIDES[tools.index(label)]
    take = TypedTake(0, None, side, None, None, None, text, 0, 0)
    return Mention(_IDS.find([take], tools)[0], _version(page, tools, day), take, label)


@lru_cache(maxsize=4)
def _version(page: int, tools: ToolPair, day: str) -> VersionHead:
    return VersionHead(
        page_id=f"{page}",
        source="",
        host=None,
        tool_ids=tools,
        crawl=day,
        fetched_at=datetime(2026, 11, 1, tzinfo=UTC),
        sha256="",
        location=Location(day, page),
        rendering="html",
        profile="",
        title="",
    )


def make_unlabelled(texts: Iterable[str]) -> list[Mention]:
    """Each text on a page of its own, all of the same two tools."""
    return [mention(text, page, ("1", "2")) for page, text in enumerate(texts)]


def find_reviews(mentions: Sequence[Mention], thresholds: Thresholds = THRESHOLDS) -> list[str]:
    """The review id of each mention."""
    texts = list_distinct_texts(mentions, {})
    folding = fold(texts, find_similar(texts, thresholds))
    return [folding.texts[one.text_id].review_id for one in mentions]

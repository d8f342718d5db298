"""The whole of normalization, in order: views, folding, attribution, rows."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from urllib.parse import urlsplit

from extract.records import Document, Observation, Reject
from fetch.snapshot import has_address
from normalize.attribution import attribute
from normalize.checks import discrepancy_rows
from normalize.folding import fold, read_sightings
from normalize.history import Period, tool_history_rows, tool_periods, verdict_history_rows
from normalize.pages import Pages, by_page, card_rows, merged_decision, page_rows, verdict_rows
from normalize.prices import price_tiers
from normalize.reviews import review_rows
from normalize.rows import (
    KEYS,
    TABLES,
    DiscrepancyRow,
    DocumentRow,
    PricingTierRow,
    RejectRow,
    Row,
    ToolAliasRow,
    ToolRow,
)
from normalize.text import fold_name
from normalize.views import SIDES, View, read_views

Corpus = Mapping[str, tuple[Row, ...]]
"""Table name to its rows, sorted by key."""


def normalize(observations: Iterable[Observation], *, gone: Collection[str] = ()) -> Corpus:
    """All rows of the corpus from everything ever observed. `gone` are addresses known to be gone for good.

    It always sees the whole raw store, so a rebuild and an increment are the same by construction. The order of the
    observations does not matter, and one seen twice counts once.
    """
    seen = list({item.location: item for item in observations}.values())
    found = read_views(seen)
    views = found.views
    pages = by_page(views)
    histories = tool_periods(views)
    names = {tool: str(periods[-1].state["name"]) for tool, periods in histories.items()}
    sightings = read_sightings(views)
    matches = fold(sightings)
    verdicts, conflicts = attribute(sightings, matches, names)
    reviews = review_rows(sightings, matches, verdicts)
    doubts = [DiscrepancyRow(item.page_id, item.tool_id, item.rule, item.expected, item.found) for item in conflicts]
    rows: dict[str, Iterable[Row]] = {
        "pages": page_rows(pages, gone),
        "documents": _documents(seen),
        "tools": _tools(views, histories),
        "tool_aliases": [
            ToolAliasRow(
                alias.alias_id,
                alias.tool_id,
                alias.name,
                alias.tagline,
                "one tool with a slug shows this name and tagline",
            )
            for alias in found.aliases
        ],
        "tool_cards": card_rows(pages),
        "verdicts": verdict_rows(pages),
        "pricing_tiers": _pricing_tiers(pages),
        "reviews": reviews.reviews,
        "review_aliases": (),
        "appearances": reviews.appearances,
        "attribution_evidence": reviews.evidence,
        "tool_history": tool_history_rows(histories),
        "verdict_history": verdict_history_rows(views),
        "discrepancies": [*discrepancy_rows(pages), *doubts, *reviews.discrepancies],
        "rejects": _rejects(seen),
    }
    return {table: _sorted(table, rows[table]) for table in TABLES}


def _sorted(table: str, rows: Iterable[Row]) -> tuple[Row, ...]:
    """One row a key; of several the first one made."""
    keyed: dict[tuple[str, ...], Row] = {}
    for row in rows:
        keyed.setdefault(tuple(str(getattr(row, name)) for name in KEYS[table]), row)
    return tuple(keyed[key] for key in sorted(keyed))


def _tools(views: Sequence[View], histories: Mapping[str, Sequence[Period]]) -> Iterable[ToolRow]:
    times: dict[str, list[datetime]] = defaultdict(list)
    homes: dict[str, tuple[str | None, str | None]] = {}
    for view in views:
        slugs = (None, None) if view.slugs is None or view.host is None else (view.slugs.a, view.slugs.b)
        for tool, slug in zip(view.tools, slugs, strict=True):
            times[tool].append(view.fetched_at)
            if homes.get(tool, (None, None))[1] is None:
                homes[tool] = (view.host, slug)
    for tool, periods in histories.items():
        state = periods[-1].state
        host, slug = homes[tool]
        text = {name: None if value is None else str(value) for name, value in state.items()}
        name = text["name"] or ""
        yield ToolRow(
            tool_id=tool,
            host=host,
            slug=slug,
            name=name,
            tagline=text["tagline"],
            description=text["description"],
            category=text["category"],
            entry=text["entry"],
            product=fold_name(name),
            first_seen_at=min(times[tool]),
            last_seen_at=max(times[tool]),
        )


def _pricing_tiers(pages: Pages) -> Iterable[PricingTierRow]:
    """The tiers of each tool's newest pricing string; pages of one crawl that disagree are settled by page id."""
    newest: dict[str, tuple[tuple[str, str], str]] = {}
    for page_id, views in sorted(pages.items()):
        for side in SIDES:
            decision = merged_decision(views, side)
            if decision is None or decision.pricing is None:
                continue
            since = max(view.crawl_id for view in views if view.comparison.decisions)
            tool = views[0].tool(side)
            newest[tool] = max(newest.get(tool, (("", ""), "")), ((since, page_id), decision.pricing))
    for tool, (_, pricing) in newest.items():
        for position, tier in enumerate(price_tiers(pricing)):
            yield PricingTierRow(tool, position, *tier)


def _newest_by_url(seen: Sequence[Observation]) -> dict[str, Observation]:
    newest: dict[str, Observation] = {}
    for item in sorted(seen, key=lambda item: (item.crawl_id, item.location.segment, item.location.offset)):
        newest[item.url] = item
    return newest


def _documents(seen: Sequence[Observation]) -> Iterable[DocumentRow]:
    """The newest text of each page that is no comparison."""
    times: dict[str, list[datetime]] = defaultdict(list)
    for item in seen:
        if isinstance(item.extracted, Document):
            times[item.url].append(item.fetched_at)
    for url, item in _newest_by_url(seen).items():
        found = item.extracted
        if isinstance(found, Document):
            host = urlsplit(url).hostname if has_address(url) else None
            words = (found.title, found.author, found.published_on, found.text)
            yield DocumentRow(url, host, *words, min(times[url]), max(times[url]))


def _rejects(seen: Sequence[Observation]) -> Iterable[RejectRow]:
    """What could not be read and has not been read well since. The good rows of earlier snapshots stay."""
    for url, item in _newest_by_url(seen).items():
        if isinstance(item.extracted, Reject):
            place = item.location
            yield RejectRow(url, "extract", item.extracted.reason, item.extracted.detail, place.segment, place.offset)

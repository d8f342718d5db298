"""Pages, their cards and verdicts: the versions of a page merged field by field, the newest and richest first."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields

from corpus.enumerations import SIDES, Side
from corpus.rows.pages import PageRow, ToolCardRow, VerdictRow
from extract.model.records import Card, Decision
from normalize.identity.page_versions import RICHNESS, PageVersion
from normalize.parse.values import percent, readable, verdict_word
from normalize.rows.votes import community_votes, panel_votes

Pages = dict[str, list[PageVersion]]
"""Page id to the versions of the page, freshest first."""

CARD_FIELDS = tuple(field.name for field in fields(Card) if field.name not in {"side", "name", "span"})
DECISION_FIELDS = tuple(field.name for field in fields(Decision) if field.name not in {"side", "name", "span"})
"""Fields that are merged over the versions of a page."""


def versions_by_page(versions: Sequence[PageVersion]) -> Pages:
    """Groups versions that come oldest first."""
    pages: Pages = defaultdict(list)
    for version in reversed(versions):
        pages[version.page_id].append(version)
    return dict(pages)


def page_rows(pages: Pages, gone_urls: Collection[str]) -> Iterable[PageRow]:
    """One row per page."""
    for page_id, versions in pages.items():
        newest = versions[0]
        renderings = {version.comparison.rendering for version in versions}
        yield PageRow(
            page_id=page_id,
            url=newest.url,
            host=newest.host,
            title=newest.comparison.title,
            renderings=tuple(sorted(renderings, key=lambda rendering: -RICHNESS[rendering])),
            is_ambiguous=any(version.slugs is not None and version.slugs.is_ambiguous for version in versions),
            first_seen_at=min(version.fetched_at for version in versions),
            last_seen_at=max(version.fetched_at for version in versions),
            is_gone=newest.url in gone_urls,
        )


def merged_card(versions: Sequence[PageVersion], side: Side) -> Card:
    """The card of a side. A field missing in the freshest version is taken from the next one that has it."""
    cards = [version.comparison.cards[SIDES.index(side)] for version in versions]
    merged = {name: _freshest(cards, name) for name in CARD_FIELDS}
    return Card(side=side, name=cards[0].name, span=cards[0].span, **merged)


def merged_decision(versions: Sequence[PageVersion], side: Side) -> Decision | None:
    """The Decision column of a side, merged like its card; None where no version of the page has the table."""
    columns = [version.comparison.decisions[SIDES.index(side)] for version in versions if version.comparison.decisions]
    if not columns:
        return None
    merged = {name: _freshest(columns, name) for name in DECISION_FIELDS}
    return Decision(side=side, name=columns[0].name, span=columns[0].span, **merged)


def _freshest(parts: Sequence[Card] | Sequence[Decision], field: str) -> str | None:
    return next((value for part in parts if (value := getattr(part, field)) is not None), None)


def card_rows(pages: Pages) -> Iterable[ToolCardRow]:
    """Two rows per page, one per side."""
    for page_id, versions in pages.items():
        for side in SIDES:
            card = merged_card(versions, side)
            yield ToolCardRow(
                page_id=page_id,
                side=side,
                tool_id=versions[0].tool(side),
                name=card.name,
                tagline=card.tagline,
                category=card.category,
                panel_ship_pct=readable(percent, card.panel_ship),
                chip=readable(verdict_word, card.chip),
                community_pct=readable(percent, card.community),
                entry=card.entry,
                description=card.description,
            )


def verdict_rows(pages: Pages) -> Iterable[VerdictRow]:
    """Two rows per page of which any version has the Decision table, one per side."""
    for page_id, versions in pages.items():
        for side in SIDES:
            decision = merged_decision(versions, side)
            if decision is None:
                continue
            line = panel_votes(versions, side)
            votes = community_votes(versions, side)
            yield VerdictRow(
                page_id=page_id,
                side=side,
                tool_id=versions[0].tool(side),
                verdict=line.verdict,
                ship_votes=line.ship_votes,
                skip_votes=line.skip_votes,
                community_pct=votes.pct,
                community_votes=votes.votes,
                pricing=decision.pricing,
                best_for=decision.best_for,
                category=decision.category,
                verdict_raw=decision.verdict,
                community_raw=decision.community,
            )

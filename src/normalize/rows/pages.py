"""Rows of pages, their cards and verdicts."""

from collections.abc import Collection, Iterable

from verdicts.corpus.rows.pages import PageRow, ToolCardRow, VerdictRow
from verdicts.normalize.identity.page_versions import RICHNESS
from verdicts.normalize.rows.merged_pages import Pages


def page_rows(pages: Pages, gone_urls: Collection[str]) -> Iterable[PageRow]:
    """One row per page."""
    for page in pages:
        versions, newest = page.versions, page.versions[0]
        renderings = {version.comparison.rendering for version in versions}
        yield PageRow(
            page_id=page.page_id,
            url=newest.url,
            host=newest.host,
            title=newest.comparison.title,
            renderings=tuple(sorted(renderings, key=lambda rendering: -RICHNESS[rendering])),
            is_ambiguous=any(version.slugs is not None and version.slugs.is_ambiguous for version in versions),
            first_seen_at=min(version.fetched_at for version in versions),
            last_seen_at=max(version.fetched_at for version in versions),
            is_gone=newest.url in gone_urls,
        )


def card_rows(pages: Pages) -> Iterable[ToolCardRow]:
    """Two rows per page, one per side."""
    for page in pages:
        for merged in page.sides:
            card = merged.card
            yield ToolCardRow(
                page_id=page.page_id,
                side=merged.side,
                tool_id=merged.tool_id,
                name=card.name,
                tagline=card.tagline,
                category=card.category,
                panel_ship_pct=merged.panel_ship,
                chip=merged.chip,
                community_pct=merged.community_pct,
                entry=card.entry,
                description=card.description,
            )


def verdict_rows(pages: Pages) -> Iterable[VerdictRow]:
    """Two rows per page of which any version has the Decision table, one per side."""
    for page in pages:
        for merged in page.sides:
            decision = merged.decision
            if decision is None:
                continue
            yield VerdictRow(
                page_id=page.page_id,
                side=merged.side,
                tool_id=merged.tool_id,
                verdict=merged.panel.verdict,
                ship_votes=merged.panel.ship_votes,
                skip_votes=merged.panel.skip_votes,
                community_pct=merged.community.pct,
                community_votes=merged.community.votes,
                pricing=decision.pricing,
                best_for=decision.best_for,
                category=decision.category,
                verdict_raw=decision.verdict,
                community_raw=decision.community,
            )

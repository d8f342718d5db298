"""Pages, their cards and verdicts: the views of a page merged field by field, the newest and richest first."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from corpus.tables import PageRow, ToolCardRow, VerdictRow
from extract.model.records import Card, Decision, Side
from normalize.identity.page_versions import RICHNESS, SIDES, View
from normalize.parse.values import percent, readable, verdict_word
from normalize.rows.votes import community_votes, panel_votes

Pages = dict[str, list[View]]

CARD_FIELDS = ("slug", "tagline", "category", "chip", "panel_ship", "community", "entry", "description")
DECISION_FIELDS = ("verdict", "community", "pricing", "best_for", "category")


def by_page(views: Sequence[View]) -> Pages:
    """Views of each page, freshest first."""
    pages: Pages = defaultdict(list)
    for view in reversed(views):
        pages[view.page_id].append(view)
    return dict(pages)


def page_rows(pages: Pages, gone: Collection[str]) -> Iterable[PageRow]:
    """A row a page."""
    for page_id, views in pages.items():
        newest = views[0]
        yield PageRow(
            page_id=page_id,
            url=newest.url,
            host=newest.host,
            title=newest.comparison.title,
            renderings=tuple(sorted({view.comparison.rendering for view in views}, key=lambda name: -RICHNESS[name])),
            is_ambiguous=any(view.slugs is not None and view.slugs.is_ambiguous for view in views),
            first_seen_at=min(view.fetched_at for view in views),
            last_seen_at=max(view.fetched_at for view in views),
            is_gone=newest.url in gone,
        )


def merged_card(views: Sequence[View], side: Side) -> Card:
    """The card of a side; a field that the freshest view lost is taken from the next one that has it."""
    cards = [view.comparison.cards[SIDES.index(side)] for view in views]
    merged = {name: _freshest(cards, name) for name in CARD_FIELDS}
    return Card(side=side, name=cards[0].name, span=cards[0].span, **merged)


def merged_decision(views: Sequence[View], side: Side) -> Decision | None:
    """The Decision column of a side; None where no view of the page has the table."""
    columns = [view.comparison.decisions[SIDES.index(side)] for view in views if view.comparison.decisions]
    if not columns:
        return None
    merged = {name: _freshest(columns, name) for name in DECISION_FIELDS}
    return Decision(side=side, name=columns[0].name, span=columns[0].span, **merged)


def _freshest(parts: Sequence[Card] | Sequence[Decision], field: str) -> str | None:
    return next((value for part in parts if (value := getattr(part, field)) is not None), None)


def card_rows(pages: Pages) -> Iterable[ToolCardRow]:
    """Two rows a page."""
    for page_id, views in pages.items():
        for side in SIDES:
            card = merged_card(views, side)
            yield ToolCardRow(
                page_id=page_id,
                side=side,
                tool_id=views[0].tool(side),
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
    """Two rows a page that ever showed its Decision table."""
    for page_id, views in pages.items():
        for side in SIDES:
            decision = merged_decision(views, side)
            if decision is None:
                continue
            line = panel_votes(views, side)
            votes = community_votes(views, side)
            yield VerdictRow(
                page_id=page_id,
                side=side,
                tool_id=views[0].tool(side),
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

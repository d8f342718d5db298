"""Pages, with the versions of each merged field by field, and the rows of pages, cards and verdicts.

All tables and rules of pages use these: each page is merged once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from typing import TypeAlias

from msgspec.structs import asdict

from verdicts.corpus.rows.pages import MentionRow, PageRow, ToolCardRow, VerdictRow
from verdicts.corpus.rows.tools import VerdictHistoryRow
from verdicts.fetch.model.url_state import Absences, is_gone
from verdicts.fetch.parse.rights import UNSTATED, Rights
from verdicts.normalize.identity.page_versions import (
    RICHNESS,
    Interval,
    PageVersion,
    cut_absences,
    find_page_absences,
)
from verdicts.normalize.parse.names import make_name_key
from verdicts.normalize.rows.page_states import MergedSide, PageState, list_page_states
from verdicts.normalize.rows.tool_rows import State, StateReport, list_periods


@dataclass(frozen=True, slots=True)
class MergedPage:
    """`versions` come freshest first, `states` oldest first; `sides` are A's and B's as the page shows them now."""

    page_id: str
    versions: Sequence[PageVersion]
    states: Sequence[PageState]
    sides: tuple[MergedSide, MergedSide]


Pages: TypeAlias = Sequence[MergedPage]


def merge_versions(versions: Sequence[PageVersion]) -> MergedPage:
    """The merged page of versions that come oldest first."""
    states = list_page_states(versions)
    return MergedPage(versions[0].head.page_id, versions[::-1], states, states[-1].sides)


def select_newest(page: MergedPage) -> Sequence[PageVersion]:
    """The newest version of each rendering."""
    return tuple({version.head.rendering: version for version in reversed(page.versions)}.values())


def make_page_rows(pages: Pages, gone: Mapping[str, Absences], rights: Mapping[str, Rights]) -> Iterable[PageRow]:
    """One row for each page. A dump without an address has the rights of the page that it shows."""
    for page in pages:
        versions, newest = page.versions, page.versions[0]
        identities, url = [version.identity for version in versions], newest.identity.url
        stated = rights.get(next((identity.url for identity in identities if identity.url is not None), ""), UNSTATED)
        renderings = {version.head.rendering for version in versions}
        yield PageRow(
            page_id=page.page_id,
            kind="panel",
            url=url,
            address=newest.address,
            host=newest.head.host,
            title=newest.head.title,
            author=None,
            published_date=None,
            reader="panel",
            renderings=tuple(sorted(renderings, key=lambda rendering: -RICHNESS[rendering])),
            is_ambiguous=any(identity.slugs is not None and identity.slugs.is_ambiguous for identity in identities),
            first_seen_at=min(version.head.fetched_at for version in versions),
            last_seen_at=max(version.head.fetched_at for version in versions),
            is_gone=is_gone(gone.get(url or "", ())),
            rights=stated.stated or None,
            is_reserved=stated.is_reserved,
        )


def make_card_rows(pages: Pages) -> Iterable[ToolCardRow]:
    """Two rows per page, one per side."""
    for page in pages:
        for merged in page.sides:
            card = asdict(merged.card)
            del card["slug"]
            yield ToolCardRow(page_id=page.page_id, tool_id=merged.tool_id, **card)


def make_panel_mention_rows(pages: Pages) -> Iterable[MentionRow]:
    """Two rows per page, one per side."""
    for page in pages:
        for number, merged in enumerate(page.sides):
            card, column = merged.card, merged.decision
            price, best_for, votes = None, card.tagline, None
            if column is not None:
                price, best_for = column.pricing, column.best_for or card.tagline
                _, ship, skip = column.panel
                votes = None if ship is None or skip is None else ship + skip
            share = card.panel_ship_pct
            yield MentionRow(
                page_id=page.page_id,
                tool_number=number,
                name=card.name,
                name_key=make_name_key(card.name),
                tool_url=None,
                description=card.description,
                category=card.category,
                price=price,
                rating=None if share is None else float(share),
                rating_best=None if share is None else 100.0,
                ratings=None if share is None else votes,
                rank=None,
                best_for=best_for,
                tool_id=merged.tool_id,
                known_by="panel",
            )


def make_verdict_rows(pages: Pages) -> Iterable[VerdictRow]:
    """Two rows, one per side, for each page with a Decision table in any version."""
    for page in pages:
        for merged in page.sides:
            if (column := merged.decision) is not None:
                texts = (
                    column.pricing,
                    column.best_for,
                    column.category,
                    column.panel_verdict_raw,
                    column.community_raw,
                )
                whose = (page.page_id, merged.side, merged.tool_id)
                yield VerdictRow(*whose, *column.panel, *column.community, *texts)


VERDICT_FIELDS = (
    "panel_verdict",
    "ship_votes",
    "skip_votes",
    "panel_ship_pct",
    "community_pct",
    "community_votes",
    "pricing",
)


def make_verdict_history_rows(pages: Pages, gone: Mapping[str, Absences]) -> Iterable[VerdictHistoryRow]:
    """One row per state of a tool's verdict on a page, from the first version that states anything on.

    Nothing is stated while the page is gone.
    """
    for page in pages:
        absences = find_page_absences(page.versions[::-1], gone)
        for index, merged in enumerate(page.sides):
            states = ((state.version.head, _make_verdict_state(state.sides[index])) for state in page.states)
            reports = [
                StateReport(head.crawl, head.fetched_at, state)
                for head, state in dropwhile(lambda stated: {*stated[1].values()} == {None}, states)
            ]
            whose = (page.page_id, merged.side, merged.tool_id)
            for period in list_periods(reports) if reports else ():
                for since, until in cut_absences(Interval(period.valid_from, period.valid_to), absences):
                    yield VerdictHistoryRow(*whose, **period.state, valid_from=since, valid_to=until)


def _make_verdict_state(side: MergedSide) -> State:
    pricing = side.decision and side.decision.pricing
    return dict(zip(VERDICT_FIELDS, (*side.panel, side.card.panel_ship_pct, *side.community, pricing), strict=True))

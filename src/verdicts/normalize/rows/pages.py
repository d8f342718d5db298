"""Pages, with the versions of each merged field by field, and the rows of pages, cards and verdicts.

All tables and rules of pages use these: each page is merged once, the newest and richest version first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import asdict, replace

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.corpus.rows.pages import PageRow, ToolCardRow, VerdictRow
from verdicts.corpus.rows.tools import VerdictHistoryRow
from verdicts.fetch.model.url_state import Absences, is_gone
from verdicts.fetch.parse.rights import UNSTATED, Rights
from verdicts.normalize.identity.page_versions import (
    RICHNESS,
    Interval,
    PageVersion,
    page_absences,
    without_absences,
)
from verdicts.normalize.parse.typed_page import TypedCard, TypedDecision
from verdicts.normalize.parse.values import NO_COMMUNITY, NO_PANEL, Community, VerdictLine
from verdicts.normalize.rows.tools import State, StateReport, state_periods

Part = TypeVar("Part", TypedCard, TypedDecision)

_PRINTED_AS = {
    "panel_ship_pct": "panel_ship",
    "community_pct": "community",
    "panel": "verdict",
    "verdict_raw": "verdict",
    "community_raw": "community",
}
"""The printed field of a typed one, where its name differs."""


@dataclass(frozen=True, slots=True)
class MergedSide:
    """One tool's side of a page. `decision` is None where no version of the page has the table."""

    side: Side
    tool_id: str
    card: TypedCard
    decision: TypedDecision | None

    @property
    def panel(self) -> VerdictLine:
        return NO_PANEL if self.decision is None else self.decision.panel

    @property
    def community(self) -> Community:
        return NO_COMMUNITY if self.decision is None else self.decision.community


@dataclass(frozen=True, slots=True)
class MergedPage:
    """`versions` come freshest first, `sides` are A's and B's."""

    page_id: str
    versions: Sequence[PageVersion]
    sides: tuple[MergedSide, MergedSide]


Pages: TypeAlias = Sequence[MergedPage]


def merged_page(versions: Sequence[PageVersion]) -> MergedPage:
    """The merged page of versions that come freshest first."""
    return MergedPage(versions[0].head.page_id, versions, (_merged_side(versions, "a"), _merged_side(versions, "b")))


def newest_renderings(page: MergedPage) -> Sequence[PageVersion]:
    """The newest version of each rendering."""
    return tuple({version.head.rendering: version for version in reversed(page.versions)}.values())


def _merged_side(versions: Sequence[PageVersion], side: Side) -> MergedSide:
    index = SIDES.index(side)
    cards = [(version.printed.cards[index], version.comparison.cards[index]) for version in versions]
    columns = [
        (version.printed.decisions[index], version.comparison.decisions[index])
        for version in versions
        if version.printed.decisions
    ]
    tool_id = versions[0].head.tool_ids[index]
    return MergedSide(side, tool_id, _merged(cards), _merged(columns) if columns else None)


def _merged(parts: Sequence[tuple[object, Part]]) -> Part:
    """A field that the freshest version does not print comes from the next one that prints it.

    `parts` are as printed and as read. A broken value counts: an older one does not take its place.
    """
    freshest = parts[0][1]
    if len(parts) == 1:
        return freshest
    chosen = {
        name: next((part for shown, part in parts if getattr(shown, _PRINTED_AS.get(name, name)) is not None), freshest)
        for name in freshest.__struct_fields__
    }
    return replace(freshest, **{name: getattr(part, name) for name, part in chosen.items()})


def page_rows(pages: Pages, gone: Mapping[str, Absences], rights: Mapping[str, Rights]) -> Iterable[PageRow]:
    """One row for each page. A dump without an address has the rights of the page that it shows."""
    for page in pages:
        versions, newest = page.versions, page.versions[0]
        stated = rights.get(next((version.url for version in versions if version.url is not None), ""), UNSTATED)
        renderings = {version.head.rendering for version in versions}
        yield PageRow(
            page_id=page.page_id,
            url=newest.url,
            address=newest.address,
            host=newest.head.host,
            title=newest.head.title,
            renderings=tuple(sorted(renderings, key=lambda rendering: -RICHNESS[rendering])),
            is_ambiguous=any(version.slugs is not None and version.slugs.is_ambiguous for version in versions),
            first_seen_at=min(version.head.fetched_at for version in versions),
            last_seen_at=max(version.head.fetched_at for version in versions),
            is_gone=is_gone(gone.get(newest.url or "", ())),
            rights=stated.stated or None,
            is_reserved=stated.is_reserved,
        )


def card_rows(pages: Pages) -> Iterable[ToolCardRow]:
    """Two rows per page, one per side."""
    for page in pages:
        for merged in page.sides:
            card = asdict(merged.card)
            del card["slug"]
            yield ToolCardRow(page_id=page.page_id, tool_id=merged.tool_id, **card)


def verdict_rows(pages: Pages) -> Iterable[VerdictRow]:
    """Two rows, one per side, for each page with a Decision table in any version."""
    for page in pages:
        for merged in page.sides:
            if (column := merged.decision) is not None:
                texts = (column.pricing, column.best_for, column.category, column.verdict_raw, column.community_raw)
                whose = (page.page_id, merged.side, merged.tool_id)
                yield VerdictRow(*whose, *column.panel, *column.community, *texts)


VERDICT_FIELDS = (
    "verdict",
    "ship_votes",
    "skip_votes",
    "panel_ship_pct",
    "community_pct",
    "community_votes",
    "pricing",
)


def verdict_history_rows(pages: Pages, gone: Mapping[str, Absences]) -> Iterable[VerdictHistoryRow]:
    """One row per state of a tool's verdict on a page, from the first version that states anything on.

    Nothing is stated while the page is gone.
    """
    for page in pages:
        versions = page.versions[::-1]
        absences = page_absences(versions, gone)
        for index, merged in enumerate(page.sides):
            states = ((version, _verdict_state(version, index)) for version in versions)
            reports = [
                StateReport(version.head.crawl, version.head.fetched_at, state)
                for version, state in dropwhile(lambda stated: {*stated[1].values()} == {None}, states)
            ]
            whose = (page.page_id, merged.side, merged.tool_id)
            for period in state_periods(reports) if reports else ():
                state: dict[str, Any] = {name: period.state.get(name) for name in VERDICT_FIELDS}
                for since, until in without_absences(Interval(period.valid_from, period.valid_to), absences):
                    yield VerdictHistoryRow(*whose, **state, valid_from=since, valid_to=until)


def _verdict_state(version: PageVersion, index: int) -> State:
    panel_ship_pct = version.comparison.cards[index].panel_ship_pct
    if not version.comparison.decisions:
        return {"panel_ship_pct": panel_ship_pct}
    column = version.comparison.decisions[index]
    return dict(zip(VERDICT_FIELDS, (*column.panel, panel_ship_pct, *column.community, column.pricing), strict=True))

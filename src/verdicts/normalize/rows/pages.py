"""Pages, with the versions of each merged field by field, and the rows of pages, cards and verdicts.

All tables and rules of pages use these: each page is merged once, the newest and richest version first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import dropwhile
from typing import Any, TypeAlias, TypeVar

from verdicts.corpus.enumerations import SIDES, Side, Verdict
from verdicts.corpus.rows.pages import PageRow, ToolCardRow, VerdictRow
from verdicts.corpus.rows.tools import VerdictHistoryRow
from verdicts.extract.model.records import Card, Decision
from verdicts.fetch.model.url_state import Absences, is_gone
from verdicts.fetch.parse.rights import UNSTATED, Rights
from verdicts.normalize.identity.page_versions import (
    RICHNESS,
    Interval,
    PageVersion,
    page_absences,
    without_absences,
)
from verdicts.normalize.parse.values import (
    Community,
    VerdictLine,
    community,
    percent,
    readable,
    verdict_line,
    verdict_word,
)
from verdicts.normalize.rows.tools import State, StateReport, state_periods

Part = TypeVar("Part", Card, Decision)

_MERGED_FIELDS: dict[type, tuple[str, ...]] = {
    part: tuple(field.name for field in fields(part) if field.name not in {"side", "name", "span"})
    for part in (Card, Decision)
}


@dataclass(frozen=True, slots=True)
class MergedSide:
    """One tool's side of a page. `decision` is None where no version of the page has the table.

    `panel` and `community` are the votes by that table; `panel_ship` and `community_pct` are the percentages on the
    card, `chip` its word, each None where it is broken.
    """

    side: Side
    tool_id: str
    card: Card
    decision: Decision | None
    panel: VerdictLine
    community: Community
    panel_ship: int | None
    community_pct: int | None
    chip: Verdict | None


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
    if len(page.versions) == 1:
        return page.versions
    return tuple({version.head.rendering: version for version in reversed(page.versions)}.values())


def _merged_side(versions: Sequence[PageVersion], side: Side) -> MergedSide:
    index = SIDES.index(side)
    card = _merged([version.comparison.cards[index] for version in versions])
    tables = [(version.profile, table[index]) for version in versions if (table := version.comparison.decisions)]
    # Verdict and votes come from one line: that of the freshest version with one.
    verdict = next(((column.verdict, profile) for profile, column in tables if column.verdict is not None), None)
    voted = next(((column.community, profile) for profile, column in tables if column.community is not None), None)
    return MergedSide(
        side=side,
        tool_id=versions[0].head.tool_ids[index],
        card=card,
        decision=_merged([column for _, column in tables]) if tables else None,
        panel=VerdictLine(None, None, None) if verdict is None else readable(verdict_line, *verdict),
        community=Community(None, None) if voted is None else readable(community, *voted),
        panel_ship=readable(percent, card.panel_ship),
        community_pct=readable(percent, card.community),
        chip=readable(verdict_word, card.chip),
    )


def _merged(parts: Sequence[Part]) -> Part:
    """A field that the freshest version lacks comes from the next one that has it."""
    if len(parts) == 1:
        return parts[0]
    merged: dict[str, Any] = {
        name: next((value for part in parts if (value := getattr(part, name)) is not None), None)
        for name in _MERGED_FIELDS[type(parts[0])]
    }
    return replace(parts[0], **merged)


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
    """Two rows, one per side, for each page with a Decision table in any version."""
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
    panel_ship_pct = readable(percent, version.comparison.cards[index].panel_ship)
    if not version.comparison.decisions:
        return {"panel_ship_pct": panel_ship_pct}
    decision = version.comparison.decisions[index]
    line = readable(verdict_line, decision.verdict, version.profile)
    votes = readable(community, decision.community, version.profile)
    return dict(zip(VERDICT_FIELDS, (*line, panel_ship_pct, *votes, decision.pricing), strict=True))

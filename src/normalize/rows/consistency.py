"""What a page says twice must agree. A contradiction becomes a row; both sides are kept, nothing is fixed."""

from collections.abc import Callable, Collection, Iterable
from itertools import product
from typing import NamedTuple

from verdicts.corpus.enumerations import SIDES, Side, Verdict
from verdicts.corpus.rows.doubts import DiscrepancyRow
from verdicts.extract.model.records import Card, Decision
from verdicts.extract.panel.profile import SiteProfile, rounded_pct
from verdicts.normalize.attribution.page_takes import sizes_shown
from verdicts.normalize.identity.addresses import is_order_unknown
from verdicts.normalize.identity.page_versions import PageVersion
from verdicts.normalize.parse.prices import price_tiers
from verdicts.normalize.parse.values import Community, VerdictLine, readable, take_verdict
from verdicts.normalize.rows.pages import MergedPage, MergedSide, Pages, newest_renderings


class CardClaim(NamedTuple):
    """One tool's side of a page, merged over its versions. `profile` is that of the freshest one.

    `panel_ship` and `community_pct` are the percentages on the card, `chip` its word, each None where it is broken.
    """

    card: Card
    decision: Decision
    panel: VerdictLine
    community: Community
    panel_ship: int | None
    community_pct: int | None
    chip: Verdict | None
    page: MergedPage
    side: Side

    @property
    def profile(self) -> SiteProfile:
        return self.page.versions[0].profile


class Difference(NamedTuple):
    """Two values that should be the same: the one that the other follows from, and the other as shown."""

    expected: str
    found: str


def _panel_vs_votes(claim: CardClaim) -> Difference | None:
    ship, skip, shown = claim.panel.ship_votes, claim.panel.skip_votes, claim.panel_ship
    if ship is None or skip is None or shown is None:
        return None
    counted = rounded_pct(ship, ship + skip)
    return None if counted in {None, shown} else Difference(f"{counted}% by votes", f"{shown}% on the card")


def _votes_vs_takes(claim: CardClaim) -> Difference | None:
    votes = (claim.panel.ship_votes, claim.panel.skip_votes)
    if None in votes:
        return None
    labelled = next((version for version in claim.page.versions if _labels_votes(version)), None)
    if labelled is None:
        return None
    verdicts = [readable(take_verdict, take.verdict) for take in labelled.comparison.takes if take.side == claim.side]
    counted = (verdicts.count("ship"), verdicts.count("skip"))
    if votes == counted:
        return None
    return Difference(f"{votes[0]} ship / {votes[1]} skip", f"{counted[0]} ship / {counted[1]} skip among the takes")


def _labels_votes(version: PageVersion) -> bool:
    return any(take.side and take.verdict for take in version.comparison.takes)


def _chip_vs_panel(claim: CardClaim) -> Difference | None:
    shown, chip = claim.panel_ship, claim.chip
    if shown is None or chip is None:
        return None
    fitting = next((bound.chips for bound in claim.profile.values.chip_bounds if shown >= bound.from_pct), None)
    if fitting is None or chip in fitting:
        return None
    return Difference(f"{' or '.join(sorted(fitting))} at {shown}%", chip)


def _chip_vs_verdict(claim: CardClaim) -> Difference | None:
    return _differ(claim.panel.verdict, claim.chip)


def _category_vs_decision(claim: CardClaim) -> Difference | None:
    return _differ(claim.decision.category, claim.card.category)


def _tagline_vs_best_for(claim: CardClaim) -> Difference | None:
    return _differ(claim.decision.best_for, claim.card.tagline)


def _community_vs_decision(claim: CardClaim) -> Difference | None:
    on_card = claim.community_pct
    if claim.community.votes == 0 and on_card is not None:
        return Difference("no community votes", f"{on_card}% on the card")
    return _differ(claim.community.pct, on_card)


def _entry_vs_pricing(claim: CardClaim) -> Difference | None:
    if claim.decision.pricing is None or claim.card.entry is None:
        return None
    is_free = claim.profile.values.free_pricing.casefold() in claim.decision.pricing.casefold()
    return _differ("Free" if is_free else "Paid", claim.card.entry)


def _differ(expected: object, found: object) -> Difference | None:
    if expected is None or found is None or expected == found:
        return None
    return Difference(str(expected), str(found))


def _unread_price(claim: CardClaim) -> Difference | None:
    refused = [tier.raw for tier in price_tiers(claim.decision.pricing or "") if tier.is_refused]
    return Difference("amounts that are one price each", " / ".join(refused)) if refused else None


RULES: dict[str, Callable[[CardClaim], Difference | None]] = {
    "panel_vs_votes": _panel_vs_votes,
    "votes_vs_takes": _votes_vs_takes,
    "chip_vs_panel": _chip_vs_panel,
    "chip_vs_verdict": _chip_vs_verdict,
    "category_vs_decision": _category_vs_decision,
    "tagline_vs_best_for": _tagline_vs_best_for,
    "community_vs_decision": _community_vs_decision,
    "entry_vs_pricing": _entry_vs_pricing,
    "unread_price": _unread_price,
}
"""Rule name to the comparison it makes, for each tool of a page."""


def discrepancy_rows(pages: Pages) -> Iterable[DiscrepancyRow]:
    """One row per contradiction: every rule on each side of every page, and the page's address against its links."""
    for page in pages:
        told: set[Side] = set()
        for merged in page.sides:
            claim = _claim(page, merged)
            for rule, check in RULES.items():
                difference = check(claim)
                if difference is not None:
                    shown = f"{difference.found} (side {merged.side})"
                    if rule == "votes_vs_takes":
                        told.add(merged.side)
                    yield DiscrepancyRow(page.page_id, merged.tool_id, rule, difference.expected, shown)
        yield from _missing_or_surplus_takes(page, told)
        yield from _address_contradictions(page)
        yield from _doubts(page)


def _doubts(page: MergedPage) -> Iterable[DiscrepancyRow]:
    """What reading the newest version of each rendering left open, each doubt once."""
    doubts = {doubt: version for version in newest_renderings(page) for doubt in version.comparison.doubts}
    for doubt, version in doubts.items():
        # Two takes of one reviewer may leave the same words in doubt: the side tells them apart.
        tool_id, side = (None, "") if doubt.side is None else (version.tool(doubt.side), f" (side {doubt.side})")
        yield DiscrepancyRow(page.page_id, tool_id, doubt.rule, doubt.expected, f"{doubt.found}{side}")


def _claim(page: MergedPage, merged: MergedSide) -> CardClaim:
    card = merged.card
    return CardClaim(
        card=card,
        decision=merged.decision or Decision(merged.side, card.name, None, None, None, None, None, card.span),
        panel=merged.panel,
        community=merged.community,
        panel_ship=merged.panel_ship,
        community_pct=merged.community_pct,
        chip=merged.chip,
        page=page,
        side=merged.side,
    )


def _missing_or_surplus_takes(page: MergedPage, told: Collection[Side]) -> Iterable[DiscrepancyRow]:
    """The newest version of each rendering must have as many takes as its votes or percentages say, none included.

    Where takes name no side, both panels together must have them. `told` are the sides of which it is said already.
    """
    for version in newest_renderings(page):
        takes, shown = version.comparison.takes, version.comparison.rendering
        sizes = [sizes_shown(version.comparison, number, version.profile) for number in range(len(SIDES))]
        if all(take.side for take in takes):
            for side, possible in zip(SIDES, sizes, strict=True):
                count = sum(take.side == side for take in takes)
                if count not in possible and side not in told:
                    found = f"{count} takes in the {shown} (side {side})"
                    yield DiscrepancyRow(page.page_id, version.tool(side), "takes_vs_panel", _takes(possible), found)
        elif not any(len(takes) - first in sizes[1] for first in sizes[0]):
            sums = {first + second for first, second in product(*sizes)}
            found = f"{len(takes)} takes in the {shown}"
            yield DiscrepancyRow(page.page_id, None, "takes_vs_panel", _takes(sums), found)


def _takes(sizes: Collection[int]) -> str:
    return f"{' or '.join(map(str, sorted(sizes)))} takes by the panel" if sizes else "a panel that a percentage allows"


def _address_contradictions(page: MergedPage) -> Iterable[DiscrepancyRow]:
    versions = page.versions
    slugs = next((version.slugs for version in versions if version.slugs is not None), None)
    if slugs is None:
        return
    if slugs.is_ambiguous:
        place = versions[0].url or ""
        yield DiscrepancyRow(page.page_id, None, "ambiguous_address", "one place to cut the address", place)
        return
    turned = next((v for v in versions if is_order_unknown(v.comparison, v.url, v.profile)), None)
    if turned is not None:
        shown = " before ".join(card.name for card in turned.comparison.cards)
        yield DiscrepancyRow(page.page_id, None, "title_vs_cards", turned.comparison.title, f"the card of {shown}")
    for merged, slug in zip(page.sides, (slugs.a, slugs.b), strict=True):
        linked = merged.card.slug
        if linked is not None and linked != slug:
            yield DiscrepancyRow(page.page_id, merged.tool_id, "slug_vs_link", slug, linked)

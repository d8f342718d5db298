"""What a page says twice must agree. A contradiction becomes a row; both sides are kept, nothing is fixed."""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import product
from typing import NamedTuple

from corpus.enumerations import SIDES, Side
from corpus.rows.doubts import DiscrepancyRow
from extract.model.records import Card, Decision
from extract.panel.words.panel_arithmetic import rounded_pct
from extract.panel.words.profile import SiteProfile
from normalize.attribution.panel_sizes import sizes_shown
from normalize.identity.page_versions import PageVersion
from normalize.identity.sides import is_order_unknown
from normalize.parse.prices import price_tiers
from normalize.parse.values import Community, VerdictLine, percent, readable, take_verdict, verdict_word
from normalize.rows.pages import Pages, merged_card, merged_decision
from normalize.rows.votes import community_votes, panel_votes


class CardClaim(NamedTuple):
    """One tool's side of a page, merged over its versions. `profile` is that of the freshest one."""

    card: Card
    decision: Decision
    panel: VerdictLine
    community: Community
    versions: Sequence[PageVersion]
    side: Side

    @property
    def profile(self) -> SiteProfile:
        return self.versions[0].profile


class Difference(NamedTuple):
    """Two values that should be the same: the one that the other follows from, and the other as shown."""

    expected: str
    found: str


def _panel_vs_votes(claim: CardClaim) -> Difference | None:
    ship, skip = claim.panel.ship_votes, claim.panel.skip_votes
    shown = readable(percent, claim.card.panel_ship)
    if ship is None or skip is None or shown is None:
        return None
    counted = rounded_pct(ship, ship + skip)
    return None if counted in {None, shown} else Difference(f"{counted}% by votes", f"{shown}% on the card")


def _votes_vs_takes(claim: CardClaim) -> Difference | None:
    votes = (claim.panel.ship_votes, claim.panel.skip_votes)
    labelled = next(
        (version for version in claim.versions if any(take.side and take.verdict for take in version.comparison.takes)),
        None,
    )
    if None in votes or labelled is None:
        return None
    verdicts = [readable(take_verdict, take.verdict) for take in labelled.comparison.takes if take.side == claim.side]
    counted = (verdicts.count("ship"), verdicts.count("skip"))
    if votes == counted:
        return None
    return Difference(f"{votes[0]} ship / {votes[1]} skip", f"{counted[0]} ship / {counted[1]} skip among the takes")


def _chip_vs_panel(claim: CardClaim) -> Difference | None:
    shown, chip = readable(percent, claim.card.panel_ship), readable(verdict_word, claim.card.chip)
    if shown is None or chip is None:
        return None
    fitting = next((bound.chips for bound in claim.profile.values.chip_bounds if shown >= bound.from_pct), None)
    if fitting is None or chip in fitting:
        return None
    return Difference(f"{' or '.join(sorted(fitting))} at {shown}%", chip)


def _chip_vs_verdict(claim: CardClaim) -> Difference | None:
    return _differ(claim.panel.verdict, readable(verdict_word, claim.card.chip))


def _category_vs_decision(claim: CardClaim) -> Difference | None:
    return _differ(claim.decision.category, claim.card.category)


def _tagline_vs_best_for(claim: CardClaim) -> Difference | None:
    return _differ(claim.decision.best_for, claim.card.tagline)


def _community_vs_decision(claim: CardClaim) -> Difference | None:
    on_card = readable(percent, claim.card.community)
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
    for page_id, versions in pages.items():
        told: set[Side] = set()
        for side in SIDES:
            claim = _claim(versions, side)
            for rule, check in RULES.items():
                difference = check(claim)
                if difference is not None:
                    shown = f"{difference.found} (side {side})"
                    if rule == "votes_vs_takes":
                        told.add(side)
                    yield DiscrepancyRow(page_id, versions[0].tool(side), rule, difference.expected, shown)
        yield from _missing_or_surplus_takes(page_id, versions, told)
        yield from _address_contradictions(page_id, versions)
        yield from _doubts(page_id, versions)


def _doubts(page_id: str, versions: Sequence[PageVersion]) -> Iterable[DiscrepancyRow]:
    """What reading the newest version of each rendering left open, each doubt once."""
    doubts = {doubt: version for version in _newest_renderings(versions) for doubt in version.comparison.doubts}
    for doubt, version in doubts.items():
        # Two takes of one reviewer may leave the same words in doubt: the side tells them apart.
        tool_id, side = (None, "") if doubt.side is None else (version.tool(doubt.side), f" (side {doubt.side})")
        yield DiscrepancyRow(page_id, tool_id, doubt.rule, doubt.expected, f"{doubt.found}{side}")


def _newest_renderings(versions: Sequence[PageVersion]) -> Iterable[PageVersion]:
    """The newest version of each rendering; `versions` come freshest first."""
    return {version.comparison.rendering: version for version in reversed(versions)}.values()


def _claim(versions: Sequence[PageVersion], side: Side) -> CardClaim:
    card = merged_card(versions, side)
    no_table = Decision(side, card.name, None, None, None, None, None, card.span)
    decision = merged_decision(versions, side) or no_table
    return CardClaim(card, decision, panel_votes(versions, side), community_votes(versions, side), versions, side)


def _missing_or_surplus_takes(
    page_id: str, versions: Sequence[PageVersion], told: Collection[Side]
) -> Iterable[DiscrepancyRow]:
    """The newest version of each rendering must have as many takes as its votes or percentages say, none included.

    Where takes name no side, both panels together must have them. `told` are the sides of which it is said already.
    """
    for version in _newest_renderings(versions):
        takes, shown = version.comparison.takes, version.comparison.rendering
        sizes = [sizes_shown(version.comparison, number, version.profile) for number in range(len(SIDES))]
        if all(take.side for take in takes):
            for side, possible in zip(SIDES, sizes, strict=True):
                count = sum(take.side == side for take in takes)
                if count not in possible and side not in told:
                    found = f"{count} takes in the {shown} (side {side})"
                    yield DiscrepancyRow(page_id, version.tool(side), "takes_vs_panel", _takes(possible), found)
        elif len(takes) not in (sums := {first + second for first, second in product(*sizes)}):
            yield DiscrepancyRow(page_id, None, "takes_vs_panel", _takes(sums), f"{len(takes)} takes in the {shown}")


def _takes(sizes: Collection[int]) -> str:
    return f"{' or '.join(map(str, sorted(sizes)))} takes by the panel" if sizes else "a panel that a percentage allows"


def _address_contradictions(page_id: str, versions: Sequence[PageVersion]) -> Iterable[DiscrepancyRow]:
    slugs = next((version.slugs for version in versions if version.slugs is not None), None)
    if slugs is None:
        return
    if slugs.is_ambiguous:
        yield DiscrepancyRow(page_id, None, "ambiguous_address", "one place to cut the address", versions[0].url or "")
        return
    turned = next((v for v in versions if is_order_unknown(v.comparison, v.url, v.profile)), None)
    if turned is not None:
        shown = " before ".join(card.name for card in turned.comparison.cards)
        yield DiscrepancyRow(page_id, None, "title_vs_cards", turned.comparison.title, f"the card of {shown}")
    for side, slug in zip(SIDES, (slugs.a, slugs.b), strict=True):
        linked = merged_card(versions, side).slug
        if linked is not None and linked != slug:
            yield DiscrepancyRow(page_id, versions[0].tool(side), "slug_vs_link", slug, linked)

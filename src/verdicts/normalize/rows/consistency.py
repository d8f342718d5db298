"""Two statements of a page must agree. A contradiction becomes a row; both statements are kept, nothing is fixed."""

from collections.abc import Callable, Collection, Iterable
from itertools import product
from typing import NamedTuple

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.extract.panel.profile import round_percentage
from verdicts.normalize.identity.page_addresses import is_order_unknown
from verdicts.normalize.parse.prices import parse_price_tiers
from verdicts.normalize.rows.page_rows import MergedPage, Pages, select_newest
from verdicts.normalize.rows.page_states import MergedSide


class Difference(NamedTuple):
    """Two values that should be equal: the expected one, and the one shown."""

    expected: str
    found: str


def _compare_panel_with_votes(_page: MergedPage, side: MergedSide) -> Difference | None:
    ship, skip, shown_pct = side.panel.ship_votes, side.panel.skip_votes, side.card.panel_ship_pct
    if ship is None or skip is None or shown_pct is None:
        return None
    counted = round_percentage(ship, ship + skip)
    return None if counted in {None, shown_pct} else Difference(f"{counted}% by votes", f"{shown_pct}% on the card")


def _compare_votes_with_takes(page: MergedPage, side: MergedSide) -> Difference | None:
    votes = (side.panel.ship_votes, side.panel.skip_votes)
    labelled = next((v for v in page.versions if any(take.side and take.verdict for take in v.printed.takes)), None)
    if None in votes or labelled is None:
        return None
    verdicts = [take.verdict for take in labelled.comparison.takes if take.side == side.side]
    counted = (verdicts.count("ship"), verdicts.count("skip"))
    if votes == counted:
        return None
    return Difference(f"{votes[0]} ship / {votes[1]} skip", f"{counted[0]} ship / {counted[1]} skip among the takes")


def _compare_chip_with_panel(page: MergedPage, side: MergedSide) -> Difference | None:
    shown_pct, chip = side.card.panel_ship_pct, side.card.chip
    if shown_pct is None or chip is None:
        return None
    bounds = page.versions[0].profile.values.chip_bounds
    fitting = next((bound.chips for bound in bounds if shown_pct >= bound.from_pct), None)
    if fitting is None or chip in fitting:
        return None
    return Difference(f"{' or '.join(sorted(fitting))} at {shown_pct}%", chip)


def _compare_community(_page: MergedPage, side: MergedSide) -> Difference | None:
    shown_pct = side.card.community_pct
    if side.community.votes == 0 and shown_pct is not None:
        return Difference("no community votes", f"{shown_pct}% on the card")
    return _compare_values(side.community.pct, shown_pct)


def _compare_entry(page: MergedPage, side: MergedSide) -> Difference | None:
    if side.decision is None or side.decision.pricing is None:
        return None
    is_free = page.versions[0].profile.values.free_pricing.casefold() in side.decision.pricing.casefold()
    return _compare_values("Free" if is_free else "Paid", side.card.entry)


def _find_unread_price(_page: MergedPage, side: MergedSide) -> Difference | None:
    pricing = side.decision and side.decision.pricing
    refused = [tier.raw for tier in parse_price_tiers(pricing or "") if tier.is_refused]
    return Difference("amounts that are one price each", " / ".join(refused)) if refused else None


def _compare_values(expected: object, found: object) -> Difference | None:
    if expected is None or found is None or expected == found:
        return None
    return Difference(str(expected), str(found))


RULES: dict[str, Callable[[MergedPage, MergedSide], Difference | None]] = {
    "panel_vs_votes": _compare_panel_with_votes,
    "votes_vs_reviews": _compare_votes_with_takes,
    "chip_vs_panel": _compare_chip_with_panel,
    "chip_vs_verdict": lambda _, side: _compare_values(side.panel.verdict, side.card.chip),
    "category_vs_decision": lambda _, side: _compare_values(
        side.decision and side.decision.category, side.card.category
    ),
    "tagline_vs_best_for": lambda _, side: _compare_values(side.decision and side.decision.best_for, side.card.tagline),
    "community_vs_decision": _compare_community,
    "entry_vs_pricing": _compare_entry,
    "unread_price": _find_unread_price,
}
"""Rule name to the comparison it makes, for each tool of a page."""


def make_discrepancy_rows(pages: Pages) -> Iterable[DiscrepancyRow]:
    """One row for each contradiction on a page."""
    for page in pages:
        reported: set[Side] = set()
        for side in page.sides:
            for rule, check in RULES.items():
                difference = check(page, side)
                if difference is not None:
                    shown = f"{difference.found} (side {side.side})"
                    if rule == "votes_vs_reviews":
                        reported.add(side.side)
                    yield DiscrepancyRow(page.page_id, side.tool_id, rule, difference.expected, shown)
        yield from _compare_take_counts(page, reported)
        yield from _check_address(page)
        yield from _list_doubts(page)


def _list_doubts(page: MergedPage) -> Iterable[DiscrepancyRow]:
    """Doubts from reading the newest version of each rendering, each once."""
    doubts = {doubt: version for version in select_newest(page) for doubt in version.printed.doubts}
    for doubt, version in doubts.items():
        # The same doubt may be about two takes: the side tells them apart.
        tool_id, side = (
            (None, "") if doubt.side is None else (version.head.find_tool(doubt.side), f" (side {doubt.side})")
        )
        yield DiscrepancyRow(page.page_id, tool_id, doubt.rule, doubt.expected, f"{doubt.found}{side}")


def _compare_take_counts(page: MergedPage, reported: Collection[Side]) -> Iterable[DiscrepancyRow]:
    """The newest version of each rendering must have as many takes as its votes or percentages allow.

    If the takes have no sides, the sum of both panels counts. `reported` are the sides with an earlier report.
    """
    for version in select_newest(page):
        takes, rendering, sizes = version.comparison.takes, version.head.rendering, version.head.sizes
        if all(take.side for take in takes):
            for side, possible in zip(SIDES, sizes, strict=True):
                count = sum(take.side == side for take in takes)
                if count not in possible and side not in reported:
                    found = f"{count} takes in the {rendering} (side {side})"
                    tool_id = version.head.find_tool(side)
                    yield DiscrepancyRow(page.page_id, tool_id, "reviews_vs_panel", _describe_sizes(possible), found)
        elif not any(len(takes) - first in sizes[1] for first in sizes[0]):
            sums = {first + second for first, second in product(*sizes)}
            found = f"{len(takes)} takes in the {rendering}"
            yield DiscrepancyRow(page.page_id, None, "reviews_vs_panel", _describe_sizes(sums), found)


def _describe_sizes(sizes: Collection[int]) -> str:
    return f"{' or '.join(map(str, sorted(sizes)))} takes by the panel" if sizes else "a panel that a percentage allows"


def _check_address(page: MergedPage) -> Iterable[DiscrepancyRow]:
    identities = [version.identity for version in page.versions]
    slugs = next((identity.slugs for identity in identities if identity.slugs is not None), None)
    if slugs is None:
        return
    if slugs.is_ambiguous:
        url = identities[0].url or ""
        yield DiscrepancyRow(page.page_id, None, "ambiguous_address", "one place to cut the address", url)
        return
    turned = next((v for v in page.versions if is_order_unknown(v.printed, v.identity.url, v.profile)), None)
    if turned is not None:
        names = " before ".join(card.name for card in turned.printed.cards)
        yield DiscrepancyRow(page.page_id, None, "title_vs_cards", turned.printed.title, f"the card of {names}")
    for merged, slug in zip(page.sides, (slugs.a, slugs.b), strict=True):
        linked = merged.card.slug
        if linked is not None and linked != slug:
            yield DiscrepancyRow(page.page_id, merged.tool_id, "slug_vs_link", slug, linked)

"""What a page says twice must agree. A contradiction becomes a row; both sides are kept, nothing is fixed."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from corpus.rows.doubts import DiscrepancyRow
from extract.model.records import Card, Decision, Side
from normalize.attribution.panel_sizes import rounded_pct
from normalize.identity.page_versions import SIDES, PageVersion
from normalize.parse.values import community, percent, readable, take_verdict, verdict_line, verdict_word
from normalize.rows.pages import Pages, merged_card, merged_decision

CHIPS = ((67, {"ship"}), (51, {"ship", "mixed"}), (50, {"mixed"}), (34, {"mixed", "skip"}), (0, {"skip"}))
"""The chips that fit a panel % from here up. Seen: 100, 75, 67 Ship; 50 Mixed; 25 Skip. Between them either fits."""


class Statement(NamedTuple):
    """One tool's side of a page, merged over its views."""

    card: Card
    decision: Decision
    views: Sequence[PageVersion]
    side: Side


class Difference(NamedTuple):
    """Two statements that disagree."""

    expected: str
    found: str


def _panel_vs_votes(said: Statement) -> Difference | None:
    line = readable(verdict_line, said.decision.verdict)
    shown = readable(percent, said.card.panel_ship)
    if line.ship_votes is None or line.skip_votes is None or shown is None:
        return None
    counted = rounded_pct(line.ship_votes, line.ship_votes + line.skip_votes)
    return None if counted in {None, shown} else Difference(f"{counted}% by votes", f"{shown}% on the card")


def _votes_vs_takes(said: Statement) -> Difference | None:
    line = readable(verdict_line, said.decision.verdict)
    labelled = next(
        (view for view in said.views if any(take.side and take.verdict for take in view.comparison.takes)), None
    )
    if line.ship_votes is None or line.skip_votes is None or labelled is None:
        return None
    votes = (line.ship_votes, line.skip_votes)
    words = [readable(take_verdict, take.verdict) for take in labelled.comparison.takes if take.side == said.side]
    counted = (words.count("ship"), words.count("skip"))
    if votes == counted:
        return None
    return Difference(f"{votes[0]} ship / {votes[1]} skip", f"{counted[0]} ship / {counted[1]} skip among the takes")


def _chip_vs_panel(said: Statement) -> Difference | None:
    shown, chip = readable(percent, said.card.panel_ship), readable(verdict_word, said.card.chip)
    if shown is None or chip is None:
        return None
    fitting = next(words for floor, words in CHIPS if shown >= floor)
    return None if chip in fitting else Difference(f"{' or '.join(sorted(fitting))} at {shown}%", chip)


def _chip_vs_verdict(said: Statement) -> Difference | None:
    return _differ(readable(verdict_line, said.decision.verdict).verdict, readable(verdict_word, said.card.chip))


def _category_vs_decision(said: Statement) -> Difference | None:
    return _differ(said.decision.category, said.card.category)


def _tagline_vs_best_for(said: Statement) -> Difference | None:
    return _differ(said.decision.best_for, said.card.tagline)


def _community_vs_decision(said: Statement) -> Difference | None:
    in_table, on_card = readable(community, said.decision.community), readable(percent, said.card.community)
    if in_table.votes == 0 and on_card is not None:
        return Difference("no community votes", f"{on_card}% on the card")
    return _differ(in_table.pct, on_card)


def _entry_vs_pricing(said: Statement) -> Difference | None:
    if said.decision.pricing is None or said.card.entry is None:
        return None
    expected = "Free" if "free" in said.decision.pricing.casefold() else "Paid"
    return _differ(expected, said.card.entry)


def _differ(expected: object, found: object) -> Difference | None:
    if expected is None or found is None or expected == found:
        return None
    return Difference(str(expected), str(found))


RULES: dict[str, Callable[[Statement], Difference | None]] = {
    "panel_vs_votes": _panel_vs_votes,
    "votes_vs_takes": _votes_vs_takes,
    "chip_vs_panel": _chip_vs_panel,
    "chip_vs_verdict": _chip_vs_verdict,
    "category_vs_decision": _category_vs_decision,
    "tagline_vs_best_for": _tagline_vs_best_for,
    "community_vs_decision": _community_vs_decision,
    "entry_vs_pricing": _entry_vs_pricing,
}
"""Rule name to the comparison it makes, for each tool of a page."""


def discrepancy_rows(pages: Pages) -> Iterable[DiscrepancyRow]:
    """Every rule on every page, and the address against the links."""
    for page_id, views in pages.items():
        for side in SIDES:
            card = merged_card(views, side)
            no_table = Decision(side, card.name, None, None, None, None, None, card.span)
            said = Statement(card, merged_decision(views, side) or no_table, views, side)
            for rule, check in RULES.items():
                difference = check(said)
                if difference is not None:
                    found = f"{difference.found} (side {side})"
                    yield DiscrepancyRow(page_id, views[0].tool(side), rule, difference.expected, found)
        slugs = next((view.slugs for view in views if view.slugs is not None), None)
        if slugs is None:
            continue
        if slugs.is_ambiguous:
            yield DiscrepancyRow(page_id, None, "ambiguous_address", "one place to cut the address", views[0].url or "")
            continue
        for side, slug in zip(SIDES, (slugs.a, slugs.b), strict=True):
            linked = merged_card(views, side).slug
            if linked is not None and linked != slug:
                yield DiscrepancyRow(page_id, views[0].tool(side), "slug_vs_link", slug, linked)

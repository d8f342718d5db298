"""What a site takes back is NULL, and what a night did not see is not taken back."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from builders.normalize_pages import FIRST_NIGHT, Tool, address, normalize_all, observe, observe_page, page, rows, tool
from verdicts.extract.model.records import Comparison, Doubt, Observation, Reject
from verdicts.fetch.model.url_state import Absence, Absences
from verdicts.normalize.corpus import Corpus, normalize

ALPHA, BETA, GAMMA = tool("alpha", category="Agents", community="62%"), tool("beta"), tool("gamma")
BARE = replace(ALPHA, category=None, community=None)
OTHER = replace(ALPHA, category="Models")
URL = address(ALPHA, BETA)
NEW_WORDS = replace(BETA, tagline="Another page about the same tool")


def _make_doubted(side: Any) -> Comparison:
    return page(BARE, BETA, doubts=(Doubt("unread_text", side, "a field of card a", "Agen"),))


def _make_repeated() -> Comparison:
    shown = page(BARE, BETA)
    return replace(shown, decisions=(replace(shown.decisions[0], category="Agents"), shown.decisions[1]))


def _categories(corpus: Corpus) -> list[tuple[str | None, int]]:
    """The categories of alpha, with the days on which they began."""
    (alpha,) = rows(corpus, "tools", slug="alpha")
    history = rows(corpus, "tool_history", tool_id=alpha.tool_id)
    assert (alpha.category, alpha.category_group is None) == (history[-1].category, alpha.category is None)
    return [(row.category, row.valid_from.day) for row in history]


@pytest.mark.parametrize(
    ("later", "categories"),
    [
        # The site takes it back, leaves it out for longer, and shows it again.
        ([observe_page(BARE, BETA, 3)], [("Agents", 1), (None, 3)]),
        ([observe_page(BARE, BETA, 3), observe_page(BARE, NEW_WORDS, 4)], [("Agents", 1), (None, 3)]),
        ([observe_page(BARE, BETA, 3), observe_page(ALPHA, BETA, 5)], [("Agents", 1), (None, 3), ("Agents", 5)]),
        # A page that is not read anew still shows it, until it too is.
        ([observe_page(ALPHA, GAMMA, 2), observe_page(BARE, BETA, 3)], [("Agents", 1)]),
        (
            [observe_page(ALPHA, GAMMA, 2), observe_page(BARE, BETA, 3), observe_page(BARE, GAMMA, 6)],
            [("Agents", 1), (None, 6)],
        ),
        # Beside a page that never had it, the one that had it decides.
        ([observe_page(BARE, GAMMA, 2)], [("Agents", 1)]),
        ([observe_page(BARE, GAMMA, 2), observe_page(BARE, BETA, 3)], [("Agents", 1), (None, 3)]),
        # If the page with the newer value takes it back, the older one that another page shows counts.
        (
            [observe_page(ALPHA, GAMMA), observe_page(OTHER, BETA, 2), observe_page(BARE, BETA, 3)],
            [("Agents", 1), ("Models", 2), ("Agents", 3)],
        ),
        # What could not be read, or only in part, takes nothing back; the first whole reading does.
        ([observe(Reject("incomplete_card", "no"), URL, night=3)], [("Agents", 1)]),
        ([observe(_make_doubted("a"), URL, night=3)], [("Agents", 1)]),
        ([observe(_make_doubted(None), URL, night=3), observe_page(BARE, BETA, 4)], [("Agents", 1), (None, 4)]),
        ([observe(_make_doubted("b"), URL, night=3)], [("Agents", 1), (None, 3)]),
        ([observe_page(BARE, BETA, 3, takes=())], [("Agents", 1)]),
        # Nor does a rendering that never showed it, or a card beside a table that repeats it.
        ([observe(page(BARE, BETA, "innertext"), URL, night=3)], [("Agents", 1)]),
        ([observe(_make_repeated(), URL, night=3)], [("Agents", 1)]),
        ([observe(_make_repeated(), URL, night=3), observe_page(BARE, BETA, 4)], [("Agents", 1), (None, 4)]),
    ],
)
def test_a_value_is_null_once_no_page_shows_it(
    later: list[Observation], categories: list[tuple[str | None, int]]
) -> None:
    nights = [observe_page(ALPHA, BETA), *later]
    assert _categories(normalize_all(*nights)) == categories
    assert _categories(normalize_all(*reversed(nights))) == categories


def test_cards_and_verdicts_are_as_the_newest_snapshot_of_their_page_shows_them() -> None:
    corpus = normalize_all(observe_page(ALPHA, BETA), observe_page(replace(BARE, pricing=None), BETA, 3))
    (card,), (verdict,) = rows(corpus, "tool_cards", side="a"), rows(corpus, "verdicts", side="a")
    assert (card.category, card.community_pct, card.tagline) == (None, None, ALPHA.tagline)
    assert (verdict.category, verdict.pricing, verdict.community_pct) == (None, None, None)
    history = [(row.pricing, row.community_pct) for row in rows(corpus, "verdict_history", side="a")]
    assert history == [(ALPHA.pricing, 62), (None, None)]


def test_a_price_that_is_taken_back_ends_and_has_no_tiers() -> None:
    nights = [observe_page(ALPHA, BETA), observe_page(replace(ALPHA, pricing=None), BETA, 3)]
    corpus = normalize_all(*nights)
    (alpha,) = rows(corpus, "tools", slug="alpha")
    (price,) = rows(corpus, "price_history", tool_id=alpha.tool_id)
    assert (price.pricing, price.valid_to and price.valid_to.day) == (ALPHA.pricing, 3)
    assert not rows(corpus, "pricing_tiers", tool_id=alpha.tool_id)
    again = normalize_all(*nights, observe_page(ALPHA, BETA, 5))
    assert [row.valid_from.day for row in rows(again, "price_history", tool_id=alpha.tool_id)] == [1, 5]


def test_a_page_that_is_gone_shows_nothing_beside_one_that_is_there() -> None:
    nights = [observe_page(ALPHA, BETA), observe_page(ALPHA, GAMMA), observe_page(BARE, GAMMA, 3)]
    gone, back = FIRST_NIGHT + timedelta(days=4), FIRST_NIGHT + timedelta(days=7)
    for absences, categories in (
        ((), [("Agents", 1)]),
        ((Absence(gone),), [("Agents", 1), (None, 5)]),
        ((Absence(gone, back),), [("Agents", 1), (None, 5), ("Agents", 8)]),
    ):
        assert _categories(normalize(nights, gone={URL: absences})) == categories
    both = {URL: (Absence(gone),), address(ALPHA, GAMMA): (Absence(gone),)}
    assert _categories(normalize(nights[:2], gone=both)) == [("Agents", 1)]


COLUMNS = ("name", "tagline", "description", "category", "entry")


def _play_nights(seed: int) -> tuple[list[Observation], dict[str, Absences]]:
    """Nights in which pages show, leave out, and go; some are not asked for, some cannot be read."""
    chance, nights = Random(seed), list[Observation]()
    absences: dict[str, Absences] = {}

    def change(of: Tool) -> Tool:
        category, entry = chance.choice(["Agents", "Models", None]), chance.choice(["Free", None])
        return replace(of, category=category, entry=entry, pricing=chance.choice(["$9/mo", "$12/mo", None]))

    for night in range(1, 8):
        for a, b in ((ALPHA, BETA), (ALPHA, GAMMA), (BETA, GAMMA)):
            url, at = address(a, b), FIRST_NIGHT + timedelta(days=night - 1)
            *earlier, last = absences.get(url, ()) or (None,)
            is_gone = last is not None and last.until is None
            if (event := chance.random()) < 0.15 and not is_gone:
                absences[url] = (*absences.get(url, ()), Absence(at))
            elif event < 0.6:
                extracted = Reject("empty", "nothing") if event < 0.2 else page(change(a), change(b))
                nights.append(observe(extracted, url, night=night))
                if is_gone:
                    absences[url] = (*filter(None, earlier), Absence(last.since, at))
    return nights, absences


def _until(moment: datetime, gone: Mapping[str, Absences]) -> dict[str, Absences]:
    """The absences as a night knew them."""
    return {
        url: tuple(
            Absence(one.since, one.until if one.until and one.until <= moment else None)
            for one in absences
            if one.since <= moment
        )
        for url, absences in gone.items()
    }


@pytest.mark.parametrize("seed", range(12))
def test_the_history_says_of_every_night_what_was_published_then(seed: int) -> None:
    observations, gone = _play_nights(seed)
    history = normalize(observations, gone=gone)
    known: set[tuple[str, str]] = set()
    for night in range(1, 8):
        evening = FIRST_NIGHT + timedelta(days=night - 1, hours=12)
        published = normalize([one for one in observations if one.fetched_at < evening], gone=_until(evening, gone))
        prices = {row.tool_id: row.pricing for row in rows(published, "price_history", valid_to=None)}
        for row in published["tools"]:
            then = {
                table: [
                    one
                    for one in rows(history, table, tool_id=row.tool_id)
                    if one.valid_from <= evening and (one.valid_to is None or one.valid_to > evening)
                ]
                for table in ("tool_history", "price_history")
            }
            (state,) = then["tool_history"]
            for name in COLUMNS:
                # A value that no page showed before counts from the beginning of the state.
                if getattr(row, name) is not None or (row.tool_id, name) in known:
                    assert getattr(state, name) == getattr(row, name), (night, row.name, name)
                    known.add((row.tool_id, name))
            assert [one.pricing for one in then["price_history"]] == [*filter(None, [prices.get(row.tool_id)])]

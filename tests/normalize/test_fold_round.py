"""Folding a night: what it leaves is what folding everything at once gives, whatever the nights."""

from collections.abc import Callable
from random import Random

import pytest

from builders.kept_mentions import Known, fold_night, folded_at_once, given, kept, known_of
from builders.made_mentions import Page, World, articles, boilerplate, few_letters
from builders.small_nights import SmallNights, small_nights
from normalize.state.memory import MemoryState


def test_small_nights_fold_as_everything_does_at_once() -> None:
    plan = SmallNights(seed=0, appearances=400, nights=5, pages=(3, 12), takes_a_tool=12)
    state, before, observations = MemoryState(), Known(), []
    quiet = 0
    for night in small_nights(plan):
        observations += night.observations
        now = known_of(observations, night.moved)
        quiet += len(fold_night(state, before, now).quiet)
        if night.number % 2:
            assert kept(state) == given(folded_at_once(now))
        before = now
    assert quiet > 20, "what says nothing new is not folded"


@pytest.mark.parametrize("tell_growth", [True, False])
def test_the_order_in_which_pages_come_makes_no_difference(*, tell_growth: bool) -> None:
    nights = [*small_nights(SmallNights(seed=3, appearances=300, nights=5, pages=(3, 12), takes_a_tool=12))]
    observations = [item for night in nights for item in night.observations]
    Random(3).shuffle(observations)
    state, before = MemoryState(), Known()
    for part in range(1, 4):
        now = known_of(observations[: len(observations) * part // 3], nights[-1].moved)
        fold_night(state, before, now, tell_growth=tell_growth)
        before = now
    assert kept(state) == given(folded_at_once(before))


@pytest.mark.parametrize("texts", [few_letters, articles, boilerplate])
def test_pages_claims_and_hosts_that_come_and_go_leave_no_trace(texts: Callable[[Random], list[str]]) -> None:
    chance = Random(1)
    world = World(chance, texts(chance))
    state, before = MemoryState(), Known()
    for day in range(1, 13):
        world.night(f"{day:02d}")
        now = world.known()
        fold_night(state, before, now, tell_growth=chance.random() < 0.8)
        if day % 3 == 0:
            assert kept(state) == given(folded_at_once(now)), day
        before = now
    fold_night(state, before, Known())
    assert kept(state) == (set(), set())


TAKE = next(iter(articles(Random(5))))[:300]
EDIT = TAKE.replace(TAKE.split()[4], "altogether", 1)


def _reviews(nights: list[World]) -> list[int]:
    """How many reviews there are after each night, as folding everything gives them too."""
    state, before, counts = MemoryState(), Known(), []
    for world in nights:
        now = world.known()
        fold_night(state, before, now)
        assert kept(state) == given(folded_at_once(now))
        counts.append(len({text.review_id for text in kept(state)[0]}))
        before = now
    return counts


def _world(*pages: Page, **hosts: str) -> World:
    return World(Random(0), [], {page.number: page for page in pages}, hosts=hosts)


def test_a_label_of_another_tool_parts_two_texts_that_were_one_review() -> None:
    known = [
        Page(1, "01", ("alpha", "beta"), None, ((TAKE, None),)),
        Page(2, "01", ("beta", "alpha"), None, ((EDIT, None),)),
        Page(3, "02", ("alpha", "gamma"), None, ((TAKE, 0),)),
        Page(4, "03", ("beta", "gamma"), None, ((EDIT, 0),)),
    ]
    assert _reviews([_world(*known[:count]) for count in (2, 3, 4)]) == [1, 1, 2]


def test_hosts_that_become_known_tell_which_tools_a_text_on_both_may_be_about() -> None:
    known = [
        Page(1, "01", ("alpha", "beta"), None, ((EDIT, 0),)),
        Page(2, "01", ("alpha", "delta"), None, ((TAKE, None),)),
        Page(3, "01", ("gamma", "name one"), None, ((TAKE, None),)),
    ]
    assert _reviews([_world(*known), _world(*known, alpha="one.example", gamma="two.example")]) == [2, 1]

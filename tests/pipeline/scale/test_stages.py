"""Rows depend on what was observed alone: not on its order, nor on how many partitions there are, nor on their size."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.made_corpora import NOISE, make_pages, make_tools
from builders.made_observations import observations
from builders.normalize_pages import (
    CAST,
    GONE_AT,
    HOST,
    REVIEWERS,
    address,
    any_observation,
    observe,
    outside_nights,
    page,
    tool,
    with_take,
)
from builders.partitioned import normalize_in_partitions
from builders.scaled_corpora import make_changing_world
from verdicts.extract.model.records import Observation
from verdicts.fetch.model.url_state import Absence
from verdicts.normalize.corpus import normalize
from verdicts.normalize.steps import attribute_reviews, read_pages

SHARED = " ".join(f"word{number} said by both" for number in range(20))
TOOLS = (
    *CAST,
    with_take(tool("eta", name="Some Long Product", tagline="The same"), "PM", SHARED),
    with_take(tool("theta", name="Some Long Product", tagline="The same"), "PM", SHARED),
    tool("iota", name="Some Long Products"),
)


ANY = any_observation(TOOLS, (HOST, HOST, "mirror.example"), ("", "", "", "-next", "-again"))


@given(st.lists(ANY, min_size=2, max_size=9), st.data())
@settings(derandomize=True)
def test_partitions_and_order_make_no_difference(seen: list[Observation], data: st.DataObject) -> None:
    urls = sorted({item.url for item in seen})
    known = {
        "gone": {url: (Absence(GONE_AT),) for url in data.draw(st.sets(st.sampled_from(urls), max_size=2))},
        "moved_urls": data.draw(st.dictionaries(st.sampled_from(urls), st.sampled_from(urls), max_size=3)),
    }
    expected = normalize(seen, **known)
    again = [*data.draw(st.permutations(seen)), *seen]
    assert normalize(again, **known) == expected
    for partitions in (1, 2, 7):
        assert normalize_in_partitions(again, partitions, **known) == expected


@pytest.mark.parametrize(("seed", "labelled", "takes_a_tool"), [(1, 0.6, 27), (2, 0.0, 5), (3, 0.2, 27), (4, 1.0, 27)])
@pytest.mark.share(4)
def test_a_world_that_changes_has_the_same_rows_in_any_partitions(
    seed: int, labelled: float, takes_a_tool: int
) -> None:
    world, known = make_changing_world(seed=seed, appearances=700, labelled=labelled, takes_a_tool=takes_a_tool)
    seen = [*world, *(item for new in outside_nights(seed) for item in new)]
    expected = normalize(seen, **known)
    assert len(expected["reviews"]) < len(expected["appearances"])
    Random(seed).shuffle(seen)
    for partitions in (2, 7):
        assert normalize_in_partitions(seen, partitions, **known) == expected


def test_how_many_pages_and_texts_are_in_memory_at_once_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [*observations(make_pages(600, seed=3, labelled=0.2, takes_a_tool=9))]
    at_once = normalize(seen)
    for size in (7, 40):
        monkeypatch.setattr(read_pages, "AT_A_TIME", size)
        monkeypatch.setattr(attribute_reviews, "AT_A_TIME", size)
        assert normalize(seen[::-1]) == at_once


def few_letters(chance: Random) -> list[str]:
    """Texts of a few letters, short and long, that share stretches."""
    parts = ["".join(chance.choices("abcde ", k=chance.randint(8, 60))) for _ in range(8)]
    return ["".join(chance.choices(parts, k=chance.randint(1, 7))) for _ in range(40)]


def copies(chance: Random) -> list[str]:
    """A few takes, each in several ways."""
    return [write(tool.takes[0], chance) for tool in make_tools(8, chance) for write in NOISE.values()]


def boilerplate(chance: Random) -> list[str]:
    """Takes of which more share a phrase than a run leads to, some with edits."""
    phrase, *others = (tool.takes[0] for tool in make_tools(61, chance))
    edits = [NOISE["edit"](text, chance) for text in others]
    return [f"{phrase[:160]} {text}" for text in (*others, *edits)]


@pytest.mark.parametrize("texts", [few_letters, copies, boilerplate])
@pytest.mark.share(3)
def test_texts_that_are_alike_fold_apart_as_they_do_together(texts: Callable[[Random], list[str]]) -> None:
    chance = Random(1)
    drawn = texts(chance)
    seen = [_make_page(drawn, chance, night) for night in range(1, 13) for _ in range(4)]
    together = normalize(seen)
    assert len({row.text_id for row in together["appearances"]}) > len(together["reviews"])  # type: ignore[union-attr]
    for partitions in (2, 7):
        assert normalize_in_partitions(seen, partitions) == together


def _make_page(texts: list[str], chance: Random, night: int) -> Observation:
    """Two tools with some of the texts as their reviews, on one of two hosts or without an address."""
    a, b = (
        replace(
            one,
            takes={
                reviewer: (text, 80, "ship") for reviewer, text in zip(REVIEWERS, chance.sample(texts, 3), strict=False)
            },
        )
        for one in sorted(chance.sample(TOOLS, 2), key=lambda one: one.slug)
    )
    url = chance.choice((None, address(a, b), address(a, b, "mirror.example")))
    return observe(page(a, b, "html" if chance.random() < 0.4 else "quotes"), url, night=night)

"""What kinds of pages change in the facts: names hard to tell apart, gaps, takes that look like something else."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import TypeAlias

from comparison_bench.other_site.facts import SIDES, WORDS, Pair, filled, named, with_takes

FactsChange: TypeAlias = Callable[[Pair, Random], Pair]


def twins(pair: Pair, random: Random) -> Pair:
    name = random.choice(WORDS["names"])
    return named(pair, name, name)


def _named(pick: Callable[[Pair, Random], list[str]]) -> FactsChange:
    return lambda pair, random: named(pair, *random.sample(pick(pair, random), k=2))


def with_gaps(pair: Pair, random: Random) -> Pair:
    """At least one reviewer of each tool's row stays empty, in different rows; each tool keeps a take."""
    if len(pair.reviewers) < 2:
        take = next(iter(pair.b.takes.values()))
        pair = with_takes(replace(pair, reviewers=(*pair.reviewers, "Creator")), "b", {"Creator": take})
    if all(len(pair.tool(side).takes) < len(pair.reviewers) for side in SIDES):
        return pair
    gaps = dict(zip(SIDES, random.sample(pair.reviewers, k=2), strict=True))
    for side, gap in gaps.items():
        takes = pair.tool(side).takes
        if len(takes) == len(pair.reviewers) and len(takes) > 1:
            pair = with_takes(pair, side, {reviewer: take for reviewer, take in takes.items() if reviewer != gap})
    return pair


def _said(sentences: Callable[[Random], tuple[str, ...]]) -> FactsChange:
    """One take of each tool says something else."""

    def facts(pair: Pair, random: Random) -> Pair:
        for side in SIDES:
            takes = pair.tool(side).takes
            reviewer = random.choice(list(takes))
            pair = with_takes(pair, side, {**takes, reviewer: replace(takes[reviewer], sentences=sentences(random))})
        return pair

    return facts


FACTS: dict[str, FactsChange] = {
    "twins": twins,
    "labels": _named(lambda pair, random: [random.choice(WORDS["names_that_are_labels"]), pair.b.name]),
    "nested": _named(lambda _, random: random.choice(WORDS["names_that_nest"])),
    "with_separator": _named(lambda pair, random: [random.choice(WORDS["names_with_separator"]), pair.a.name]),
    "other_scripts": _named(lambda *_: WORDS["names_in_other_scripts"]),
    "with_gaps": with_gaps,
    "very_short": _said(lambda random: (random.choice(WORDS["short_takes"]),)),
    "like_a_head": _said(
        lambda random: tuple(filled(random.choice(WORDS[pool]), random) for pool in ("takes_like_heads", "closings"))
    ),
    "like_a_label": _said(lambda random: (random.choice(WORDS["takes_that_are_labels"]),)),
}

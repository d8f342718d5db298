"""Folding: every wording of every take, joined into reviews, night by night.

A review is led by its founding wording: of the first night that showed it, there the one whose tool is known, then the
most frequent (edits and cuts are rare), then the longest, then the smallest id. Others join a leader directly, never
through one another, so edits cannot chain two reviews together. A night moves nothing that earlier ones joined, unless
it says of which tool a wording is: then two reviews can become one (the younger's id turns into an alias), or a wording
leaves a review that is not its tool's.

The fold of all nights is the folds of each, one after the other, so a night costs what it brings, and a rebuild gives
the same reviews. Within a night the order of the sightings does not matter.
"""

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import NamedTuple

import polars as pl

from normalize.dedup.clusters import Leaders, Variant, open_variant
from normalize.dedup.distinct_texts import Night, Wording, read_night
from normalize.dedup.similarity import Likeness, compare
from normalize.dedup.thresholds import RULES, FoldRules


class GreyPair(NamedTuple):
    """Two wordings too alike to pass over, too unlike to join. `similarity` is 0 to 1."""

    text_id: str
    other_id: str
    similarity: float


@contextmanager
def _without_collector() -> Iterator[None]:
    """A fold makes millions of objects that stay: the cyclic collector would walk them all, time and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Fold:
    """The reviews of all nights so far. `tool_ids` gives the id of each tool number, and may grow."""

    def __init__(self, tool_ids: Mapping[int, str], rules: FoldRules = RULES) -> None:
        self.variants: dict[str, Variant] = {}
        self._rules = rules
        self._tool_ids = tool_ids
        self._of_tool: dict[int, list[Variant]] = defaultdict(list)
        self._leaders = Leaders(rules)
        self._apart: set[frozenset[str]] = set()
        self._grey: dict[tuple[str, str], float] = {}
        self._nights = 0
        self._standing: dict[str, int] = {}
        self._views = pl.Series(dtype=pl.List(pl.UInt32))
        self._occupied: dict[str, set[int]] = {}

    def add_night(self, sightings: pl.DataFrame, renamed: Mapping[int, int] | None = None) -> Sequence[Variant]:
        """Folds one night in, and gives the variant of each of its sightings.

        `sightings` are as in `NIGHT_SCHEMA`. `renamed` are tools that turned out to be others since the last night.
        """
        with _without_collector():
            return self._add(read_night(sightings, self._tool_ids), renamed or {})

    def _add(self, night: Night, renamed: Mapping[int, int]) -> Sequence[Variant]:
        self._standing = {wording.text_id: number for number, wording in enumerate(night.wordings)}
        self._views = night.views
        self._occupied = {}
        moved = self._rename(renamed)
        new = []
        for wording in night.wordings:
            held = self.variants.get(wording.text_id)
            if held is None:
                new.append(open_variant(wording, self._nights))
            elif self._learn(held, wording):
                moved.add(held.text_id)
        self._settle([self.variants[text_id] for text_id in sorted(moved)])
        for variant in sorted(new, key=lambda variant: variant.rank):
            self.variants[variant.text_id] = variant
            for tool in variant.homes:
                self._of_tool[tool].append(variant)
            self._place(variant)
        self._nights += 1
        return [self.variants[night.wordings[number].text_id] for number in night.numbers]

    def review_of(self, text_id: str) -> str:
        """The review a wording belongs to."""
        return self.variants[text_id].leader.text_id

    def grey_pairs(self) -> Iterable[GreyPair]:
        """Pairs of wordings that may be one take and were not joined."""
        for (one, other), similarity in sorted(self._grey.items()):
            if self.variants[one].leader is not self.variants[other].leader:
                yield GreyPair(one, other, similarity)

    def _learn(self, held: Variant, wording: Wording) -> bool:
        """Narrows where a known wording may belong; True where that says something new."""
        if wording.is_labelled:
            homes = held.homes | wording.homes if held.is_labelled else wording.homes
            held.is_labelled = True
        else:
            # Pages without a common tool contradict: what was known stands, and attribution reports it.
            homes = held.homes if held.is_labelled else held.homes & wording.homes or held.homes
        return self._rehome(held, homes)

    def _rehome(self, held: Variant, homes: frozenset[int]) -> bool:
        if homes == held.homes:
            return False
        for tool in homes - held.homes:
            self._of_tool[tool].append(held)
        held.homes = homes
        if held.leads:
            self._leaders.add(held)
        return True

    def _rename(self, renamed: Mapping[int, int]) -> set[str]:
        moved = set()
        for old, new in sorted(renamed.items()):
            for held in self._of_tool.pop(old, ()):
                if old in held.homes and self._rehome(held, held.homes - {old} | {new}):
                    moved.add(held.text_id)
        return moved

    def _settle(self, moved: Sequence[Variant]) -> None:
        """Takes apart what is of two tools, then joins what turned out to be of one."""
        for variant in moved:
            for member in (variant,) if not variant.leads else variant.members:
                leader = member.leader
                if not member.homes & leader.homes:
                    leader.members = tuple(held for held in leader.members if held is not member)
                    self._place(member)
        touched = {tool for variant in moved if variant.is_known for tool in variant.homes}
        waiting = {leader.text_id: leader for tool in touched for leader in self._leaders.known(tool)}
        for leader in sorted(waiting.values(), key=lambda leader: leader.rank):
            found = self._closest(leader)
            if found is not None:
                self._merge(leader, *found)

    def _merge(self, given_up: Variant, leader: Variant, likeness: Likeness) -> None:
        members, given_up.members = given_up.members, ()
        self._join(given_up, leader, likeness)
        for member in members:
            member.leader = leader
            between = compare(member, leader, self._rules)
            if between is not None and between.kind != "grey":
                self._join(member, leader, between)
            else:
                self._place(member)

    def _place(self, variant: Variant) -> None:
        """Joins the closest review, or founds one."""
        found = self._closest(variant)
        if found is not None:
            self._join(variant, *found)
            return
        variant.leader = variant
        variant.kind, variant.similarity, variant.has_led = "exact", 1.0, True
        self._leaders.add(variant)

    def _join(self, variant: Variant, leader: Variant, likeness: Likeness) -> None:
        variant.leader = leader
        variant.kind = "prefix" if likeness.kind == "prefix" else "near"
        variant.similarity = likeness.similarity
        leader.members = (*leader.members, variant)
        if not leader.is_labelled and leader.homes & variant.homes != leader.homes:
            self._rehome(leader, leader.homes & variant.homes)
        if leader.text_id in self._occupied:
            self._occupied[leader.text_id].update(self._places(variant))

    def _closest(self, variant: Variant) -> tuple[Variant, Likeness] | None:
        """The most similar older leader that a rule accepts. Takes that stand side by side on a page are never one."""
        alike: list[tuple[Variant, Likeness]] = []
        for leader in self._leaders.rivals(variant):
            likeness = compare(variant, leader, self._rules)
            if likeness is None or self._stand_apart(variant, leader):
                continue
            if likeness.kind == "grey":
                self._grey[variant.text_id, leader.text_id] = likeness.similarity
            alike.append((leader, likeness))
        if not alike:
            return None
        joinable = [
            (leader, likeness)
            for leader, likeness in alike
            if likeness.kind in {"near", "prefix"}
            or (likeness.kind == "excerpt" and variant.is_known and leader.is_known)
        ]
        if not joinable:
            return None
        best, likeness = min(joinable, key=lambda pair: (-pair[1].similarity, pair[0].rank))
        # Of a tool that is not known, it may be what a sibling's reviewer said in nearly the same words.
        is_torn = not variant.is_known and any(not leader.homes & best.homes for leader, _ in alike)
        return None if is_torn else (best, likeness)

    def _stand_apart(self, variant: Variant, leader: Variant) -> bool:
        """Whether the two stand side by side on a page, tonight or on a night that compared them before."""
        pair = frozenset((variant.text_id, leader.text_id))
        if pair not in self._apart and self._share_a_view(variant, leader):
            self._apart.add(pair)
        return pair in self._apart

    def _share_a_view(self, variant: Variant, leader: Variant) -> bool:
        if variant.text_id not in self._standing:
            return False
        taken = self._occupied.get(leader.text_id)
        if taken is None:
            taken = self._occupied[leader.text_id] = set(chain(*map(self._places, (leader, *leader.members))))
        return not taken.isdisjoint(self._places(variant))

    def _places(self, variant: Variant) -> Sequence[int]:
        """The views of this night that show the wording."""
        number = self._standing.get(variant.text_id)
        return () if number is None else self._views[number].to_list()

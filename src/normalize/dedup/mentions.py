"""Sightings: one take on one view, with its wording and the review that wording belongs to."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import polars as pl

from extract.model.records import Take
from normalize.dedup.clusters import Variant
from normalize.dedup.deduplicate import Fold
from normalize.dedup.distinct_texts import NIGHT_SCHEMA
from normalize.identity.page_versions import View
from normalize.identity.tool_identity import Alias


@dataclass(frozen=True, slots=True)
class Sighting:
    """`view_number` counts the views, oldest first. `tool_id` is the labelled tool, None where the page lost it."""

    view: View
    view_number: int
    take: Take
    tool_id: str | None
    variant: Variant

    @property
    def text_id(self) -> str:
        """The id of its wording."""
        return self.variant.text_id

    @property
    def review_id(self) -> str:
        """The id of its review: that of the founding wording."""
        return self.variant.leader.text_id


class _Told(NamedTuple):
    view: View
    view_number: int
    take: Take
    tool_id: str | None


class _Numbers:
    """Tools by number, as the fold has them. What a night did not know yet it calls by the name it had."""

    def __init__(self, aliases: Sequence[Alias]) -> None:
        self._aliases = {alias.alias_id: alias for alias in aliases}
        self._numbers: dict[str, int] = defaultdict(count().__next__)

    @property
    def ids(self) -> Mapping[int, str]:
        return {number: tool for tool, number in self._numbers.items()}

    def known(self, view: View) -> tuple[int, int]:
        """The tools of a view as its night knew them."""
        first, second = (self._then(view, side) for side in (0, 1))
        return first, second

    def renamed(self, since: str, until: str) -> Mapping[int, int]:
        """Tools by name that were claimed after one night, and by the other."""
        return {
            self._numbers[alias.alias_id]: self._numbers[alias.tool_id]
            for alias in self._aliases.values()
            if since < alias.since <= until
        }

    def _then(self, view: View, side: int) -> int:
        alias = self._aliases.get(view.named[side])
        is_unclaimed = alias is not None and alias.tool_id == view.tools[side] and alias.since > view.night
        return self._numbers[view.named[side] if is_unclaimed else view.tools[side]]


def read_sightings(views: Sequence[View], aliases: Sequence[Alias]) -> tuple[list[Sighting], Fold]:
    """Every take of every view, oldest first, folded night by night."""
    nights: dict[str, list[_Told]] = defaultdict(list)
    for number, view in enumerate(views):
        for take in view.comparison.takes:
            tool = None if take.side is None else view.tool(take.side)
            nights[view.night].append(_Told(view, number, take, tool))
    numbers = _Numbers(aliases)
    frames = {night: _frame(told, numbers) for night, told in nights.items()}
    fold = Fold(numbers.ids)
    sightings = []
    before = ""
    for night in sorted(nights):
        variants = fold.add_night(frames[night], numbers.renamed(before, night))
        sightings += [Sighting(*told, variant) for told, variant in zip(nights[night], variants, strict=True)]
        before = night
    sightings.sort(key=lambda sighting: (sighting.view_number, sighting.take.position))
    return sightings, fold


def _frame(told: Sequence[_Told], numbers: _Numbers) -> pl.DataFrame:
    tools = [numbers.known(item.view) for item in told]
    labels = [
        None if item.tool_id is None else pair[item.view.tools.index(item.tool_id)]
        for item, pair in zip(told, tools, strict=True)
    ]
    return pl.DataFrame(
        {
            "text": [item.take.text for item in told],
            "view": [item.view_number for item in told],
            "tool_a": [first for first, _ in tools],
            "tool_b": [second for _, second in tools],
            "label": labels,
        },
        schema=NIGHT_SCHEMA,
    )

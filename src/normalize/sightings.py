"""Sightings: one take on one view, with the id of its wording."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from extract.records import Comparison, Take
from normalize.alignment import align
from normalize.ids import SHORT_SKELETON, text_id
from normalize.panels import panel_sizes
from normalize.text import fold_name, skeleton
from normalize.views import View


@dataclass(frozen=True, slots=True)
class Sighting:
    """`view_number` counts the views, oldest first. `tool_id` is the labelled tool, None where the page lost it.

    `owner` is the tool in a short take's id, None for a take long enough to be known by its words.
    """

    view: View
    view_number: int
    take: Take
    skeleton: str
    text_id: str
    tool_id: str | None
    owner: str | None


def read_sightings(views: Sequence[View]) -> list[Sighting]:
    """Every take of every view, oldest first. Skeletons are made once for each distinct raw string."""
    bones: dict[str, str] = {}
    labelled: dict[str, set[str]] = defaultdict(set)
    for view in views:
        for take in view.comparison.takes:
            if take.text not in bones:
                # A take of signs alone has no letters to keep.
                bones[take.text] = skeleton(take.text) or fold_name(take.text)
            if take.side is not None and len(bones[take.text]) < SHORT_SKELETON:
                labelled[bones[take.text]].add(view.tool(take.side))
    sightings = []
    for number, view in enumerate(views):
        for at, take in enumerate(view.comparison.takes):
            folded = bones[take.text]
            tool = None if take.side is None else view.tool(take.side)
            owner = None
            if len(folded) < SHORT_SKELETON:
                owner = tool or _owner(view, at, folded, labelled)
            sightings.append(Sighting(view, number, take, folded, text_id(folded, owner or ""), tool, owner))
    return sightings


def _owner(view: View, at: int, folded: str, labelled: Mapping[str, set[str]]) -> str:
    """The tool of a short take without a label: the one that has it under its label elsewhere, else by row order."""
    claiming = labelled.get(folded, set()) & set(view.tools)
    if len(claiming) == 1:
        return next(iter(claiming))
    return view.tools[_row_order(view.comparison)[at]]


def _row_order(comparison: Comparison) -> list[int]:
    takes = comparison.takes
    sides = [None if take.side is None else int(take.side == "b") for take in takes]
    return [side for side, _ in align(sides, panel_sizes(comparison))]

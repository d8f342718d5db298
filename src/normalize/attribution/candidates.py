"""Cases: every review with the tools it may be about, narrowed by what its own pages say.

Labels decide at once (observed); the same words without a label are of the same tool (matched); without any label, the
tools common to all its pages remain (intersected).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import shorten
from typing import NamedTuple

from corpus.enumerations import Attribution
from corpus.rows.doubts import DiscrepancyRow
from normalize.attribution.confidence import WEIGHT
from normalize.dedup.mentions import Sighting
from normalize.identity.page_versions import View

OPENING = 60
"""Characters of a take that a report quotes."""


class Reason(NamedTuple):
    """Why a review is about its tool. `weight` is the share of such reasons that are right, 0 to 1."""

    weight: float
    detail: str


@dataclass(slots=True)
class Case:
    """One review while it is being solved. `kind` None: open, any of `candidates`."""

    review_id: str
    skeleton: str
    sightings: list[Sighting]
    candidates: set[str]
    kind: Attribution | None = None
    evidence: dict[tuple[Attribution, str], Reason] = field(default_factory=dict)
    """By kind and page id."""
    is_torn: bool = False
    """No tool stands on all its pages."""

    @property
    def tool_id(self) -> str:
        return min(self.candidates)

    @property
    def labelled(self) -> list[Sighting]:
        """Sightings that say seat and score of its tool; of a take that two tools share, not the other's."""
        return [item for item in self.sightings if item.tool_id == self.tool_id]

    @property
    def seat(self) -> str | None:
        """The seat that its first label says."""
        return next((item.take.seat for item in self.labelled if item.take.seat is not None), None)

    @property
    def confidence(self) -> float:
        """The weight of its strongest reason."""
        return max(reason.weight for reason in self.evidence.values())

    def place(self, tool_id: str, kind: Attribution, page_id: str, reason: Reason) -> None:
        self.candidates = {tool_id}
        self.kind = kind
        self.evidence.setdefault((kind, page_id), reason)


@dataclass(frozen=True, slots=True)
class Scorecard:
    """A view's reviews in reading order, the letters of each take, and its labelled tool, None without a label."""

    view: View
    reviews: tuple[str, ...]
    skeletons: tuple[str, ...]
    labels: tuple[str | None, ...]

    @property
    def is_labelled(self) -> bool:
        return bool(self.labels) and None not in self.labels


def open_cases(sightings: Sequence[Sighting]) -> dict[str, Case]:
    """A case a review, each with its sightings, oldest first."""
    cases: dict[str, Case] = {}
    for sighting in sightings:
        review_id = sighting.review_id
        case = cases.get(review_id)
        if case is None:
            case = cases[review_id] = Case(review_id, sighting.variant.leader.skeleton, [], set())
        case.sightings.append(sighting)
    return cases


def scorecards(sightings: Iterable[Sighting]) -> list[Scorecard]:
    """The scorecard of every view that has takes, oldest first."""
    by_view: dict[int, list[Sighting]] = defaultdict(list)
    for sighting in sightings:
        by_view[sighting.view_number].append(sighting)
    return [
        Scorecard(
            seen[0].view,
            tuple(item.review_id for item in seen),
            tuple(item.variant.skeleton for item in seen),
            tuple(item.tool_id for item in seen),
        )
        for _, seen in sorted(by_view.items())
    ]


def observe(case: Case, names: Mapping[str, str]) -> list[DiscrepancyRow]:
    """Places a labelled case. The earliest label names the tool; others that differ, and pages without it, conflict."""
    conflicts = []
    labelled = [item for item in case.sightings if item.tool_id is not None]
    if not labelled:
        return []
    tool = labelled[0].tool_id or ""
    pages = {(item.view.page_id, item.tool_id) for item in labelled}
    # Pages that label the same words with two tools: as many as say so are right.
    agreed = sum(1 for _, said in pages if said == tool) / len(pages)
    for item in labelled:
        page_id = item.view.page_id
        if item.tool_id == tool:
            reason = f"stands labelled {_label(item)} on this page"
            case.place(tool, "observed", page_id, Reason(agreed * WEIGHT["observed"], reason))
        else:
            expected = f"{names[tool]}: {opening(item)}"
            found = f"stands labelled {_label(item)} of {names[item.tool_id or '']}"
            conflicts.append(DiscrepancyRow(page_id, item.tool_id, "take_tool_conflict", expected, found))
    detail = f"stands labelled {_label(labelled[0])} on '{labelled[0].view.comparison.title}'"
    home = Reason(agreed * WEIGHT["matched"], detail)
    for item in case.sightings:
        page_id = item.view.page_id
        if item.tool_id is None and tool not in item.view.tools:
            conflicts.append(_conflict(item, tool, names[tool], names))
        elif item.tool_id is None and ("observed", page_id) not in case.evidence:
            case.evidence.setdefault(("matched", page_id), home)
    return conflicts


def intersect(case: Case, names: Mapping[str, str]) -> list[DiscrepancyRow]:
    """Narrows a case without labels to the tools on all its pages."""
    everywhere = set.intersection(*(set(item.view.tools) for item in case.sightings))
    pages = sorted({item.view.page_id for item in case.sightings})
    if not everywhere:
        case.is_torn = True
        case.candidates = {tool for item in case.sightings for tool in item.view.tools}
        first, last = case.sightings[0].view, case.sightings[-1]
        return [_conflict(last, None, " or ".join(names[tool] for tool in first.tools), names)]
    case.candidates = everywhere
    if len(everywhere) == 1 and len(pages) > 1:
        only = f"{names[case.tool_id]} is the only tool on all {len(pages)} pages that carry it"
        for page_id in pages:
            case.place(case.tool_id, "intersected", page_id, Reason(WEIGHT["intersected"], only))
    return []


def opening(sighting: Sighting) -> str:
    """The first words of a take, to know it by in a report."""
    return f"'{shorten(sighting.take.text, OPENING, placeholder='…')}'"


def _conflict(sighting: Sighting, tool_id: str | None, owner: str, names: Mapping[str, str]) -> DiscrepancyRow:
    view = sighting.view
    found = f"stands on a page of {names[view.tools[0]]} and {names[view.tools[1]]}"
    return DiscrepancyRow(view.page_id, tool_id, "attribution_conflict", f"{owner}: {opening(sighting)}", found)


def _label(sighting: Sighting) -> str:
    take = sighting.take
    return " ".join(part for part in (take.seat, take.score, take.verdict) if part) or "with its tool"

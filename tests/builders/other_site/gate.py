"""What a reader makes of a page of the other site: refused, flagged or trusted, and each value right, wrong or lost."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from builders.normalize_pages import normalized, rows
from builders.other_site.cases import Case
from builders.other_site.comparing import Value, values
from builders.other_site.row_values import row_values
from builders.snapshots import observe, snapshot
from verdicts.extract.model.records import Comparison, Reject

State: TypeAlias = Literal["right", "refused", "flagged, right", "flagged, wrong", "silent"]
"""`silent`: trusted, and wrong or short of something, or trusted though it contradicts itself."""


@dataclass(frozen=True)
class Reading:
    """`flags` are the rules and reasons of the page's discrepancies and rejects. A refused page has no values."""

    case: Case
    refusal: str | None
    flags: tuple[str, ...]
    values: tuple[Value, ...]

    @cached_property
    def faults(self) -> tuple[Value, ...]:
        return tuple(value for value in self.values if value.outcome != "right")

    @property
    def is_refused(self) -> bool:
        return self.refusal is not None

    @property
    def is_trusted(self) -> bool:
        """Neither refused nor flagged: whoever takes the row has no reason to doubt it."""
        return not self.is_refused and not self.flags

    @property
    def state(self) -> State:
        if self.is_refused:
            return "refused"
        if self.case.demand == "doubted":
            return "flagged, right" if self.flags else "silent"
        if self.is_trusted:
            return "silent" if self.faults else "right"
        return "flagged, wrong" if self.faults else "flagged, right"


def read(case: Case) -> Reading:
    page = snapshot(case.body, case.url, media_type=case.media_type)
    (observation,) = observe(page)
    extracted = observation.extracted
    if isinstance(extracted, Reject):
        return Reading(case, f"{extracted.reason}: {extracted.detail}", (), ())
    if not isinstance(extracted, Comparison):
        return Reading(case, f"read as a {type(extracted).__name__}", (), ())
    corpus = normalized(observation)
    flags = tuple(
        [f"{row.rule}: expected {row.expected}, found {row.found}" for row in rows(corpus, "discrepancies")]
        + [f"{row.reason}: {row.detail}" for row in rows(corpus, "rejects")]
    )
    if case.demand == "doubted":
        return Reading(case, None, flags, ())
    key = case.key
    return Reading(case, None, flags, (*values(extracted, key), *row_values(corpus, key)))

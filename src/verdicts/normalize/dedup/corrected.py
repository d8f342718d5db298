"""Takes that people declare to be one, or not to be one."""

from collections.abc import Mapping

from msgspec.structs import replace

from verdicts.corpus.enumerations import CorrectionKind
from verdicts.normalize.corrections import Correction, Corrections, Outcome, way_of
from verdicts.normalize.dedup.deduplicate import ClusterMember, TakeClusters

SAME_OR_NOT: tuple[CorrectionKind, CorrectionKind] = ("same", "different")


def takes_that_are_one(clusters: TakeClusters, corrections: Corrections) -> tuple[Mapping[str, str], list[Outcome]]:
    """Which review goes into which other one, by id; and the outcomes of the corrections of the texts given.

    No text counts twice: a take moves only while it is a review of its own, into the review that has the other text.
    """
    outcomes, steps = list[Outcome](), dict[str, Correction]()
    for one in corrections.of("different", "reviews"):
        if (both := _both(clusters, one)) is not None:
            first, second = both
            is_near = any(near.number == second.number for near in clusters.near.get(first.number, ()))
            is_near |= any(near.number == first.number for near in clusters.near.get(second.number, ()))
            outcomes.append(Outcome(one.id, "applied" if is_near else "agrees", _words(first)))
    for one in corrections.of("same", "reviews"):
        if (both := _both(clusters, one)) is not None:
            goes, stays = both[0], both[1].canonical
            if goes.canonical is stays:
                outcomes.append(Outcome(one.id, "agrees", _words(goes), one.target, about=(stays.text_id,)))
            elif goes.is_canonical:
                outcomes.append(Outcome(one.id, "applied", _words(goes), one.target, about=(stays.text_id,)))
                steps[one.target] = replace(one, value=stays.text_id)
            else:
                detail = f"it is a part of {goes.canonical.text_id} now"
                outcomes.append(Outcome(one.id, "gone", _words(goes), goes.canonical.text_id, detail))
    return {goes: way[-1].decision for goes in steps if (way := way_of(goes, steps))}, outcomes


def _both(clusters: TakeClusters, one: Correction) -> tuple[ClusterMember, ClusterMember] | None:
    first, second = clusters.texts.get(one.target), clusters.texts.get(one.decision)
    return None if first is None or second is None else (first, second)


def _words(text: ClusterMember) -> str:
    return text.text[:80]

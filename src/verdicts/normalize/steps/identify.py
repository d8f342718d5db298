"""Which page each snapshot shows, and which tools: the first two steps of normalization."""

from collections.abc import Iterable, Sequence

from verdicts.corpus.rows.tools import ToolAliasRow
from verdicts.extract.model.stored import StoredObservation
from verdicts.normalize.identity.merging import merge_tools
from verdicts.normalize.identity.resolving import Resolved, resolve
from verdicts.normalize.identity.sightings import Sighting, make_sighting
from verdicts.normalize.isolation import NO_FAULT_OF_A_PAGE, LeftOut
from verdicts.normalize.work import Output, RunInputs


def sight_pages(snapshots: Iterable[StoredObservation], inputs: RunInputs, output: Output) -> list[Sighting]:
    """The sighting of each snapshot of a comparison. One that fails is left out."""
    sightings = []
    for snapshot in snapshots:
        observation = snapshot.observation
        try:
            sighting = make_sighting(observation, inputs.profiles)
        except NO_FAULT_OF_A_PAGE:
            raise
        except Exception as error:
            output.left_out.append(LeftOut(observation, error))
            continue
        if sighting is not None:
            sightings.append(sighting)
    return sightings


def identify_pages(sightings: Sequence[Sighting], inputs: RunInputs, output: Output) -> Resolved:
    """The page and the tools of every sighting. Keeps the rows of other ids of tools."""
    resolved = resolve(sightings, inputs.moved, inputs.corrections.list_apart("tools"))
    resolved, outcomes = merge_tools(resolved, sightings, inputs.corrections)
    output.outcomes += outcomes
    rows = (
        ToolAliasRow(alias.alias_id, alias.tool_id, alias.name, alias.tagline, alias.reason)
        for alias in resolved.aliases
    )
    output.keep("tool_aliases", [*rows])
    return resolved

"""Merges tools that people declare to be the same: one tool takes the id, name and card of the other.

Pages keep their ids, and texts keep the tools that they were made with. The id of the tool that goes becomes an alias.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter

from msgspec.structs import replace

from verdicts.normalize.corrections import Correction, Corrections, Outcome, follow
from verdicts.normalize.identity.ids import Identity, ToolAlias
from verdicts.normalize.identity.resolving import Resolved
from verdicts.normalize.identity.sightings import SeenCard, Sighting


def merge_tools(
    resolved: Resolved, sightings: Iterable[Sighting], corrections: Corrections
) -> tuple[Resolved, Sequence[Outcome]]:
    """Applies the corrections `same` to tools. Returns the outcomes of these and of `different`, too."""
    same, different = corrections.select("same", "tools"), corrections.select("different", "tools")
    if not same and not different:
        return resolved, ()
    cards = _choose_cards(resolved.identities, sightings)
    tool_ids = {alias.alias_id: alias.tool_id for alias in resolved.aliases}
    outcomes = [_judge_different(correction, resolved, cards, tool_ids) for correction in different]
    steps: dict[str, Correction] = {}
    for correction in same:
        stays = tool_ids.get(correction.decision, correction.decision)
        if tool_ids.get(correction.target, correction.target) == stays:
            outcomes.append(Outcome(correction.id, "agrees", None, correction.target, about=(stays,)))
        elif correction.target in cards and stays in cards:
            subject = f"{cards[correction.target].name} is {cards[stays].name}"
            outcomes.append(Outcome(correction.id, "applied", subject, correction.target, about=(stays,)))
            steps[correction.target] = replace(correction, value=stays)
    into = {goes: way[-1].decision for goes in steps if (way := follow(goes, steps))}
    reasons = {correction.target: f"a person says so (correction {correction.id[:12]})" for correction in same}
    aliases = [replace(alias, tool_id=into.get(alias.tool_id, alias.tool_id)) for alias in resolved.aliases]
    aliases += (
        ToolAlias(goes, stays, cards[goes].name, cards[goes].tagline, reasons[goes]) for goes, stays in into.items()
    )
    identities = [_merge_identity(identity, into) for identity in resolved.identities]
    return Resolved(identities, sorted(aliases, key=attrgetter("alias_id")), resolved.kept_apart), outcomes


def _merge_identity(identity: Identity, into: Mapping[str, str]) -> Identity:
    a, b = identity.tool_ids
    ids = into.get(a, a), into.get(b, b)
    return identity if ids == identity.tool_ids else replace(identity, tool_ids=ids, own_ids=identity.tool_ids)


def _choose_cards(identities: Iterable[Identity], sightings: Iterable[Sighting]) -> Mapping[str, SeenCard]:
    """A card of each tool: the first by name and tagline."""
    seen = {sighting.location: sighting.cards for sighting in sightings}
    cards: dict[str, list[SeenCard]] = defaultdict(list)
    for identity in identities:
        in_order = seen[identity.location][:: -1 if identity.is_other_way else 1]
        for tool_id, card in zip(identity.tool_ids, in_order, strict=True):
            cards[tool_id].append(card)
    return {tool: min(of_tool, key=lambda card: (card.name, card.tagline or "")) for tool, of_tool in cards.items()}


def _judge_different(
    correction: Correction, resolved: Resolved, cards: Mapping[str, SeenCard], tool_ids: Mapping[str, str]
) -> Outcome:
    """Two tools that are both there are apart, by themselves or since a person said so."""
    pair = (correction.target, correction.decision)
    if gone := [tool for tool in pair if tool not in cards]:
        return Outcome(correction.id, "gone", detail=f"{gone[0]} is {tool_ids.get(gone[0], 'no tool')} now")
    subject = " is not ".join(cards[tool].name for tool in pair)
    return Outcome(correction.id, "applied" if frozenset(pair) in resolved.kept_apart else "agrees", subject)

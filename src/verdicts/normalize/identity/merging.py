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
    cards = _cards(resolved.identities, sightings)
    known = {alias.alias_id: alias.tool_id for alias in resolved.aliases}
    outcomes = [_different(one, resolved, cards, known) for one in different]
    steps: dict[str, Correction] = {}
    for one in same:
        stays = known.get(one.decision, one.decision)
        if known.get(one.target, one.target) == stays:
            outcomes.append(Outcome(one.id, "agrees", None, one.target, about=(stays,)))
        elif one.target in cards and stays in cards:
            subject = f"{cards[one.target].name} is {cards[stays].name}"
            outcomes.append(Outcome(one.id, "applied", subject, one.target, about=(stays,)))
            steps[one.target] = replace(one, value=stays)
    into = {goes: way[-1].decision for goes in steps if (way := follow(goes, steps))}
    reasons = {one.target: f"a person says so (correction {one.id[:12]})" for one in same}
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


def _cards(identities: Iterable[Identity], sightings: Iterable[Sighting]) -> Mapping[str, SeenCard]:
    """A card of each tool: the first by name and tagline."""
    seen = {sighting.location: sighting.cards for sighting in sightings}
    cards: dict[str, list[SeenCard]] = defaultdict(list)
    for identity in identities:
        shown = seen[identity.location][:: -1 if identity.is_other_way else 1]
        for tool_id, card in zip(identity.tool_ids, shown, strict=True):
            cards[tool_id].append(card)
    return {tool: min(of_tool, key=lambda card: (card.name, card.tagline or "")) for tool, of_tool in cards.items()}


def _different(one: Correction, resolved: Resolved, cards: Mapping[str, SeenCard], known: Mapping[str, str]) -> Outcome:
    """Two tools that are both there are apart, by themselves or since a person said so."""
    both = (one.target, one.decision)
    if gone := [tool for tool in both if tool not in cards]:
        return Outcome(one.id, "gone", detail=f"{gone[0]} is {known.get(gone[0], 'no tool')} now")
    subject = " is not ".join(cards[tool].name for tool in both)
    return Outcome(one.id, "applied" if frozenset(both) in resolved.kept_apart else "agrees", subject)

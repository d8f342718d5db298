"""What the work on one bin is given: its number, what it was sent, and what is known to everybody."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import lru_cache

from fetch.objects.objects import Objects
from fetch.objects.opening import open_objects
from normalize.bins.messages import MOVES
from normalize.bins.outbox import EVERYBODY, Inbox, Outbox
from normalize.bins.shared import Shared
from normalize.identity.known_tool import TOOLS
from normalize.identity.tool_identity import ALIASES
from normalize.isolation import LeftOut
from pipeline.scale.parcels import Sender, fetch
from pipeline.scale.plan import Plan, made_object

SAID: dict[str, tuple[str, ...]] = {
    "pages": ("aliases",),
    "candidates": ("tools",),
    "texts": ("aliases", "tools"),
    "moving": ("moves",),
    "folds": ("aliases", "tools", "moves"),
    "open": ("aliases", "tools"),
    "seats": (),
    "rows": (),
}
"""What the planner has said that a stage needs."""


@dataclass(frozen=True, slots=True)
class Work:
    """A bin of a stage, or a segment, by its number; with all that the work on it needs to know."""

    sender: Sender
    plan: Plan
    stage: str
    number: int
    outbox: Outbox
    left_out: list[LeftOut] = field(default_factory=list)
    """Observations that normalization fails on."""

    @property
    def objects(self) -> Objects:
        return self.sender.objects

    @property
    def bins(self) -> range:
        return range(self.plan.bins)

    def names(self, stage: str, units: Collection[int | str]) -> list[str]:
        """The objects that some bins of a stage have left."""
        return [made_object(self.plan.name, stage, unit) for unit in units]

    def sent(self, to: str, by: str, units: Collection[int | str]) -> Inbox:
        """What some bins of the stage `by` sent to the bin of this number of the stage `to`."""
        return fetch(self.sender, self.names(by, units), to, self.number)


def shared(work: Work) -> Shared:
    """What is known by now, which the planner said after some stages."""
    known = _known(work.objects.url, work.sender.run, work.plan.name, SAID[work.stage])
    return replace(known, gone=frozenset(work.plan.gone))


@lru_cache(maxsize=2)
def _known(store: str, run: str, plan: str, said: tuple[str, ...]) -> Shared:
    """For all bins of a stage that a process works on."""
    sender = Sender(open_objects(store), run)
    inbox = fetch(sender, [made_object(plan, "planner", name) for name in said], "everybody", EVERYBODY)
    return Shared(
        aliases={alias.alias_id: alias for alias in inbox[ALIASES.name]},
        tools={tool.tool_id: tool for tool in inbox[TOOLS.name]},
        moves={move.key: move.bin for move in inbox[MOVES.name]},
    )

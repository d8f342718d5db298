"""The stages of normalization: what the work on a bin reads, what it makes, and where it leaves it."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from extract.model.records import Observation
from extract.panel.words.profile_files import SHIPPED
from fetch.model.snapshot import Location
from fetch.objects.objects import Objects
from fetch.objects.opening import open_objects
from normalize.bins.folds import fold_bin
from normalize.bins.messages import HOMED_REVIEWS, MOMENTS, MOVES, STORED_MENTIONS
from normalize.bins.open import comparing_bin, open_bin, visiting_bin
from normalize.bins.outbox import EVERYBODY, Inbox, Outbox, bin_of
from normalize.bins.pages import Rows, page_bin, tool_bin
from normalize.bins.seats import row_bin, seat_bin
from normalize.bins.shared import Shared
from normalize.bins.texts import home_bin, moving_bin, text_bin
from normalize.dedup.mention_records import TEXTS
from normalize.identity.identity import IDENTITIES, Identity
from normalize.identity.ids import address_page_id
from normalize.identity.known_tool import TOOLS
from normalize.identity.sightings import sighting_of
from normalize.identity.tool_days import TOOL_DAYS
from normalize.identity.tool_identity import ALIASES
from normalize.identity.version_head import VERSIONS
from normalize.judged_reviews import DOUBTS, OPEN_REVIEWS
from normalize.snapshots import SNAPSHOTS, KnownSnapshot
from pipeline.scale.parcels import DEALT, SEEN, DealtRecord, fetch
from pipeline.scale.plan import Plan, made_object
from pipeline.scale.record_objects import observation_of_dealt, read_dealt

STAGES_AFTER: dict[str, tuple[str, ...]] = {
    "pages": ("aliases",),
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

    objects: Objects
    plan: Plan
    stage: str
    number: int
    outbox: Outbox

    @property
    def bins(self) -> range:
        return range(self.plan.bins)

    def names(self, stage: str, units: Collection[int | str]) -> list[str]:
        """The objects that some bins of a stage have left."""
        return [made_object(self.plan.name, stage, unit) for unit in units]

    def sent(self, to: str, by: str, units: Collection[int | str]) -> Inbox:
        """What some bins of the stage `by` sent to the bin of this number of the stage `to`."""
        return fetch(self.objects, self.names(by, units), to, self.number)


def sight(work: Work) -> Rows:
    """A segment: what each snapshot of a comparison shows of its page and tools, for the planner."""
    for dealt in read_dealt(work.objects, work.plan.records[work.number]):
        if (seen := sighting_of(observation_of_dealt(dealt), SHIPPED)) is not None:
            work.outbox.send_to("planner", EVERYBODY, SEEN, (seen,))
    return {}


def deal(work: Work) -> Rows:
    """A segment: its observations to the bins of their pages and of their addresses, which mostly are one."""
    of_place: dict[Location, Identity] = {
        identity.location: identity for identity in work.sent("deal", "planner", ["identities"])[IDENTITIES.name]
    }
    held = frozenset(work.plan.held)
    outbox = work.outbox
    for dealt in read_dealt(work.objects, work.plan.records[work.number]):
        place = Location(dealt.segment, dealt.segment_offset)
        if place in held:
            continue
        of_address = bin_of(address_page_id(dealt.url), outbox.bins)
        bins = {of_address}
        outbox.send_to("pages", of_address, SNAPSHOTS, (KnownSnapshot(dealt.url, place),))
        if (identity := of_place.get(place)) is not None:
            of_page = bin_of(identity.page_id, outbox.bins)
            outbox.send_to("pages", of_page, IDENTITIES, (identity,))
            bins.add(of_page)
        for number in bins:
            outbox.send_to("pages", number, DEALT, (dealt,))
    return {}


def pages(work: Work) -> Rows:
    inbox = work.sent("pages", "deal", range(len(work.plan.records)))
    dealt: dict[Location, DealtRecord] = {
        Location(item.segment, item.segment_offset): item for item in inbox[DEALT.name]
    }

    def read(places: Collection[Location]) -> Iterator[Observation]:
        return (observation_of_dealt(dealt[place]) for place in places)

    return page_bin(work.number, inbox, read, _shared(work), work.outbox)


def tools(work: Work) -> Rows:
    return tool_bin(work.sent("tools", "pages", work.bins), work.outbox)


def texts(work: Work) -> Rows:
    text_bin(work.sent("texts", "pages", work.bins), _shared(work), work.outbox)
    return {}


def homes(work: Work) -> Rows:
    home_bin(work.sent("homes", "texts", work.bins), work.outbox)
    return {}


def moving(work: Work) -> Rows:
    moving_bin(work.sent("texts", "pages", work.bins), _shared(work), work.outbox)
    return {}


def folds(work: Work) -> Rows:
    staying = work.sent("texts", "pages", work.bins)
    arrived = work.sent("folds", "moving", work.bins)
    return fold_bin(work.number, staying, arrived, _shared(work), work.outbox)


def comparing(work: Work) -> Rows:
    of_pages = fetch(work.objects, work.names("pages", [work.number]), "pages", work.number, [TOOL_DAYS])
    wanted = fetch(work.objects, work.names("planner", ["moments"]), "everybody", EVERYBODY)
    comparing_bin(of_pages, wanted[MOMENTS.name], work.outbox)
    return {}


def visiting(work: Work) -> Rows:
    moves: dict[str, list[int]] = defaultdict(list)
    for move in work.sent("visiting", "planner", ["visits"])[MOVES.name]:
        moves[move.key].append(move.bin)
    visiting_bin(_on_pages(work), moves, work.outbox)
    return {}


def decide(work: Work) -> Rows:
    inbox = work.sent("open", "visiting", work.bins)
    reviews = work.sent("open", "planner", ["visits"])[OPEN_REVIEWS.name]
    return open_bin(work.number, inbox, reviews, _shared(work), work.outbox)


def seats(work: Work) -> Rows:
    decided = fetch(work.objects, work.names("open", work.bins), "pages", work.number, [HOMED_REVIEWS])
    by = [name for stage in ("pages", "tools", "folds", "open") for name in work.names(stage, work.bins)]
    doubts = fetch(work.objects, by, "pages", work.number, [DOUBTS])
    return seat_bin(_on_pages(work), decided, doubts, _shared(work), work.outbox)


def rows(work: Work) -> Rows:
    by, unit = ("folds", work.number) if work.number < work.plan.bins else ("open", work.number - work.plan.bins)
    names = [*work.names(by, [unit]), *work.names("seats", work.bins)]
    return row_bin(fetch(work.objects, names, "rows", work.number), _shared(work))


def _on_pages(work: Work) -> Inbox:
    """The takes of a bin of pages, and what folding made of them."""
    own = fetch(
        work.objects, work.names("pages", [work.number]), "pages", work.number, [VERSIONS, STORED_MENTIONS, TOOL_DAYS]
    )
    folded = fetch(work.objects, work.names("folds", work.bins), "pages", work.number, [TEXTS, HOMED_REVIEWS])
    return defaultdict(list, {**own, **folded})


def _shared(work: Work) -> Shared:
    """What is known by now, which the planner said after some stages."""
    known = _known(work.objects.url, work.plan.name, STAGES_AFTER[work.stage])
    return replace(known, gone=frozenset(work.plan.gone))


@lru_cache(maxsize=2)
def _known(store: str, plan: str, said: tuple[str, ...]) -> Shared:
    """For all bins of a stage that a process works on."""
    objects = open_objects(store)
    inbox = fetch(objects, [made_object(plan, "planner", name) for name in said], "everybody", EVERYBODY)
    return Shared(
        aliases={alias.alias_id: alias for alias in inbox[ALIASES.name]},
        tools={tool.tool_id: tool for tool in inbox[TOOLS.name]},
        moves={move.key: move.bin for move in inbox[MOVES.name]},
    )


STAGES: dict[str, Callable[[Work], Rows]] = {
    "sight": sight,
    "deal": deal,
    "pages": pages,
    "tools": tools,
    "texts": texts,
    "homes": homes,
    "moving": moving,
    "folds": folds,
    "comparing": comparing,
    "visiting": visiting,
    "open": decide,
    "seats": seats,
    "rows": rows,
}
"""By name, in order; the first two work on segments, all others on bins."""

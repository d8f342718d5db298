"""What a build past one machine is made from: every batch of it reads this first."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

import msgspec

from extract.page import EXTRACTOR_VERSION
from fetch.model.snapshot import Location
from fetch.objects.objects import Objects
from fetch.objects.opening import open_objects
from normalize.corpus import NORMALIZER_VERSION


class Plan(msgspec.Struct, frozen=True):
    """Names of record objects, addresses that are gone or moved, snapshots that are held back, and how many bins."""

    records: tuple[str, ...]
    gone: tuple[str, ...]
    moved: tuple[tuple[str, str], ...]
    held: tuple[tuple[str, int], ...]
    bins: int
    versions: tuple[str, str] = (EXTRACTOR_VERSION, NORMALIZER_VERSION)

    @property
    def name(self) -> str:
        """The same for the same plan: what was made of it is found again."""
        return hashlib.blake2b(msgspec.json.encode(self), digest_size=8).hexdigest()


SNAPSHOTS_A_BIN = 4_000
"""A small corpus has fewer bins than it may have: each one reads what every bin of the stage before has left."""


def bins_of(snapshots: int, most: int) -> int:
    """How many bins so many snapshots are worked on in."""
    return max(1, min(most, -(-snapshots // SNAPSHOTS_A_BIN)))


def make_plan(
    objects: Objects,
    records: Sequence[str],
    *,
    gone: Collection[str],
    moved: Mapping[str, str],
    held: Collection[Location],
    bins: int,
) -> Plan:
    """The plan, which is kept in the store."""
    places = tuple((place.segment, place.offset) for place in sorted(held))
    plan = Plan(tuple(records), tuple(sorted(gone)), tuple(sorted(moved.items())), places, bins)
    objects.create(_object(plan.name), msgspec.json.encode(plan))
    return plan


def forget_rounds(objects: Objects, plans: Collection[str]) -> None:
    """Removes what the batches of some plans have left: their tables are there, and none will be made again."""
    for plan in plans:
        for name in objects.names(f"rounds/{plan}/"):
            objects.remove(name)


@lru_cache(maxsize=2)
def plan_of(store: str, name: str) -> Plan:
    """The plan of that name, in a process that works on its batches."""
    return msgspec.json.decode(open_objects(store).read(_object(name)), type=Plan)


def made_object(plan: str, stage: str, unit: int | str) -> str:
    """The object that the work on a bin, a segment or the planner leaves."""
    return f"rounds/{plan}/{stage}/{unit:05d}" if isinstance(unit, int) else f"rounds/{plan}/{stage}/{unit}"


def _object(name: str) -> str:
    return f"rounds/{name}/plan.json"

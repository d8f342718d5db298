"""What a build past one machine is made from: every batch of it reads this first."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

import msgspec

from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.objects import Objects, open_objects
from verdicts.normalize.corpus import NORMALIZER_VERSION
from verdicts.normalize.work import Known


class Plan(msgspec.Struct, frozen=True):
    """Names of record objects, addresses that are gone or moved, snapshots that are held back, and partitions."""

    records: tuple[str, ...]
    gone: tuple[str, ...]
    moved: tuple[tuple[str, str], ...]
    held: tuple[tuple[str, int], ...]
    partitions: int
    versions: tuple[str, str] = (EXTRACTOR_VERSION, NORMALIZER_VERSION)

    @property
    def name(self) -> str:
        """The same for the same plan: what was made of it is found again."""
        return hashlib.blake2b(msgspec.json.encode(self), digest_size=8).hexdigest()

    @property
    def known(self) -> Known:
        """What the stages know before they begin."""
        segments = {record.rpartition("/")[2].partition(".")[0]: number for number, record in enumerate(self.records)}
        return Known(frozenset(self.gone), dict(self.moved), partitions=self.partitions, segments=segments)


SNAPSHOTS_A_PARTITION = 4_000
"""A small corpus has fewer partitions than it may have: each one reads what all of the stage before have left."""


def partitions_of(snapshots: int, most: int) -> int:
    """How many partitions so many snapshots are worked on in."""
    return max(1, min(most, -(-snapshots // SNAPSHOTS_A_PARTITION)))


def make_plan(
    objects: Objects,
    records: Sequence[str],
    *,
    gone: Collection[str],
    moved: Mapping[str, str],
    held: Collection[Location],
    partitions: int,
) -> Plan:
    """The plan, which is kept in the store."""
    places = tuple((place.segment, place.offset) for place in sorted(held))
    plan = Plan(tuple(records), tuple(sorted(gone)), tuple(sorted(moved.items())), places, partitions)
    objects.create(_object(plan.name), msgspec.json.encode(plan))
    return plan


def forget_messages(objects: Objects, plans: Collection[str]) -> None:
    """Removes what the batches of some plans have left: their tables are there, and no plan of these is worked on."""
    for plan in plans:
        for name in objects.names(f"messages/{plan}/"):
            objects.remove(name)


@lru_cache(maxsize=2)
def plan_of(store: str, name: str) -> Plan:
    """The plan of that name, in a process that works on its batches."""
    return msgspec.json.decode(open_objects(store).read(_object(name)), type=Plan)


def left_by(plan: str, stage: str, number: int) -> str:
    """The object that the work on a partition leaves."""
    return f"messages/{plan}/{stage}/{number:05d}"


def _object(name: str) -> str:
    return f"messages/{name}/plan.json"

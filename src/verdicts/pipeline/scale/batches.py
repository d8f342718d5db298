"""A normalization past one machine: its inputs, its partitions, and its batches."""

import hashlib
from functools import lru_cache
from typing import NamedTuple

import msgspec

from verdicts.extract.declarations import profiles_with
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.fetch.objects import Objects, open_objects
from verdicts.normalize.corpus import NORMALIZER_VERSION
from verdicts.normalize.corrections import collect_corrections
from verdicts.normalize.work import RunInputs
from verdicts.pipeline.build.build_manifest import Inputs
from verdicts.pipeline.build.record_files import cut_suffixes
from verdicts.pipeline.scale.partitions import Partitions


def name_folder(plan: str) -> str:
    """The folder of a plan and the objects of its batches."""
    return f"messages/{plan}/"


class Plan(msgspec.Struct, frozen=True):
    """A normalization: its inputs, the number of partitions, and own profiles (`Declarations`)."""

    inputs: Inputs
    partitions: int
    own_profiles: tuple[tuple[str, bytes], ...] = ()
    versions: tuple[str, str] = (EXTRACTOR_VERSION, NORMALIZER_VERSION)

    @property
    def name(self) -> str:
        """A hash of the plan, so that earlier work on the same plan is found."""
        return hashlib.blake2b(msgspec.json.encode(self), digest_size=8).hexdigest()

    @property
    def run_inputs(self) -> RunInputs:
        gone, moved = dict(self.inputs.gone), dict(self.inputs.moved)
        profiles = profiles_with(self.own_profiles)
        corrections = collect_corrections(self.inputs.corrections)
        return RunInputs(gone, moved, profiles, corrections, dict(self.inputs.rights))

    @property
    def divisions(self) -> Partitions:
        segments = {cut_suffixes(name): number for number, name in enumerate(self.inputs.files)}
        return Partitions(self.partitions, segments)


SNAPSHOTS_A_PARTITION = 4_000
"""Small corpora have few partitions, because each reads all objects of the previous stage."""


def count_partitions(snapshots: int, most: int) -> int:
    return max(1, min(most, -(-snapshots // SNAPSHOTS_A_PARTITION)))


def make_plan(
    objects: Objects, inputs: Inputs, partitions: int, own_profiles: tuple[tuple[str, bytes], ...] = ()
) -> Plan:
    plan = Plan(inputs, partitions, own_profiles)
    objects.create(_name_object(plan.name), msgspec.json.encode(plan))
    return plan


@lru_cache(maxsize=2)
def load_plan(store: str, name: str) -> Plan:
    """Loads a plan, cached per process."""
    return msgspec.json.decode(open_objects(store).read(_name_object(name)), type=Plan)


def _name_object(plan: str) -> str:
    return f"{name_folder(plan)}plan.json"


class Batch(NamedTuple):
    """A partition of a stage. `run` differs each time a plan is worked on."""

    store: str
    run: str
    plan: str
    stage: str
    number: int

    def __str__(self) -> str:
        return f"{self.stage} {self.number}"

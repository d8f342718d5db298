"""The versions that a batch depends on, which have to be the same wherever it is worked on."""

from collections.abc import Callable
from importlib.metadata import version
from typing import NamedTuple, TypeVar

from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.normalize.corpus import NORMALIZER_VERSION
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.gates.thresholds import GATE_VERSION

B = TypeVar("B")
R = TypeVar("R")


class Versions(NamedTuple):
    """What a result is the same by."""

    verdicts: str
    extractor: str
    normalizer: str
    gates: str


def versions() -> Versions:
    """Those of this process."""
    return Versions(version("verdicts"), EXTRACTOR_VERSION, NORMALIZER_VERSION, GATE_VERSION)


def check_same(place: str, there: Versions, here: Versions) -> None:
    """Raises `ConfigError` where two processes would not give the same."""
    differing = [
        f"{part} {theirs} and not {ours}"
        for part, theirs, ours in zip(Versions._fields, there, here, strict=True)
        if theirs != ours
    ]
    if differing:
        raise ConfigError(f"{place} has {', '.join(differing)}: install the same verdicts there, and start it again")


def run_as(asker: Versions, function: Callable[[B], R], batch: B) -> R:
    """The result of a batch, from a process of the versions of the one that asks.

    One that joined after the others were looked at is refused here, before it has written anything.
    """
    check_same("a worker", versions(), asker)
    return function(batch)

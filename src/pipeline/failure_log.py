"""The log of what this program failed on: a page that costs itself, or a step that went another way."""

import logging
import sys
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from verdicts.corpus.text import escaped

LOGGER = logging.getLogger("verdicts")

DETAIL_LENGTH = 500
"""Characters of a message that are kept: it may quote the page."""


class Failures(Protocol):
    """Who is told what this program failed on."""

    def add(self, place: str, stage: str, trace: str) -> str:
        """`stage` failed on the page at `place`. Returns the last line of the traceback, the reason."""


class Failure(NamedTuple):
    """What was told, to be told to another."""

    place: str
    stage: str
    trace: str


@dataclass(slots=True)
class KeptFailures:
    """See `Failures`. Keeps them for a process that has the log."""

    failures: list[Failure] = field(default_factory=list)

    def add(self, place: str, stage: str, trace: str) -> str:
        """See `Failures.add`."""
        # One string where a bug meets every page: pickled, it goes over the network once.
        self.failures.append(Failure(place, stage, sys.intern(trace)))
        return _parts(trace)[1]


@dataclass(slots=True)
class FailureLog:
    """What it failed on, addresses for the most part, and the tracebacks that were told.

    Each is told once but for its last line: a bug that every page meets would fill the disk.
    """

    failed: list[str] = field(default_factory=list)
    told: set[str] = field(default_factory=set)

    def add(self, place: str, stage: str, trace: str) -> str:
        """Logs it. See `Failures.add`."""
        self.failed.append(place)
        places, reason = _parts(trace)
        if places in self.told:
            LOGGER.error("%s: %s failed as above: %s", escaped(place), stage, reason)
        else:
            self.told.add(places)
            LOGGER.error("%s: %s failed, a bug of this program\n%s\n%s", escaped(place), stage, places, reason)
        return reason


def _parts(trace: str) -> tuple[str, str]:
    """A traceback: where it happened, and the last line, the reason."""
    places, _, reason = escaped(trace).rstrip().rpartition("\n")
    return places, reason[:DETAIL_LENGTH]

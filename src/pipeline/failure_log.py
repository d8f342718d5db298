"""The log of what this program failed on: a page that costs itself, or a step that went another way."""

import logging
import sys
from dataclasses import dataclass, field
from typing import NamedTuple

from verdicts.corpus.text import escaped

LOGGER = logging.getLogger("verdicts")

DETAIL_LENGTH = 500
"""Characters of a message that are kept: it may quote the page."""


class Failure(NamedTuple):
    """`stage` failed on the page at `place`, and the traceback."""

    place: str
    stage: str
    trace: str


@dataclass(slots=True)
class FailureLog:
    """What this program failed on. Not `is_logged`: it is only kept, for the process that has the log.

    Each traceback is logged once but for its last line: a bug that every page meets would fill the disk.
    """

    is_logged: bool = True
    failures: list[Failure] = field(default_factory=list)
    _logged: set[str] = field(default_factory=set)

    @property
    def failed(self) -> list[str]:
        """The places, addresses for the most part."""
        return [failure.place for failure in self.failures]

    def add(self, place: str, stage: str, trace: str) -> str:
        """Notes a failure. Returns the last line of the traceback, the reason."""
        # One string where a bug meets every page: pickled, it goes over the network once.
        self.failures.append(Failure(place, stage, sys.intern(trace)))
        places, _, reason = escaped(trace).rstrip().rpartition("\n")
        reason = reason[:DETAIL_LENGTH]
        if not self.is_logged:
            return reason
        if places in self._logged:
            LOGGER.error("%s: %s failed as above: %s", escaped(place), stage, reason)
        else:
            self._logged.add(places)
            LOGGER.error("%s: %s failed, a bug of this program\n%s\n%s", escaped(place), stage, places, reason)
        return reason

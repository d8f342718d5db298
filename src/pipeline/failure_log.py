"""The log of bugs of this program that cost a page or a step."""

import logging
import sys
from dataclasses import dataclass, field
from typing import NamedTuple

from verdicts.corpus.text import escaped

LOGGER = logging.getLogger("verdicts")

DETAIL_LENGTH = 500
"""Length of a logged message, in characters: it may quote the page."""


class Failure(NamedTuple):
    """`stage` failed on the page at `place`, with the traceback."""

    place: str
    stage: str
    trace: str


@dataclass(slots=True)
class FailureLog:
    """Bugs met in this process. With `is_logged=False` they are only collected, for the process that owns the log.

    Each traceback is logged once, later only its last line: a bug on every page would fill the disk.
    """

    is_logged: bool = True
    failures: list[Failure] = field(default_factory=list)
    _logged: set[str] = field(default_factory=set)

    @property
    def failed(self) -> list[str]:
        """The places, mostly addresses."""
        return [failure.place for failure in self.failures]

    def add(self, place: str, stage: str, trace: str) -> str:
        """Records a failure. Returns its reason, the last line of the traceback."""
        # Interned, so that a bug on every page crosses the network once when it is pickled.
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

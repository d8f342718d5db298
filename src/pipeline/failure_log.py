"""The log of what this program failed on: a page that costs itself, or a step that went another way."""

import logging
from dataclasses import dataclass, field

from corpus.unicode_text import escaped

LOGGER = logging.getLogger("verdicts")

DETAIL_LENGTH = 500
"""Characters of a message that are kept: it may quote the page."""


@dataclass(slots=True)
class FailureLog:
    """What it failed on, addresses for the most part, and the tracebacks that were told.

    Each is told once but for its last line: a bug that every page meets would fill the disk.
    """

    failed: list[str] = field(default_factory=list)
    told: set[str] = field(default_factory=set)

    def add(self, place: str, stage: str, trace: str) -> str:
        """Logs that `stage` failed on the page at `place`. Returns the last line of the traceback, the reason."""
        self.failed.append(place)
        places, _, reason = escaped(trace).rstrip().rpartition("\n")
        reason = reason[:DETAIL_LENGTH]
        if places in self.told:
            LOGGER.error("%s: %s failed as above: %s", escaped(place), stage, reason)
        else:
            self.told.add(places)
            LOGGER.error("%s: %s failed, a bug of this program\n%s\n%s", escaped(place), stage, places, reason)
        return reason

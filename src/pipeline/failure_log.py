"""The log of what this program failed on: each time a page that costs itself and nothing else."""

import logging
from dataclasses import dataclass, field

from corpus.unicode_text import escaped

LOGGER = logging.getLogger("verdicts")

DETAIL_LENGTH = 500
"""Characters of a message that are kept: it may quote the page."""


@dataclass(slots=True)
class FailureLog:
    """The addresses of the pages, and the places in the program whose traceback was told.

    Each place is told once: a bug that every page meets would fill the disk.
    """

    pages: list[str] = field(default_factory=list)
    told: set[str] = field(default_factory=set)

    def add(self, url: str, stage: str, trace: str) -> str:
        """Logs that `stage` failed on the page at `url`. Returns the last line of the traceback, the reason."""
        self.pages.append(url)
        places, _, reason = escaped(trace).rstrip().rpartition("\n")
        reason = reason[:DETAIL_LENGTH]
        if places in self.told:
            LOGGER.error("%s: %s failed as above: %s", escaped(url), stage, reason)
        else:
            self.told.add(places)
            LOGGER.error("%s: %s failed, a bug of this program\n%s\n%s", escaped(url), stage, places, reason)
        return reason

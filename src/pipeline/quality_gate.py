"""The gates between a night's load and its readers: what a person should look at first."""

from collections.abc import Iterable
from dataclasses import dataclass

LOST_LEAST, LOST_SHARE = 3, 0.2
"""So many pages, and so large a share of those read again, that no longer read as comparisons hold a night back.

One page may become something else; a fifth of them means a redesign, a block or an error page in their place.
"""


class HeldBack(Exception):
    """A gate is shut: the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Drift:
    """Of the pages the last run stored anew that had been comparisons: how many, and which are none now."""

    again: int
    lost: tuple[str, ...]

    @property
    def is_open(self) -> bool:
        """Whether the night may be published."""
        return len(self.lost) < LOST_LEAST or len(self.lost) < LOST_SHARE * self.again


def drift_of(kinds: Iterable[tuple[str, str, str]]) -> Drift:
    """What the last run that stored anything did to the pages known before.

    Takes (address, run, kind of record) in the order of the runs.
    """
    before: dict[str, bool] = {}
    tonight: dict[str, tuple[bool, bool]] = {}
    present = ""
    for url, run, kind in kinds:
        if run != present:
            before |= {page: was or now for page, (was, now) in tonight.items()}
            present, tonight = run, {}
        tonight[url] = (before.get(url, False), kind == "comparison")
    again = {url: now for url, (was, now) in tonight.items() if was}
    return Drift(len(again), tuple(url for url, now in again.items() if not now))


def check(drift: Drift) -> None:
    """Raises `HeldBack` where the night should not reach its readers."""
    if not drift.is_open:
        raise HeldBack(
            f"{len(drift.lost):,} of {drift.again:,} pages that changed are no comparisons any more, such as"
            f" {drift.lost[0]}: a redesign, a block, or an error page in their place. What was read before stays,"
            " and readers keep the corpus they have; 'verdicts publish' gives them this one"
        )

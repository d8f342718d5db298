"""What a report shows, as records. Times are in UTC; `Absent` stands where a section could not be filled."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from verdicts.corpus.enumerations import GateState
from verdicts.pipeline.nights.ending import NightEnding, NightStatus

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Absent:
    """Why there is nothing to show, as a sentence."""

    why: str


@dataclass(frozen=True, slots=True)
class Some(Generic[T]):
    """The first of `total` things; the others are counted alone."""

    shown: tuple[T, ...]
    total: int

    @property
    def left(self) -> int:
        """How many are not shown."""
        return self.total - len(self.shown)


def some(items: Sequence[T], total: int | None = None) -> Some[T]:
    """All of the items, of `total` where there are more than these."""
    return Some(tuple(items), len(items) if total is None else total)


@dataclass(frozen=True, slots=True)
class Command:
    """What to type. Never cut: half a command does something else."""

    line: str


@dataclass(frozen=True, slots=True)
class Example:
    """A page that lost something. `page` is its address; None where the gate names none."""

    page: str | None
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Loss:
    """A measure of a host: `lost` of `had` pages or tools, in words. `history`: the shares lost, oldest first."""

    host: str
    measure: str
    state: GateState
    lost: int
    had: int
    words: str
    examples: tuple[Example, ...]
    history: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class HeldHost:
    """A host of which readers have the rows as they were before run `crawl_id`.

    `accept` takes what it lost as it is; None for a host that is merely down.
    """

    host: str
    crawl_id: str
    losses: Some[Loss]
    accept: Command | None


@dataclass(frozen=True, slots=True)
class HostNight:
    """A host in the night's crawl, in addresses. `lost`: pages or tools that lack a measure they had; None: not judged.

    `why`: why nothing was fetched of it, or less than it seems; None where nothing is to be explained.
    """

    host: str
    asked: int
    answered: int
    failed: int
    changed: int
    lost: int | None
    gone: int
    oldest_at: datetime | None
    why: str | None


@dataclass(frozen=True, slots=True)
class NightOutcomes:
    """A night in the picture of the last ones: how it ended, and addresses by outcome; None: it has no crawl.

    `status` is None for a night that has no ending in the log: its process was killed.
    """

    began_at: datetime
    status: NightStatus | None
    unchanged: int | None = None
    stored: int = 0
    other: int = 0
    failed: int = 0

    @property
    def addresses(self) -> int:
        """All of them."""
        return (self.unchanged or 0) + self.stored + self.other + self.failed


@dataclass(frozen=True, slots=True)
class Accepted:
    """A loss that a person accepted, and that is what the host is compared with now."""

    host: str
    measure: str
    at: datetime
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Gates:
    """What the gates found, the largest losses first. `losses` are those that hold nothing."""

    held: Some[HeldHost]
    losses: Some[Loss]
    watch: Some[Loss]
    accepted: Some[Accepted]
    unjudged: Some[str]
    """Hosts that are too new to be compared."""


@dataclass(frozen=True, slots=True)
class Crawled:
    """The night's crawl. `addresses` are all that were asked for; `stored`, `unchanged` and `failed` are of these."""

    status: str
    addresses: int
    stored: int
    unchanged: int
    failed: int
    bytes: int
    hosts: Some[HostNight]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as a reader knows it."""

    name: str
    category: str | None


@dataclass(frozen=True, slots=True)
class Turned:
    """What was said of a tool, and what is said now, on so many pages."""

    name: str
    before: str | None
    after: str | None
    pages: int = 1


@dataclass(frozen=True, slots=True)
class Count:
    """Rows of a table; `before` is None where there is no earlier copy."""

    name: str
    now: int
    before: int | None


@dataclass(frozen=True, slots=True)
class Filled:
    """How many of `rows` have a value."""

    name: str
    filled: int
    rows: int

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.filled / self.rows if self.rows else 0.0


@dataclass(frozen=True, slots=True)
class CorpusChanges:
    """The copy that readers have from this night, beside the one before it. `before` is None: it is the first."""

    published: str
    before: str | None
    counts: tuple[Count, ...]
    new_tools: Some[Tool]
    vanished_tools: Some[Tool]
    verdicts: Some[Turned]
    prices: Some[Turned]
    fill_rates: tuple[Filled, ...]
    """The emptiest first."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing of the care of the data folder. `is_wrong`: somebody should look."""

    name: str
    says: str
    is_wrong: bool = False


@dataclass(frozen=True, slots=True)
class OpenIncident:
    """Something that is wrong since a night and not over. `host` is None for one of the night as a whole."""

    host: str | None
    cause: str
    opened_at: datetime
    says: str


@dataclass(frozen=True, slots=True)
class NightFacts:
    """All of a report."""

    ending: NightEnding
    crawled: Crawled | Absent
    nights: tuple[NightOutcomes, ...]
    """The last ones with this one, oldest first."""
    gates: Gates | Absent
    corpus: CorpusChanges | Absent
    care: tuple[Line, ...]
    incidents: Some[OpenIncident]
    undelivered: tuple[str, ...] = ()
    """Which addresses could not be told of the newest night that had something to tell."""

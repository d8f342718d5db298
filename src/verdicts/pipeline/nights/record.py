"""The record of a night, one JSON file: what was asked, read, lost, held and changed, and why.

`reports/<night>.json` is begun when the data folder is locked, and written when the night ends. Status, report, alert,
metrics and Prefect's artifact are renderings of it: none counts anything again.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from msgspec import Meta, MsgspecError, json

from verdicts.corpus.rows.runs import GateAcceptRow, GateMeasureRow
from verdicts.fetch.given_files import read_file
from verdicts.fetch.model.outcome import FAILURES, Outcome
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import AlertOn
from verdicts.warehouse.storage.durable import replace_text

NightStatus: TypeAlias = Literal["done", "partial", "held", "failed", "refused", "interrupted"]

Absent: TypeAlias = str
"""A sentence in place of a part of a record: why there is nothing."""

Moment: TypeAlias = Annotated[datetime, Meta(tz=True)]

NIGHTS_KEPT = 400
"""Records of a year and a month, some 50 KB each."""

READ = frozenset({Outcome.STORED, Outcome.UNCHANGED, Outcome.ALIAS, Outcome.REDIRECTED})
GONE = frozenset({Outcome.NOT_FOUND, Outcome.GONE, Outcome.SOFT_404})


class State(NamedTuple):
    """The state of a night in a word. The glyphs differ, because not everybody can tell colours apart."""

    word: str
    glyph: str
    meaning: str


KILLED = "left no ending: its process was killed, the machine went down, or its disk was full"
"""What is known of a night that neither runs nor has an end. A full disk may not take its record."""

STATES: Mapping[str | None, State] = {
    "done": State("published", "●", "Readers have the whole night."),
    "partial": State("degraded", "◐", "Readers have what could be read; the rest failed."),
    "held": State("held", "■", "A gate holds hosts or everything back; readers keep the rows that they had of these."),
    "failed": State("down", "✕", "Readers have nothing of this night."),
    "refused": State("refused", "○", "Another run held the data folder; nothing was begun."),
    "interrupted": State(
        "interrupted", "○", "The night was stopped; what was finished is kept, and the next run goes on from there."
    ),
    None: State("killed", "?", "The night left no ending."),
}
"""Partial: some addresses or steps are missing. Held: a gate held hosts, or everything. Refused: another run held the
data folder. Interrupted: by a signal or a cancellation. None: it still runs, or was killed."""


@dataclass(frozen=True, slots=True)
class HostNight:
    """A host in the crawl of a night.

    `endings` counts each known address once: by its last `Outcome`, or the `SkipReason` for which it was not asked.
    `lost`: pages or tools that lost a measure, None if not judged. `why`: why nothing, or less than expected, was
    fetched, None if there is nothing to explain.
    """

    host: str
    endings: Mapping[str, int]
    why: str | None = None
    oldest_at: Moment | None = None
    changed: int = 0
    lost: int | None = None

    def count(self, *endings: str) -> int:
        return sum(self.endings.get(ending, 0) for ending in endings)

    @property
    def asked(self) -> int:
        return self.count(*Outcome)

    @property
    def answered(self) -> int:
        return self.count(*READ)

    @property
    def failed(self) -> int:
        return self.count(*FAILURES)

    @property
    def gone(self) -> int:
        return self.count(*GONE)

    @property
    def other(self) -> int:
        """Settled without an answer, such as by robots.txt, `noindex` or a redirect out of the site."""
        return self.asked - self.answered - self.failed - self.gone


@dataclass(frozen=True, slots=True)
class NightCrawl:
    """The crawl of a night, as in `ops.crawls`. Hosts without fetched pages come first."""

    stored: int
    unchanged: int
    failed: int
    bytes: int
    hosts: tuple[HostNight, ...] = ()

    @property
    def other(self) -> int:
        """Addresses that were settled without a page."""
        settled = {*Outcome} - {*FAILURES, Outcome.STORED, Outcome.UNCHANGED, Outcome.SUPPORT}
        return sum(host.count(*settled) for host in self.hosts)


@dataclass(frozen=True, slots=True)
class NightGates:
    """What the gates found, largest losses first. `losses` hold nothing.

    `held` has the rows of each held host, one per measure. `down` are hosts that did not answer. `unjudged` are hosts
    that are too new to compare.
    """

    held: tuple[tuple[GateMeasureRow, ...], ...]
    down: tuple[str, ...]
    losses: tuple[GateMeasureRow, ...]
    accepted: tuple[GateAcceptRow, ...]
    unjudged: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Changed:
    """Some of `total` changes, as rows of their question."""

    total: int
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class CorpusChanges:
    """The copy published by a night compared with the previous one. `before` is None for the first copy.

    `counts`: table, rows now, rows before. `fill_rates`: field, rows with a value, all rows; emptiest first.
    `verdicts`: tool, before, now, pages. `reviews`: tool, reviewer, change, score and verdict before and now.
    `prices`: tool, before, now. Tools: name, category. `corrections`: those of people that changed nothing, with
    outcome and detail. `reserved`: pages that reserve their texts.
    """

    published: str
    before: str | None
    counts: tuple[tuple[str, int, int | None], ...]
    new_tools: Changed
    vanished_tools: Changed
    verdicts: Changed
    reviews: Changed
    prices: Changed
    fill_rates: tuple[tuple[str, int, int], ...]
    corrections: Changed = Changed(0, ())
    reserved: int = 0


@dataclass(frozen=True, slots=True)
class CareLine:
    """A fact about the care of the data folder. `is_wrong`: it needs attention."""

    name: str
    says: str
    is_wrong: bool = False


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that is wrong. Host and cause identify it from night to night."""

    host: str
    """Empty for the night as a whole."""
    cause: str
    """`held`, `answered`, `rejects`, `failed`, `refused`, `killed`, `partial`."""
    kind: AlertOn
    """The setting that asks for it."""
    words: str
    """One line, as of the newest night: what is wrong, and what to do."""
    opened_at: Moment
    opened_in: str
    """The first night with it."""
    reported_at: Moment | None = None
    """When it was last reported. None if nobody wants it, or no address could be reached."""

    @property
    def key(self) -> tuple[str, str]:
        return self.host, self.cause

    @property
    def subject(self) -> str:
        """`a.example: held`."""
        return f"{self.host or 'the night'}: {self.cause}"

    @property
    def line(self) -> str:
        """`a.example: held, since 2026-11-21: price: 104 of 130 pages lost prices ...`."""
        return f"{self.subject}, since {self.opened_at:%Y-%m-%d}: {self.words}"


@dataclass(frozen=True, slots=True)
class Undelivered:
    """An address that could not be reached, without its secrets, and the reason."""

    address: str
    why: str
    night_id: str


@dataclass(frozen=True, slots=True)
class NightRecord:
    """A night. Times are in UTC."""

    night_id: str
    """Sortable by time, like the id of a run."""
    began_at: Moment
    ended_at: Moment | None = None
    """None if it still runs, or was killed; then nothing below is known."""
    status: NightStatus | None = None
    exit_code: int | None = None
    """Exit code of `verdicts run`. None if a signal decides."""
    headline: str = ""
    """One sentence: what readers have, or why they have nothing new."""
    in_part: str = ""
    """What is missing of a published night, and why."""
    crawl_id: str | None = None
    """A resumed crawl is older than the night."""
    load_id: str | None = None
    published: str | None = None
    """The name of the copy that it published."""
    crawl: NightCrawl | Absent = "No crawl of this night ended."
    gates: NightGates | Absent = "The night loaded nothing; 'verdicts check' shows what the gates found last."
    corpus: CorpusChanges | Absent = "The night published nothing: readers have what they had."
    care: tuple[CareLine, ...] = ()
    disk: tuple[int, int] = (0, 0)
    """Free bytes and all bytes of the disk of the data folder."""
    step_seconds: Mapping[str, float] = field(default_factory=dict)
    number: int = 0
    """Counts the endings: the latest has the highest, also if a clock went back, or a night was refused by another."""
    incidents: tuple[Incident, ...] = ()
    """Open after this night."""
    undelivered: tuple[Undelivered, ...] = ()
    """As of the newest night that had something to report."""


def find_latest(nights: Sequence[NightRecord]) -> NightRecord | None:
    """The night that ended last: it has the open incidents."""
    return max((night for night in nights if night.ended_at is not None), key=lambda night: night.number, default=None)


_DECODER = json.Decoder(NightRecord)


def write_record(folder: DataFolder, record: NightRecord) -> None:
    """Replaces the file, and removes the oldest. Raises `OSError`, and keeps the file as it was."""
    folder.reports.mkdir(parents=True, exist_ok=True)
    replace_text(folder.reports / f"{record.night_id}.json", json.format(json.encode(record), indent=1).decode())
    for old in [*_newest_first(folder)][NIGHTS_KEPT:]:
        (folder.reports / f"{old}.json").unlink(missing_ok=True)
    # A night that was killed may leave a draft.
    for draft in folder.reports.glob(".*.tmp"):
        draft.unlink(missing_ok=True)


def read_nights(folder: DataFolder, most: int | None = None) -> list[NightRecord]:
    """The nights, newest first, at most `most`. Skips files that are damaged, or that another version wrote."""
    nights = (_read(folder, night_id) for night_id in _newest_first(folder))
    return [*islice((night for night in nights if night is not None), most)]


def _newest_first(folder: DataFolder) -> Iterator[str]:
    with suppress(PermissionError):
        return iter(sorted((path.stem for path in folder.reports.glob("[0-9]*.json")), reverse=True))
    return iter(())


def _read(folder: DataFolder, night_id: str) -> NightRecord | None:
    try:
        return _DECODER.decode(read_file(folder.reports / f"{night_id}.json"))
    except (OSError, MsgspecError, RecursionError, UnicodeDecodeError):
        return None


def age_in_words(age: timedelta) -> str:
    """`3 hours`, `12 days`: rounded down."""
    hours = int(age.total_seconds()) // 3600
    if hours < 1:
        return "under an hour"
    count, unit = (hours, "hour") if hours < 48 else (hours // 24, "day")
    return f"{count:,} {unit}" + ("s" if count > 1 else "")

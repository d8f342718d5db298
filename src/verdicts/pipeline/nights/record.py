"""The record of a night, one JSON file: what was asked, read, lost, held and changed, and why.

`reports/<night>.json` is begun when the data folder is locked, and written when the night ends. Status, report, alert,
metrics and Prefect's artifact are renderings of it: none counts anything again.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from msgspec import Meta, MsgspecError, json

from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.fetch.input_files import read_file
from verdicts.fetch.model.outcome import FAILURES, Outcome
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import AlertOn
from verdicts.warehouse.storage.durable import replace_text

NightStatus: TypeAlias = Literal["done", "partial", "held", "failed", "refused", "interrupted"]

Moment: TypeAlias = Annotated[datetime, Meta(tz=True)]

NIGHTS_KEPT = 400
"""Records of a year and a month, some 50 KB each."""

READ = (Outcome.STORED, Outcome.UNCHANGED, Outcome.ALIAS, Outcome.REDIRECTED)


KILLED = "has no ending: its process was killed, the machine stopped, or its disk was full"
"""What is known of a night that neither runs nor has an end. A full disk may not take its record."""


class State(NamedTuple):
    """The state of a night in a word, and the command to type next."""

    word: str
    glyph: str
    meaning: str
    command: str = ""


_DECLARED = tomllib.loads(Path(__file__).with_name("states.toml").read_text(encoding="utf-8"))
STATES: Mapping[str, State] = {name: State(**row) for name, row in _DECLARED.items()}
"""By `NightStatus`; `killed` for a night without a status, which still runs or was killed."""


@dataclass(frozen=True, slots=True)
class NightHost:
    """A host in the crawl of a night.

    `endings` counts each known address once: by its last `Outcome`, or the `SkipReason` for which it was not asked.
    `why`: why nothing, or less than expected, was fetched, None if there is nothing to explain.
    """

    host: str
    endings: Mapping[str, int]
    why: str | None = None

    def count(self, *endings: str) -> int:
        return sum(self.endings.get(ending, 0) for ending in endings)

    def count_asked(self) -> int:
        return self.count(*Outcome)

    def count_answered(self) -> int:
        return self.count(*READ)

    def count_failed(self) -> int:
        return self.count(*FAILURES)


@dataclass(frozen=True, slots=True)
class NightCrawl:
    """The crawl of a night, as in `ops.crawls`. Hosts without fetched pages come first."""

    stored: int
    unchanged: int
    failed: int
    bytes: int
    hosts: tuple[NightHost, ...] = ()


@dataclass(frozen=True, slots=True)
class Changed:
    """Some of `total` changes, as rows of their question."""

    total: int
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class CorpusChanges:
    """The copy published by a night compared with the previous one. `before` is None for the first copy.

    `counts`: table, rows now, rows before. `changes` by the name of their question (`sql/`).
    """

    published: str
    before: str | None
    counts: tuple[tuple[str, int, int | None], ...]
    changes: Mapping[str, Changed]


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that is wrong. Host and cause identify it from night to night."""

    host: str
    """Empty for the night as a whole."""
    cause: str
    """`held`, `answered`, `failed`, `refused`, `killed`, `partial`."""
    kind: AlertOn
    """The setting that asks for it."""
    words: str
    """One line, as of the newest night: what is wrong, and what to do."""
    opened_at: Moment
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


@dataclass(slots=True)
class NightRecord:
    """A night, which fills it in while it runs. Times are in UTC."""

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
    crawl: NightCrawl | None = None
    """None: no crawl of this night ended."""
    gates: tuple[GateMeasureRow, ...] = ()
    """Of the newest run of each host, what did not pass, and how many pages are gone. Empty without a load."""
    corpus: CorpusChanges | None = None
    verified: str = ""
    """How much of the data folder was verified."""
    disk: tuple[int, int] = (0, 0)
    """Free bytes and all bytes of the disk of the data folder."""
    step_seconds: Mapping[str, float] = field(default_factory=dict)
    number: int = 0
    """Counts the endings: the latest has the highest, also if a clock went back, or a night was refused by another."""
    incidents: tuple[Incident, ...] = ()
    """Open after this night."""
    undelivered: tuple[Undelivered, ...] = ()
    """As of the newest night that had something to report."""

    @property
    def state(self) -> State:
        """The state of the night. A failure after publication is `degraded`."""
        return STATES["partial" if self.status == "failed" and self.published else self.status or "killed"]


def find_latest(nights: Sequence[NightRecord]) -> NightRecord | None:
    """The night that ended last: it has the open incidents."""
    return max((night for night in nights if night.ended_at is not None), key=lambda night: night.number, default=None)


_DECODER = json.Decoder(NightRecord)


def write_record(folder: DataFolder, record: NightRecord) -> None:
    """Replaces the file, and removes the oldest. Raises `OSError`, and keeps the file as it was."""
    folder.reports.mkdir(parents=True, exist_ok=True)
    replace_text(folder.reports / f"{record.night_id}.json", json.format(json.encode(record), indent=1).decode())
    for old in [*_iterate_ids(folder)][NIGHTS_KEPT:]:
        (folder.reports / f"{old}.json").unlink(missing_ok=True)
    # A night that was killed may leave a draft.
    for draft in folder.reports.glob(".*.tmp"):
        draft.unlink(missing_ok=True)


def read_nights(folder: DataFolder, most: int | None = None) -> list[NightRecord]:
    """The nights, newest first, at most `most`. Skips files that are damaged, or that another version wrote."""
    nights = (_read(folder, night_id) for night_id in _iterate_ids(folder))
    return [*islice((night for night in nights if night is not None), most)]


def _iterate_ids(folder: DataFolder) -> Iterator[str]:
    with suppress(PermissionError):
        return iter(sorted((path.stem for path in folder.reports.glob("[0-9]*.json")), reverse=True))
    return iter(())


def _read(folder: DataFolder, night_id: str) -> NightRecord | None:
    try:
        return _DECODER.decode(read_file(folder.reports / f"{night_id}.json"))
    except (OSError, MsgspecError, RecursionError, UnicodeDecodeError):
        return None

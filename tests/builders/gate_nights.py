"""Nights of a store whose record files are made directly: what the gates judge, without a network and without HTML."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import combinations, islice
from pathlib import Path

from builders.normalize_pages import page, tool
from verdicts.corpus.rows.runs import FetchRow, GateMeasureRow
from verdicts.extract.model.records import Comparison, Extracted, Observation, Reject
from verdicts.fetch.model.outcome import Outcome, SkipReason, SkipRecord
from verdicts.fetch.model.snapshot import Location, Snapshot
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.build.build import BuildReport, build
from verdicts.pipeline.build.record_files import record_file, write_records
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.gates.thresholds import GateSettings
from verdicts.pipeline.workers.record_rows import make_record_row

HOST = "tools.example"
FIRST = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
CAPTCHA = Reject("not_a_comparison", "Are you a robot? Tick the box to go on.")

Pages = dict[str, Extracted]
"""Address to what a visit reads there."""


def site(count: int, host: str = HOST, tools: int = 24) -> Pages:
    """Some comparisons of tools that are each on several pages."""
    cast = [tool(f"tool-{number:02}") for number in range(tools)]
    spread = sorted(combinations(range(tools), 2), key=lambda pair: (pair[1] - pair[0], pair))
    return {
        f"http://{host}/compare/{cast[a].slug}-vs-{cast[b].slug}": page(cast[a], cast[b])
        for a, b in islice(spread, count)
    }


def change_share(pages: Pages, change: Callable[[Comparison], Extracted], share: float = 1.0) -> Pages:
    """The site after a change of a share of its pages, spread over all of it."""
    count = round(share * len(pages))
    chosen = {number * len(pages) // count for number in range(count)} if count else set()
    return {
        url: change(extracted) if number in chosen and isinstance(extracted, Comparison) else extracted
        for number, (url, extracted) in enumerate(pages.items())
    }


def prices_zero(comparison: Comparison) -> Comparison:
    return replace(comparison, decisions=tuple(replace(column, pricing="$0/mo") for column in comparison.decisions))


def captcha(_: Comparison) -> Reject:
    return CAPTCHA


@dataclass
class Nights:
    """A data folder and the nights so far. What a page said last is not stored again."""

    root: Path
    count: int = 0
    said: dict[str, Extracted] = field(default_factory=dict)

    @property
    def folder(self) -> DataFolder:
        return DataFolder(self.root)

    def night(
        self,
        pages: Pages,
        *,
        failing: Mapping[str, Outcome] | None = None,
        unasked: int = 0,
        settings: GateSettings | None = None,
        is_built: bool = True,
    ) -> BuildReport | None:
        """One crawl that reads `pages`, and the build after it."""
        self.count += 1
        start = FIRST + timedelta(days=self.count - 1)
        crawl_id = f"{start:%Y%m%dT%H%M%SZ}-0001"
        with open_store(self.root, command="test") as store:
            observations = self._crawl(store, crawl_id, start, pages, failing or {}, unasked)
            for segment in {item.location.segment for item in observations}:
                of_segment = [item for item in observations if item.location.segment == segment]
                path = record_file(self.folder.records, segment, len(of_segment))
                path.parent.mkdir(exist_ok=True)
                write_records(path, [make_record_row(item) for item in of_segment])
            return self.build(settings=settings, store=store) if is_built else None

    def build(self, *, settings: GateSettings | None = None, store=None, anew: bool = False) -> BuildReport:
        now = FIRST + timedelta(days=self.count, hours=1)
        gates = settings or GateSettings()
        if store is not None:
            return build(store, self.folder, now=now, gates=gates, anew=anew)
        with open_store(self.root, command="test") as opened:
            return build(opened, self.folder, now=now, gates=gates, anew=anew)

    def _crawl(self, store, crawl_id, start, pages, failing, unasked) -> list[Observation]:
        store.begin(crawl_id, "crawl", start)
        observations = []
        with store.transaction():
            for number, (url, extracted) in enumerate(pages.items()):
                moment = start + timedelta(seconds=number % 3000)
                body = repr(extracted).encode()
                snapshot = Snapshot(url, url, moment, 200, (("content-type", "text/html"),), body, crawl_id)
                is_new = self.said.get(url) != extracted
                location = store.keep(snapshot) if is_new else None
                outcome = Outcome.STORED if is_new else Outcome.UNCHANGED
                store.log(make_fetch(crawl_id, number, url, outcome, moment, location))
                if location is not None:
                    digest = sha256(body).hexdigest()
                    observations.append(Observation(url, moment, crawl_id, location, digest, extracted))
                self.said[url] = extracted
            for number, (url, outcome) in enumerate(failing.items(), start=len(pages)):
                store.log(make_fetch(crawl_id, number, url, outcome, start))
            if unasked:
                store.add_skips(crawl_id, [SkipRecord(HOST, SkipReason.ROBOTS_UNREAD, unasked, f"http://{HOST}/")])
        store.finish(crawl_id, start + timedelta(hours=1))
        return observations


def make_fetch(
    crawl_id: str, number: int, url: str, outcome: Outcome, moment: datetime, location: Location | None = None
) -> FetchRow:
    place = (None, None) if location is None else location
    return FetchRow(f"{crawl_id}-{number:06}", crawl_id, url, outcome, 200, 1, moment, 1, 1, None, *place, None)


def find_withheld(report: BuildReport) -> dict[tuple[str, str], GateMeasureRow]:
    """What is held, by host and measure."""
    return {(row.host, row.measure): row for row in report.gates if row.state == "held"}

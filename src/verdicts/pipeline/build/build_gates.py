"""Two gates for a whole build: a new extractor that reads less, and reviews that are less surely attributed.

A new extractor reads everything again, so nights are always compared by the present extractor. Only the first gate sees
what the new extractor loses. It holds the whole build, because one extractor reads all hosts, and record files of the
old version stay until it passes. Attribution is the only measure that needs rows.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import polars as pl

from verdicts.corpus.enumerations import ATTRIBUTIONS, Attribution, GateMeasure
from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.fetch.store import checksums
from verdicts.fetch.store.run_log import gate_accepts, gate_measures
from verdicts.fetch.store.store import Store
from verdicts.pipeline.build.gates import PageReadings, hold
from verdicts.pipeline.gates.compare import Loss, Tally, pairs_of, tallies
from verdicts.pipeline.gates.host_night import HostRun, chosen, examples, past_of
from verdicts.pipeline.gates.judge import TESTS, Tested, false_alarm_level, paired_row, settled
from verdicts.pipeline.gates.measures import PAGE_MEASURES
from verdicts.pipeline.gates.newest_rows import held_hosts, newest_runs
from verdicts.pipeline.gates.thresholds import GATE_VERSION, LOST_FACTOR, NIGHT, REREAD, TOOL_SHARE, GateSettings
from verdicts.pipeline.gates.words import check_held, held_lines
from verdicts.pipeline.progress import say
from verdicts.warehouse.loading.log import loaded_reviews
from verdicts.warehouse.loading.rows import Rows, values_of

_PLACE = ["segment", "segment_offset"]
_SHOWN = ["tools", "amounts", "tool_amounts"]


def check_reread(store: Store, records: Path, readings: PageReadings, settings: GateSettings) -> None:
    """Removes outdated record files, if the present extractor reads as much as the previous ones.

    Otherwise raises `HeldBack`. Nothing is built, and the files stay for the next comparison.
    """
    earlier = [file for file in sorted(records.glob("*.parquet")) if file not in set(readings.files)]
    found = _found(store, _amounts_before(earlier), readings, settings)
    if found:
        hold(store, found)
        for line in held_lines(found):
            say(line)
        check_held(found)
    present = {*readings.files, *map(checksums.beside, readings.files)}
    for file in set(records.iterdir()) - present:
        file.unlink()


def _found(
    store: Store, before: pl.DataFrame | None, readings: PageReadings, settings: GateSettings
) -> list[GateMeasureRow]:
    if before is None:
        return []
    newest = newest_runs(gate_measures(store.state))
    accepted = {(row.host, row.measure, row.crawl_id) for row in gate_accepts(store.state)}
    places = readings.frame.select("reading", *_PLACE).join(before, on=_PLACE, how="inner")
    found: list[GateMeasureRow] = []
    for host, crawl_id in sorted(newest.items()):
        now = readings.at(host, crawl_id)
        # Negative numbers, so that no reading counts as unchanged.
        then = now.drop(_SHOWN).join(places.drop(_PLACE), on="reading").with_columns(reading=-1 - pl.col("reading"))
        pairs = pairs_of(then.select(now.columns), now)
        counts = tallies(pairs, PAGE_MEASURES, answered=None, fresh=(), facts=())
        for (measure, _), counted in counts.items():
            if (host, measure, crawl_id) not in accepted:
                tested = Tested(measure, REREAD, counted, REREAD.rate)
                found += _held(HostRun(crawl_id, host), tested, len(newest), settings, partial(_reread, readings))
    return found


def _held(
    run: HostRun,
    tested: Tested,
    hosts: int,
    settings: GateSettings,
    examples_of: Callable[[GateMeasure, Sequence[Loss]], Iterable[str]],
) -> Iterator[GateMeasureRow]:
    alpha = false_alarm_level(settings.false_alarms_a_year, hosts * TESTS)
    row = paired_row(run, tested, alpha, lambda measure, losses: examples_of(measure, chosen(losses)))
    if row.state == "held":
        yield settled(row, settings)


def _reread(readings: PageReadings, measure: GateMeasure, losses: Sequence[Loss]) -> Iterator[str]:
    read = readings.reread([loss.after for loss in losses])
    return (example.replace(*_READ_BEFORE) for example in examples(measure, losses, read, readings.profiles))


_READ_BEFORE = ("(its record is lost)", "(read by the extractor before)")
"""The earlier words are in files of another version, whose records may differ."""


def _amounts_before(files: Sequence[Path]) -> pl.DataFrame | None:
    """Places and amounts of earlier readings with the same measures."""
    frames = []
    for file in files:
        if checksums.is_as_noted(file) is False or not _is_measured_alike(file):
            continue
        with suppress(pl.exceptions.PolarsError):
            frames.append(pl.read_parquet(file, columns=[*_PLACE, *_SHOWN]))
    return pl.concat(frames).unique(_PLACE, keep="last") if frames else None


def _is_measured_alike(file: Path) -> bool:
    """`20261101T013000Z-0001-00001.v5-6-1.n20.parquet`: the last number of the version is that of the gates."""
    version: Mapping[int, str] = dict(enumerate(file.name.split(".")))
    return version.get(1, "").endswith(f"-{GATE_VERSION}") and version.get(1, "").count("-") == 2


STRENGTH: Mapping[Attribution, float] = {kind: 0.5**place for place, kind in enumerate(ATTRIBUTIONS)}
"""Each weaker kind counts half: if all reviews of a page become one kind weaker, the page has lost the measure."""


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page whose reviews were loaded before and are known now, counted by how they are attributed."""

    url: str
    host: str
    tools: frozenset[str]
    before: Counter[Attribution]
    after: Counter[Attribution]

    @property
    def is_weaker(self) -> bool:
        return _strength(self.after) * LOST_FACTOR <= _strength(self.before)


def _strength(takes: Counter[Attribution]) -> float:
    """The mean strength, 1 if all are observed."""
    return sum(STRENGTH[kind] * count for kind, count in takes.items()) / takes.total()


def _in_words(takes: Counter[Attribution]) -> str:
    return ", ".join(f"{takes[kind]} {kind}" for kind in ATTRIBUTIONS if takes[kind])


def weaker_hosts(
    store: Store, warehouse: Path, rows: Mapping[str, Rows], settings: GateSettings
) -> list[GateMeasureRow]:
    """A row for each host whose reviews are less surely attributed than at the last load. Held hosts are skipped."""
    if not warehouse.exists():
        return []
    measured, accepts = gate_measures(store.state), gate_accepts(store.state)
    newest, held = newest_runs(measured), held_hosts(measured)
    accepted = {(row.host, row.crawl_id) for row in accepts if row.measure == "attribution"}
    pages = judged_pages(warehouse, rows)
    found: list[GateMeasureRow] = []
    for host, tally in _tallies(pages).items():
        if host in newest and host not in held and (host, newest[host]) not in accepted:
            rate = past_of(host, newest[host], measured, accepts).rate("attribution", NIGHT)
            tested = Tested("attribution", NIGHT, tally, rate)
            found += _held(HostRun(newest[host], host), tested, len(newest), settings, partial(_weaker, pages))
    return found


def judged_pages(warehouse: Path, rows: Mapping[str, Rows]) -> dict[str, JudgedPage]:
    """The pages whose reviews are known both times, by id."""
    kinds: dict[str, Counter[Attribution]] = defaultdict(Counter)
    for page_id, attribution in values_of(rows["appearances"], ("page_id", "attribution")):
        # A correction is no measure of a site: one that is taken out weakens no page.
        if attribution != "corrected":
            kinds[page_id][attribution] += 1
    tools: dict[str, set[str]] = defaultdict(set)
    for page_id, tool_id in values_of(rows["tool_cards"], ("page_id", "tool_id")):
        tools[page_id].add(tool_id)
    before = loaded_reviews(warehouse)
    return {
        page_id: JudgedPage(url, host, frozenset(tools[page_id]), before[page_id], kinds[page_id])
        for page_id, url, host in values_of(rows["pages"], ("page_id", "url", "host"))
        if host is not None and page_id in kinds and page_id in before
    }


def _tallies(pages: Mapping[str, JudgedPage]) -> dict[str, Tally]:
    """The counts of each host. A loss names a page by its id."""
    by_host: dict[str, dict[str, JudgedPage]] = defaultdict(dict)
    for page_id, page in pages.items():
        by_host[page.host][page_id] = page
    tallies = {}
    for host, of_host in by_host.items():
        lost = {page_id: page for page_id, page in of_host.items() if page.is_weaker}
        had = Counter(tool for page in of_host.values() for tool in page.tools)
        losses = tuple(Loss(page_id, 0, 0) for page_id in lost)
        changes = _changes_behind([page.tools for page in lost.values()], had)
        tallies[host] = Tally(len(of_host), len(lost), changes, len(of_host), len(lost) / len(of_host), losses)
    return tallies


def _changes_behind(lost: Sequence[frozenset[str]], had: Mapping[str, int]) -> int:
    """The least number of changes of the site that explain the lost pages.

    It is not known which tool weakened a page. So the tool with most of these pages is taken first, if they are at
    least half of its own. Each page that no tool explains is one change.
    """
    changes, left = 0, lost
    while True:
        counts = Counter(tool for tools in left for tool in tools)
        everywhere = {tool: count for tool, count in counts.items() if count >= max(2, TOOL_SHARE * had[tool])}
        if not everywhere:
            return changes + len(left)
        most = max(everywhere, key=lambda tool: (everywhere[tool], tool))
        left = [tools for tools in left if most not in tools]
        changes += 1


def _weaker(pages: Mapping[str, JudgedPage], _: GateMeasure, losses: Sequence[Loss]) -> Iterator[str]:
    lost = (pages[loss.page] for loss in losses)
    return (f"{page.url}: {_in_words(page.before)} → {_in_words(page.after)}" for page in lost)

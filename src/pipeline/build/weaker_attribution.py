"""The one measure that needs rows: how well it is known whose takes a page shows, beside what the warehouse holds."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from verdicts.corpus.enumerations import ATTRIBUTIONS, Attribution
from verdicts.corpus.rows.gates import GateMeasureRow
from verdicts.fetch.store.run_log import gate_accepts, gate_measures
from verdicts.fetch.store.store import Store
from verdicts.pipeline.build.gates import held_hosts, newest_runs
from verdicts.pipeline.gates.compare import Loss, Tally
from verdicts.pipeline.gates.host_night import HostRun, chosen, past_of
from verdicts.pipeline.gates.judge import TESTS, Tested, false_alarm_level, settled, state_of, tested_row
from verdicts.pipeline.gates.thresholds import LOST_FACTOR, PAGE_TESTS, TOOL_SHARE, GateSettings
from verdicts.warehouse.loading.log import loaded_takes
from verdicts.warehouse.loading.rows import Rows, values_of

NIGHT = PAGE_TESTS[0]

STRENGTH: Mapping[Attribution, float] = {kind: 0.5**place for place, kind in enumerate(ATTRIBUTIONS)}
"""A step weaker counts half, so that a page whose takes all became a step weaker has lost what it had."""


@dataclass(frozen=True, slots=True)
class PageTakes:
    """How the takes of a page are attributed."""

    kinds: Counter[Attribution]

    @property
    def strength(self) -> float:
        """On average, 1 where all are observed."""
        return sum(STRENGTH[kind] * count for kind, count in self.kinds.items()) / self.kinds.total()

    def __str__(self) -> str:
        return ", ".join(f"{self.kinds[kind]} {kind}" for kind in ATTRIBUTIONS if self.kinds[kind])


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page whose takes are known both times."""

    url: str
    host: str
    tools: frozenset[str]
    before: PageTakes
    after: PageTakes

    @property
    def is_weaker(self) -> bool:
        """Whether its takes are half as surely whose as they were, or less."""
        return self.after.strength * LOST_FACTOR <= self.before.strength


def weaker_hosts(
    store: Store, warehouse: Path, rows: Mapping[str, Rows], settings: GateSettings
) -> list[GateMeasureRow]:
    """A row of each host, not held yet, whose pages' takes are less surely whose than they were when last loaded."""
    if not warehouse.exists():
        return []
    measured, accepts = gate_measures(store.state), gate_accepts(store.state)
    newest, held = newest_runs(measured), held_hosts(measured)
    accepted = {(row.host, row.crawl_id) for row in accepts if row.measure == "attribution"}
    pages = judged_pages(warehouse, rows)
    alpha = false_alarm_level(settings.false_alarms_a_year, len(newest) * TESTS)
    found = []
    for host, tally in _tallies(pages).items():
        if host not in newest or host in held or (host, newest[host]) in accepted:
            continue
        rate = past_of(host, newest[host], measured, accepts).rate("attribution", NIGHT)
        tested = Tested("attribution", NIGHT, tally, rate)
        state, p_value = state_of(tested, alpha)
        if state == "held":
            row = tested_row(HostRun(newest[host], host), tested, state, p_value, _examples(pages, tally))
            found.append(settled(row, settings))
    return found


def judged_pages(warehouse: Path, rows: Mapping[str, Rows]) -> dict[str, JudgedPage]:
    """Page to what is known of it, of those whose takes were known before and are now."""
    kinds: dict[str, Counter[Attribution]] = defaultdict(Counter)
    for page_id, attribution in values_of("appearances", rows["appearances"], ("page_id", "attribution")):
        kinds[page_id][attribution] += 1
    tools: dict[str, set[str]] = defaultdict(set)
    for page_id, tool_id in values_of("tool_cards", rows["tool_cards"], ("page_id", "tool_id")):
        tools[page_id].add(tool_id)
    before = loaded_takes(warehouse)
    return {
        page_id: JudgedPage(url, host, frozenset(tools[page_id]), PageTakes(before[page_id]), PageTakes(kinds[page_id]))
        for page_id, url, host in values_of("pages", rows["pages"], ("page_id", "url", "host"))
        if host is not None and page_id in kinds and page_id in before
    }


def _tallies(pages: Mapping[str, JudgedPage]) -> dict[str, Tally]:
    """Host to its pages, and those that lost. A loss names a page by its id."""
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
    """How many changes of the site explain pages of these tools, at least.

    Which of its tools weakened a page is not known: the one with most such pages, half of its own or more, is taken
    first. Every page that no tool explains is a change of its own.
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


def _examples(pages: Mapping[str, JudgedPage], tally: Tally) -> tuple[str, ...]:
    found = (pages[loss.page] for loss in chosen(tally.losses))
    return tuple(f"{page.url}: {page.before} → {page.after}" for page in found)

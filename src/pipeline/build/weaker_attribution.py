"""The one measure that needs rows: how well it is known whose takes a page shows, beside what the warehouse holds."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from corpus.enumerations import ATTRIBUTIONS, Attribution
from corpus.rows.gates import GateMeasureRow
from extract.page import EXTRACTOR_VERSION
from fetch.care.gate_log import gate_accepts, gate_measures
from fetch.store.store import Store
from normalize.identity.tool_keys import tool_key
from pipeline.build.gates import held_hosts, newest_runs
from pipeline.gates.accepted import past_of
from pipeline.gates.compare import Loss, Tally
from pipeline.gates.examples import chosen
from pipeline.gates.judge import Tested, false_alarm_level, state_of
from pipeline.gates.measures import PAGE_MEASURES
from pipeline.gates.thresholds import GATE_VERSION, LOST_FACTOR, PAIRED_TESTS, GateSettings
from warehouse.loading.load import loaded_takes
from warehouse.loading.staging import Rows, values_of

NIGHT = PAIRED_TESTS[0]

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
    alpha = false_alarm_level(settings.false_alarms_a_year, len(newest) * len(PAGE_MEASURES))
    found = []
    for host, tally in _tallies(pages).items():
        if host not in newest or host in held or (host, newest[host]) in accepted:
            continue
        rate = past_of(host, newest[host], measured, accepts).rate("attribution", NIGHT)
        state, p_value = state_of(Tested("attribution", NIGHT, tally, rate), alpha)
        if state == "held":
            found.append(
                GateMeasureRow(
                    crawl_id=newest[host],
                    host=host,
                    measure="attribution",
                    test="night",
                    had=tally.had,
                    lost=len(tally.lost),
                    rate=rate,
                    p_value=p_value,
                    level="hold",
                    state="shadow" if settings.mode == "shadow" else "held",
                    examples=_examples(pages, tally),
                    extractor_version=EXTRACTOR_VERSION,
                    gate_version=GATE_VERSION,
                )
            )
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
    had: Counter[str] = Counter()
    by_tool: dict[str, Counter[int]] = defaultdict(Counter)
    lost: dict[str, list[Loss]] = defaultdict(list)
    for page_id, page in pages.items():
        tools = frozenset(map(tool_key, page.tools))
        had[page.host] += 1
        by_tool[page.host].update(tools)
        if page.after.strength * LOST_FACTOR <= page.before.strength:
            lost[page.host].append(Loss(page_id, 0, 0, tools))
    return {host: Tally(count, tuple(lost[host]), by_tool[host]) for host, count in had.items()}


def _examples(pages: Mapping[str, JudgedPage], tally: Tally) -> tuple[str, ...]:
    found = (pages[loss.page] for loss in chosen(tally.lost))
    return tuple(f"{page.url}: {page.before} → {page.after}" for page in found)

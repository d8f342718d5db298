"""The one measure that needs rows: how well it is known whose takes a page shows, beside what the warehouse holds."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from corpus.enumerations import ATTRIBUTIONS, Attribution
from corpus.rows.gates import GateMeasureRow
from extract.page import EXTRACTOR_VERSION
from fetch.care.gate_log import gate_accepts, gate_measures
from fetch.store.store import Store
from normalize.corpus import Corpus
from normalize.incremental.dependencies import tool_key
from pipeline.build.gates import held_hosts, newest_runs
from pipeline.gates.accepted import past_of
from pipeline.gates.compare import Loss, Tally
from pipeline.gates.examples import chosen
from pipeline.gates.judge import Tested, false_alarm_level, state_of
from pipeline.gates.measures import PAGE_MEASURES
from pipeline.gates.thresholds import GATE_VERSION, LOST_FACTOR, PAIRED_TESTS, GateSettings
from warehouse.loading.scope import known_attributions

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


def weaker_hosts(store: Store, warehouse: Path, rows: Corpus, settings: GateSettings) -> list[GateMeasureRow]:
    """A row of each host, not held yet, whose pages' takes are less surely whose than they were when last loaded."""
    if not warehouse.exists():
        return []
    measured, accepts = gate_measures(store.state), gate_accepts(store.state)
    newest, held = newest_runs(measured), held_hosts(measured)
    accepted = {(row.host, row.crawl_id) for row in accepts if row.measure == "attribution"}
    after = _page_takes((row.page_id, row.attribution, 1) for row in rows["appearances"])
    before = _page_takes(known_attributions(warehouse, after))
    alpha = false_alarm_level(settings.false_alarms_a_year, len(newest) * len(PAGE_MEASURES))
    found = []
    for host, tally in _tallies(rows, before, after).items():
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
                    examples=_examples(rows, tally, before, after),
                    extractor_version=EXTRACTOR_VERSION,
                    gate_version=GATE_VERSION,
                )
            )
    return found


def _page_takes(attributions: Iterable[tuple[str, Attribution, int]]) -> dict[str, PageTakes]:
    kinds: dict[str, Counter[Attribution]] = defaultdict(Counter)
    for page_id, kind, count in attributions:
        kinds[page_id][kind] += count
    return {page_id: PageTakes(counted) for page_id, counted in kinds.items()}


def _tallies(rows: Corpus, before: Mapping[str, PageTakes], after: Mapping[str, PageTakes]) -> dict[str, Tally]:
    """Host to its pages whose takes are known both times, and those that lost. A loss names a page by its id."""
    tools: dict[str, set[int]] = defaultdict(set)
    for card in rows["tool_cards"]:
        tools[card.page_id].add(tool_key(card.tool_id))
    had: Counter[str] = Counter()
    by_tool: dict[str, Counter[int]] = defaultdict(Counter)
    lost: dict[str, list[Loss]] = defaultdict(list)
    for page in rows["pages"]:
        page_id = page.page_id
        if page.host is None or page_id not in before or page_id not in after:
            continue
        had[page.host] += 1
        by_tool[page.host].update(tools[page_id])
        if after[page_id].strength * LOST_FACTOR <= before[page_id].strength:
            lost[page.host].append(Loss(page_id, 0, 0, frozenset(tools[page_id])))
    return {host: Tally(count, tuple(lost[host]), by_tool[host]) for host, count in had.items()}


def _examples(
    rows: Corpus, tally: Tally, before: Mapping[str, PageTakes], after: Mapping[str, PageTakes]
) -> tuple[str, ...]:
    urls = {page.page_id: page.url for page in rows["pages"]}
    return tuple(f"{urls[loss.page]}: {before[loss.page]} → {after[loss.page]}" for loss in chosen(tally.lost))

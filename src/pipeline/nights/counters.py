"""A night in numbers that add up: each address of the frontier ends in one way, each take that was read in one place.

Both sums are taken from two ends: what a crawl noted of its addresses against the frontier itself, the takes in the
records of the night against the corpus that readers have. A difference is told, night for night.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from verdicts.extract.model.records import Comparison
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.run.endings import Ending, endings_of
from verdicts.fetch.store.store import open_store
from verdicts.normalize.identity.ids import SHORT_MATCH_KEY, is_short, text_id
from verdicts.normalize.parse.text import fold_name, match_key
from verdicts.pipeline.build.build_manifest import read_manifest
from verdicts.pipeline.build.record_files import VERSIONS, read_records
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.ending import NightEnding
from verdicts.warehouse.storage.connection import opened

HELD, MISSING = "held", "missing"
"""Where a take can be beside the three ways in which an appearance matches its review: kept back by a gate, nowhere."""

SHORT_TEXT = 4 * SHORT_MATCH_KEY
"""Characters of a published text whose letters may be those of a short one: it keeps fewer than that of few texts."""

_KEPT = Path(__file__).with_name("takes_kept.sql")


@dataclass(frozen=True, slots=True)
class NightCounters:
    """`endings` are those of the night's crawl; `frontier` counts the addresses of each host.

    `takes` counts what was read in the night's snapshots: `exact`, `near`, `prefix` are appearances, by how their words
    compare with those of their review; `held`; `missing` are in no row. Empty where nothing was published.
    """

    endings: tuple[Ending, ...]
    frontier: Mapping[str, int]
    takes: Mapping[str, int]

    @property
    def unaccounted_addresses(self) -> int:
        """How many addresses the endings have too few or too many, over all hosts."""
        ended: Counter[str] = Counter()
        for ending in self.endings:
            ended[ending.host] += ending.addresses
        return sum(abs(self.frontier.get(host, 0) - ended[host]) for host in self.frontier.keys() | ended.keys())

    @property
    def unaccounted_takes(self) -> int:
        """How many takes were read and are in no row."""
        return self.takes.get(MISSING, 0)


def count_night(folder: DataFolder, ending: NightEnding) -> NightCounters:
    """The counters of a night that came to the end of its crawl; of another one they are empty.

    Raises `StorageFailed`, WarehouseBroken, MemoryShort.
    """
    if ending.crawl_id is None:
        return NightCounters((), {}, {})
    with open_store(folder.root, command="run", read_only=True) as store:
        endings = tuple(endings_of(store.state, ending.crawl_id))
        frontier = dict(store.state.execute("SELECT host, count(*) FROM urls GROUP BY host").fetchall())
    takes: Mapping[str, int] = {}
    if ending.published is not None:
        takes = count_takes(_takes(folder, ending.crawl_id), folder.serve / ending.published, _held(folder))
    return NightCounters(endings, frontier if endings else {}, takes)


def discrepancies(counters: NightCounters) -> list[str]:
    """A line for each sum that does not add up."""
    addresses, takes = counters.unaccounted_addresses, counters.unaccounted_takes
    lines = {
        f"{addresses:,} addresses of the frontier are not counted once: please report it": addresses,
        f"{takes:,} takes that were read are in no row of the corpus: this program failed on their pages, or lost them;"
        " please report it": takes,
    }
    return [line for line, number in lines.items() if number]


def count_takes(takes: Iterable[tuple[Location, str]], corpus: Path, held: Collection[Location]) -> dict[str, int]:
    """How takes, each with its snapshot and its words, stand in a corpus. Every take is counted once.

    Raises WarehouseBroken, MemoryShort.
    """
    counts: Counter[str] = Counter()
    keys: Counter[str] = Counter()
    for location, text in takes:
        if location in held:
            counts[HELD] += 1
        else:
            keys[match_key(text) or fold_name(text)] += 1
    if keys:
        stands = _stands(corpus, [text_id(key, "") for key in keys if not is_short(key)])
        for key, count in keys.items():
            counts[stands.get(key if is_short(key) else text_id(key, ""), MISSING)] += count
    return dict(counts)


def _stands(corpus: Path, text_ids: list[str]) -> dict[str, str]:
    """How texts stand in a corpus: long ones by id, short ones by their match key."""
    stands = {}
    # Of views over a bucket the rows are read as every reader reads them: DuckDB alone would ask for an extension.
    with opened(corpus, is_read_only=True) as connection:
        rows = connection.execute(_KEPT.read_text(encoding="utf-8"), {"text_ids": text_ids, "short": SHORT_TEXT})
        for found, text, match in rows.fetchall():
            stands[found or match_key(text) or fold_name(text)] = match
    return stands


def _takes(folder: DataFolder, crawl_id: str) -> Iterable[tuple[Location, str]]:
    """The takes of the records of one crawl."""
    files = sorted(folder.records.glob(f"{crawl_id}-*.{VERSIONS}.*.parquet"))
    for observation in read_records(files):
        if isinstance(observation.extracted, Comparison):
            for take in observation.extracted.takes:
                yield observation.location, take.text


def _held(folder: DataFolder) -> frozenset[Location]:
    """What the last build left out."""
    manifest = read_manifest(folder.build_manifest)
    return frozenset() if manifest is None else frozenset(place for place, _ in manifest.held)

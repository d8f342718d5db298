"""Which snapshots a compaction may leave out: by the policy, and only where no row and no record needs them.

A snapshot goes where the one before it, of the same address, says the same: then every row of the corpus is made of the
others as well. That is tried: the corpus is normalized with and without them, and nothing goes where a row differs.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from verdicts.extract.model.records import Observation
from verdicts.extract.model.stored import content_sha256
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.store.store import Store
from verdicts.normalize.corpus import normalize
from verdicts.pipeline.build.record_files import check_records, read_records
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.progress import say
from verdicts.warehouse.serving.published import copies
from verdicts.warehouse.storage.connection import opened

_PLACES = "SELECT segment, segment_offset FROM appearances UNION SELECT segment, segment_offset FROM rejects"


def droppable(store: Store, folder: DataFolder, newest: int | None) -> frozenset[Location]:
    """The snapshots that may go where `newest` of each page are kept, and its first; None: none may.

    Raises `StoreDamaged` for a damaged record file.
    """
    if newest is None:
        return frozenset()
    files = sorted(folder.records.glob("*.parquet"))
    check_records(files)
    observed = list(read_records(files))
    candidates = _superseded(store, newest) & _repeating(store, observed)
    candidates -= _referred_to(store)
    candidates -= _cited([folder.warehouse, *copies(folder.serve)])
    if not candidates:
        return frozenset()
    gone, moved = store.gone_urls(), store.moved_urls()
    kept = [item for item in observed if item.location not in candidates]
    if normalize(observed, gone_urls=gone, moved_urls=moved) != normalize(kept, gone_urls=gone, moved_urls=moved):
        say("no snapshot is dropped: without them the corpus would have other rows")
        return frozenset()
    return frozenset(candidates)


def _superseded(store: Store, newest: int) -> set[Location]:
    """All of a page in one media type but its first and its newest. What is lost already counts for none of these."""
    pages: dict[tuple[str, str], list[Location]] = defaultdict(list)
    rows = store.state.execute(
        "SELECT url, media_type, segment, segment_offset FROM snapshots LEFT JOIN records"
        " USING (segment, segment_offset) WHERE coalesce(is_lost, 0) = 0 ORDER BY snapshots.rowid"
    )
    for url, media_type, segment, offset in rows:
        pages[url, media_type].append(Location(segment, offset))
    return {place for places in pages.values() for place in places[1:-newest]}


def _repeating(store: Store, observed: Sequence[Observation]) -> set[Location]:
    """Those that say the same as the one before, of the same address; what could not be read says nothing."""
    digests = {item.location: content_sha256(item.extracted) for item in observed if item.failure is None}
    before: dict[str, str | None] = {}
    repeating = set()
    for entry in _in_time(store):
        digest = digests.get(entry[1])
        if digest is not None and before.get(entry[0]) == digest:
            repeating.add(entry[1])
        before[entry[0]] = digest
    return repeating


def _in_time(store: Store) -> Iterable[tuple[str, Location]]:
    rows = store.state.execute("SELECT url, segment, segment_offset FROM snapshots ORDER BY rowid")
    return [(url, Location(segment, offset)) for url, segment, offset in rows]


def _referred_to(store: Store) -> set[Location]:
    """Those whose body a revisit record stands for."""
    rows = store.state.execute(
        "SELECT segment, segment_offset FROM snapshots WHERE (url, sha256) IN"
        " (SELECT url, body_sha256 FROM fetches WHERE outcome = ?)",
        (Outcome.UNCHANGED,),
    )
    return {Location(*row) for row in rows}


def _cited(files: Collection[Path]) -> set[Location]:
    """Those that rows of the warehouse and of the published copies name."""
    cited: set[Location] = set()
    for path in files:
        if path.exists():
            with opened(path, is_read_only=True) as connection:
                cited |= {Location(*row) for row in connection.execute(_PLACES).fetchall()}
    return cited

"""Findings about the store: who holds it, whether its last run ended, whether index and segments agree."""

from collections.abc import Iterator
from pathlib import Path

from verdicts.fetch.store.lock import Holder
from verdicts.fetch.store.reader import records_in
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.store import Store
from verdicts.pipeline.care.findings import Finding
from verdicts.pipeline.data_folder import DataFolder


def stopped_holder(holder: Holder | None) -> Iterator[Finding]:
    """A process that is stopped keeps its lock: every night is turned away meanwhile."""
    if holder is None:
        return
    try:
        stat = Path(f"/proc/{holder.pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return
    # `123 (python) T 1 ...`
    if stat.rpartition(")")[2].split()[0] in {"T", "t"}:
        yield Finding(f"the folder is held by {holder}, which is stopped", f"kill -CONT {holder.pid}")


def interrupted_run(store: Store) -> Iterator[Finding]:
    """Nobody holds the folder: a run that is not over was killed."""
    crawls = store.crawls()
    if crawls and crawls[-1].status in {"running", "interrupted"}:
        newest = crawls[-1]
        again = "verdicts run" if newest.kind == "crawl" else "verdicts build"
        if newest.kind == "crawl" or newest.status == "running":
            yield Finding(f"the last run, {newest.crawl_id}, was interrupted", again)


def index(store: Store, folder: DataFolder, *, is_held: bool) -> Iterator[Finding]:
    """Segments that are missing or too short, and files that no row knows."""
    sizes = dict(store.state.execute("SELECT segment, size FROM segments").fetchall())
    for segment, committed in sizes.items():
        path = folder.raw / segment
        # Up to the last record that was not given up.
        ends = [0 if is_lost else offset + size for offset, size, _, is_lost in records_in(store.state, segment)]
        size = max(ends, default=committed)
        if size <= 0:
            continue
        if not path.exists():
            yield Finding(f"{path}: the segment is missing", "verdicts repair")
        elif path.stat().st_size < size:
            yield Finding(f"{path}: the file ends before the end of its records", "verdicts repair")
    runs = {crawl.crawl_id for crawl in store.crawls()}
    unknown = [path for path in folder.raw.glob(f"*{SUFFIX}") if path.name not in sizes]
    strange = [path for path in unknown if path.name.rpartition("-")[0] not in runs]
    if not is_held:
        strange += sorted(folder.unknown.glob(f"*{SUFFIX}"))
        for path in strange:
            yield Finding(f"{path}: a segment of a run that the state does not know", "verdicts repair")

"""Why readers are behind: the last night failed, a clock is wrong, or the last build is not what they have. Reads only.

`verdicts doctor` and `verdicts status` show each with the command that mends it.
"""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from verdicts.fetch.model.errors import FetchError, StoreDamaged
from verdicts.fetch.run.endings import SET_BACK, Clock, read_clock
from verdicts.fetch.run.why import explain_clock
from verdicts.fetch.store.state import holder_of_store
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.build.build_manifest import read_manifest
from verdicts.pipeline.care.finding import Finding
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.record import KILLED, read_nights
from verdicts.warehouse.serving.published import copies, load_of, published, read_withdrawn
from verdicts.warehouse.storage.errors import FULL, NothingPublished

_RUN, _RUN_ALL, _PUBLISH = "verdicts run", "verdicts run --all", "verdicts publish"


def find_lag(folder: DataFolder, at: datetime) -> Iterator[Finding]:
    """Finds nothing while a command works in the folder: it may be about to mend it. `at` is the present."""
    if holder_of_store(folder.root) is not None:
        return
    yield from _failed_night(folder)
    yield from _future_run(folder, at)
    yield from _unpublished_build(folder)


def _failed_night(folder: DataFolder) -> Iterator[Finding]:
    """The last night, if it was killed, or if it failed and nothing was published or exported since.

    Only a full disk stops an export.
    """
    night = next((night for night in read_nights(folder) if night.status != "refused"), None)
    if night is None:
        return
    if night.ended_at is None:
        yield Finding(f"the night of {night.began_at:%Y-%m-%d %H:%M} UTC {KILLED}", _RUN)
        return
    if night.status != "failed":
        return
    is_full = FULL.search(night.headline) is not None
    is_published = night.published is not None
    if (is_published and not is_full) or _is_newer(folder.dataset if is_published else folder.pointer, night.ended_at):
        return
    how = "ended on a full disk" if is_full else "failed"
    yield Finding(f"the night of {night.began_at:%Y-%m-%d %H:%M} UTC {how}: {night.headline}", _RUN)


def _is_newer(path: Path, moment: datetime) -> bool:
    return path.exists() and path.stat().st_mtime > moment.timestamp()


def _future_run(folder: DataFolder, at: datetime) -> Iterator[Finding]:
    """The last run, if it lies in the future by this machine's clock, or left what an earlier one read there."""
    if not folder.state.exists():
        return
    try:
        with open_store(folder.root, command="doctor", read_only=True) as store:
            run = next(reversed(store.crawls()), None)
            clock = None if run is None else read_clock(store.state, run.crawl_id)
    except FetchError:
        # A damaged state is a finding of its own.
        return
    if run is not None and run.started_at - at > SET_BACK:
        clock = Clock(at, run.started_at, 0)
    if clock is not None and (clock.waiting or clock.at == at):
        yield Finding(str(explain_clock(clock)), _RUN_ALL)


def unpublished_build(folder: DataFolder) -> str | None:
    """The id of the last build, if there are copies, and none is of it."""
    manifest, present = read_manifest(folder.build_manifest), copies(folder.serve)[-1:]
    is_newer = manifest is not None and bool(present) and manifest.load_id > load_of(present[0])
    return manifest.load_id if manifest is not None and is_newer else None


def _unpublished_build(folder: DataFolder) -> Iterator[Finding]:
    try:
        present, withdrawn = published(folder.serve), read_withdrawn(folder.serve)
    except (NothingPublished, StoreDamaged):
        return
    newest = copies(folder.serve)[-1]
    if (load_id := unpublished_build(folder)) is not None:
        yield Finding(f"the last build, {load_id}, is not published; readers have {present.name}", _PUBLISH)
    elif present != newest and newest.name in withdrawn:
        words = f"readers have {present.name} since a rollback; the next run gives them the last build again"
        yield Finding(words, _PUBLISH)

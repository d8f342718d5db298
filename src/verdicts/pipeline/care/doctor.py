"""Finds what is wrong with a data folder, and the command that mends it. Does only quick reads.

`verify` compares every byte with its digest. The doctor shows its last result.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from verdicts.fetch.care.verify import check_segment, last_verification
from verdicts.fetch.model.errors import StateOutdated, StorageFailed, StoreDamaged
from verdicts.fetch.store import checksums
from verdicts.fetch.store.reader import segments_in
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.state import Holder, holder_of_store
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline.build.build_manifest import read_manifest
from verdicts.pipeline.build.record_files import VERSIONS
from verdicts.pipeline.care.finding import Finding
from verdicts.pipeline.care.snapshot import run_at_work
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.sources.config_sections import CareConfig
from verdicts.pipeline.verify import LEADS_NOWHERE, damage_of, damaged_state, misplaced
from verdicts.warehouse.schema.declared import VERSION, version_of
from verdicts.warehouse.serving.published import WITHDRAWN, published
from verdicts.warehouse.storage.connection import opened
from verdicts.warehouse.storage.errors import NothingPublished, WarehouseBroken, WarehouseLocked

VERIFIED_WITHIN = timedelta(days=7)
"""A share is verified every night. After this time without one, a person should act."""

_BUILD, _PUBLISH, _REPAIR = "verdicts build", "verdicts publish", "verdicts repair"
_UPDATE = "uv tool upgrade verdicts"

_PLACES = "SELECT DISTINCT segment, segment_offset FROM {} WHERE segment IS NOT NULL"


@dataclass(frozen=True, slots=True)
class Examined:
    findings: tuple[Finding, ...]
    holder: Holder | None


def examine(folder: DataFolder, care: CareConfig, *, at: datetime) -> Examined:
    """Examines a data folder without its lock. Raises `StoreMissing`."""
    folder.check_is_one()
    holder = holder_of_store(folder.root)
    findings = [*_misplaced(folder)] or [*_findings(folder, care, holder, at)]
    return Examined(tuple(findings), holder)


def _misplaced(folder: DataFolder) -> Iterator[Finding]:
    for damage in misplaced(folder):
        if damage.why.startswith(LEADS_NOWHERE):
            what = f"{damage.line}; mount its disk, or remove the link"
            yield Finding(what, f"rm {shlex.quote(str(damage.path))}")
        else:
            yield Finding(damage.line, _REPAIR)


def _findings(folder: DataFolder, care: CareConfig, holder: Holder | None, at: datetime) -> Iterator[Finding]:
    yield from _stopped_holder(holder)
    is_at_work = holder is not None
    try:
        if (damage := damaged_state(folder)) is not None:
            raise damage
        if folder.state.exists():
            with open_store(folder.root, command="doctor", read_only=True) as store:
                # In a snapshot, the unfinished work of a run that was at work is no finding.
                is_at_work = is_at_work or store.newest_run() == (run_at_work(folder.root) or "")
                if not is_at_work:
                    yield from _interrupted_run(store)
                yield from _index(store, folder, is_held=holder is not None)
                yield from _verifications(store, care, at)
                if holder is None:
                    yield from _built(store, folder, is_at_work=is_at_work)
                    yield from _references(store, folder)
    except StoreDamaged as damage:
        yield Finding(damage.line, _REPAIR)
    except StateOutdated as outdated:
        yield Finding(f"{outdated.path}: {outdated.why}", _REPAIR)
    except StorageFailed as failure:
        # `state.sqlite is of version 9, and this program knows 7: update it`
        named = re.search(r"'(verdicts [^']+)'", str(failure))
        mend = _REPAIR if named is None else named[1]
        yield Finding(str(failure), _UPDATE if "update it" in str(failure) else mend)
    yield from _published(folder, is_at_work=is_at_work)
    for path in checksums.noted_in(folder.reports):
        if (lost := damage_of(path)) is not None:
            yield Finding(lost.line, _REPAIR)


def _stopped_holder(holder: Holder | None) -> Iterator[Finding]:
    """A stopped process keeps its lock, so every night is refused."""
    if holder is None:
        return
    try:
        stat = Path(f"/proc/{holder.pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return
    # `123 (python) T 1 ...`
    if stat.rpartition(")")[2].split()[0] in {"T", "t"}:
        yield Finding(f"the folder is held by {holder}, which is stopped", f"kill -CONT {holder.pid}")


def _interrupted_run(store: Store) -> Iterator[Finding]:
    crawls = store.crawls()
    if crawls and crawls[-1].status in {"running", "interrupted"}:
        newest = crawls[-1]
        if newest.kind == "crawl" or newest.status == "running":
            again = "verdicts run" if newest.kind == "crawl" else _BUILD
            yield Finding(f"the last run, {newest.crawl_id}, was interrupted", again)


def _index(store: Store, folder: DataFolder, *, is_held: bool) -> Iterator[Finding]:
    """Missing or short segments, and files without a row."""
    sizes = dict(segments_in(store.state))
    for segment, committed in sizes.items():
        try:
            check_segment(store, segment, committed, turn=None)
        except StoreDamaged as damage:
            yield Finding(damage.line, _REPAIR)
    if is_held:
        return
    runs = {crawl.crawl_id for crawl in store.crawls()}
    unknown = [path for path in folder.raw.glob(f"*{SUFFIX}") if path.name not in sizes]
    strange = [path for path in unknown if path.name.rpartition("-")[0] not in runs]
    for path in [*strange, *sorted(folder.unknown.glob(f"*{SUFFIX}"))]:
        yield Finding(f"{path}: a segment of a run that the state does not know", _REPAIR)


def _verifications(store: Store, care: CareConfig, at: datetime) -> Iterator[Finding]:
    last = last_verification(store)
    if last is not None and last.damaged:
        yield Finding(f"the last verification found {last.damaged:,} damaged: {last.example}", _REPAIR)
    elif last is not None and at - last.verified_at > VERIFIED_WITHIN:
        sample = f"verdicts verify --sample {care.verify_share:.3g}"
        yield Finding(f"nothing was verified since {last.verified_at:%Y-%m-%d}", sample)
    elif last is None and store.index():
        yield Finding("nothing has been verified yet", "verdicts verify")


def _built(store: Store, folder: DataFolder, *, is_at_work: bool) -> Iterator[Finding]:
    """Whether the warehouse exists, is closed, has this version, and contains the last run."""
    newest = store.newest_run()
    if newest is None:
        return
    if not folder.warehouse.exists():
        if not is_at_work:
            yield Finding(f"{folder.warehouse}: there are pages, but no corpus", _BUILD)
        return
    log = folder.warehouse.with_name(f"{folder.warehouse.name}.wal")
    if log.exists():
        yield Finding(f"{log}: a load did not end", _BUILD)
    if checksums.is_as_noted(folder.warehouse) is False:
        yield Finding(f"{folder.warehouse}: it is not as it was written", _REPAIR)
        return
    try:
        with opened(folder.warehouse, is_read_only=True) as connection:
            version = version_of(connection)
            loaded = connection.execute("SELECT max(crawl_id) FROM ops.crawls").fetchall() if version == VERSION else []
    except WarehouseLocked:
        return
    except WarehouseBroken as broken:
        yield Finding(f"{folder.warehouse}: {str(broken).partition(';')[0]}", _REPAIR)
        return
    if version is None:
        yield Finding(f"{folder.warehouse}: its first load was killed", _BUILD)
    elif version > VERSION:
        yield _newer(folder.warehouse, version)
    elif version != VERSION:
        yield Finding(f"{folder.warehouse}: an older version of verdicts wrote it (schema {version})", _REPAIR)
    elif loaded != [(newest,)] and not is_at_work:
        yield Finding(f"the last run, {newest}, is stored and not in the corpus", _BUILD)
    if not is_at_work:
        yield from _record_files(folder)


def _record_files(folder: DataFolder) -> Iterator[Finding]:
    manifest = read_manifest(folder.build_manifest)
    if manifest is None:
        yield Finding(f"{folder.build_manifest}: the build's manifest is missing or damaged", _BUILD)
        return
    lacking = [name for name in manifest.inputs.files if not (folder.records / name).exists()]
    if lacking:
        yield Finding(f"{folder.records / lacking[0]}: the record file is missing", _BUILD)
    if any(f".{VERSIONS}." not in name for name in manifest.inputs.files):
        yield Finding("the corpus was built by another version of verdicts", _BUILD)


def _newer(path: Path, version: int) -> Finding:
    return Finding(f"{path} is of version {version}, and this program knows {VERSION}", _UPDATE)


def _published(folder: DataFolder, *, is_at_work: bool) -> Iterator[Finding]:
    if not any(folder.serve.glob("*")):
        if folder.warehouse.exists() and not is_at_work:
            yield Finding("nothing is published", _PUBLISH)
        return
    for path in (folder.pointer, folder.serve / WITHDRAWN):
        if (damage := damage_of(path)) is not None:
            yield Finding(damage.line, _REPAIR)
            return
    try:
        present = published(folder.serve)
        with opened(present, is_read_only=True) as connection:
            version = version_of(connection)
    except NothingPublished as nothing:
        yield Finding(str(nothing).partition(";")[0], _PUBLISH)
        return
    except WarehouseBroken:
        yield Finding(f"{folder.pointer}: the copy that it names cannot be opened", _REPAIR)
        return
    if version is not None and version > VERSION:
        yield _newer(present, version)


def _references(store: Store, folder: DataFolder) -> Iterator[Finding]:
    """Rows that name a place without a page in the raw store."""
    places = set(store.state.execute("SELECT segment, segment_offset FROM snapshots").fetchall())
    try:
        present = published(folder.serve)
    except (NothingPublished, StoreDamaged):
        present = None
    for path, mend in ((folder.warehouse, "verdicts build --all"), (present, _PUBLISH)):
        dangling = [] if path is None or not path.exists() else _dangling(path, places)
        if dangling:
            segment, offset = dangling[0]
            rows = f"{len(dangling):,} places in the raw store that its rows name"
            yield Finding(f"{path}: {rows} hold no page, such as {segment} at byte {offset:,}", mend)
            return


def _dangling(path: Path, places: set[tuple[str, int]]) -> list[tuple[str, int]]:
    try:
        with opened(path, is_read_only=True) as connection:
            if version_of(connection) != VERSION:
                # After a killed first load or another version, tables may be missing.
                return []
            named = connection.execute(
                f"{_PLACES.format('appearances')} UNION {_PLACES.format('evidence.rejects')}"
            ).fetchall()
    except (WarehouseBroken, WarehouseLocked):
        return []
    return sorted(set(named) - places)

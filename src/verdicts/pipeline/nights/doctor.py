"""Finds what is wrong with a data folder, why readers are behind, and the command that mends it. Quick reads only.

`doctor` and `status` show the same. `verify` compares every byte with its digest; its last result is shown here.
"""

import os
import pwd
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from verdicts.corpus.rows.runs import CrawlRow
from verdicts.fetch.care.store_verification import (
    find_short_segments,
    find_state_damage,
    find_unknown,
)
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.run.endings import SET_BACK, Clock, read_clock
from verdicts.fetch.run.why import explain_clock
from verdicts.fetch.store.state import find_store_holder
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline.build.build_manifest import read_manifest
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.record import KILLED, read_nights
from verdicts.warehouse.schema.declared import VERSION, read_version
from verdicts.warehouse.serving.published import (
    CORPUS,
    copies,
    find_published,
    is_for_clients,
    read_load_id,
    read_withdrawn,
)
from verdicts.warehouse.storage.connection import open_database
from verdicts.warehouse.storage.warehouse_errors import DENIED, FULL, NothingPublished, WarehouseBroken, WarehouseLocked

_RUN, _BUILD, _PUBLISH, _REPAIR = "verdicts run", "verdicts build", "verdicts publish", "verdicts repair"
_UPDATE = "uv tool upgrade verdicts"

SMALL_MB = 1_000
"""With less free, a full disk is the first cause to look at."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem, and the command that mends it, without `--data`."""

    what: str
    mend: str


def examine(folder: DataFolder, at: datetime) -> tuple[Finding, ...]:
    """Examines a data folder without its lock. `at` is the present. Raises `StoreMissing`.

    Leaves out problems that a running command may be about to repair, those that the next night repairs after an
    unfinished one, and what a repair, which builds and publishes, solves as well.
    """
    folder.check_is_one()
    denied = tuple(_find_denied(folder))
    if denied and not os.access(folder.root, os.R_OK | os.X_OK):
        return denied
    is_free = find_store_holder(folder.root) is None
    night = [*_find_failed_night(folder)] if is_free else []
    covered = {_RUN, _BUILD, _PUBLISH} if night else set()
    findings = [*_examine_store(folder, at, is_free=is_free), *_examine_serve(folder, is_free=is_free)]
    if denied and night and DENIED.search(night[0].what):
        night.clear()
    if any(finding.mend == _REPAIR for finding in findings):
        covered |= {_BUILD, _PUBLISH}
    return (*denied, *night, *(finding for finding in findings if finding.mend not in covered))


def _find_denied(folder: DataFolder) -> Iterator[Finding]:
    """The first file that this user cannot write: a night ends there with 5. Published copies are read-only."""
    root, user = folder.root, os.geteuid()
    for path in (root, *sorted(root.glob("*")), *sorted(root.glob("*/*"))):
        owner = path.lstat().st_uid
        if path.is_symlink() or os.access(path, os.W_OK) or (owner == user and path.parent == folder.serve):
            continue
        mount = next(parent for parent in (path.absolute(), *path.absolute().parents) if parent.is_mount())
        if os.statvfs(path).f_flag & os.ST_RDONLY:
            yield Finding(f"{path} is on a disk that is mounted read-only", f"sudo mount -o remount,rw {mount}")
        elif owner == user:
            yield Finding(f"{path} is write-protected", f"chmod u+w {path}")
        elif root.stat().st_uid == user:
            yield Finding(f"{path} belongs to {_name_user(owner)}", f"sudo chown -R {_name_user(user)} {root}")
        else:
            what = f"{root} belongs to {_name_user(owner)}, and you are {_name_user(user)}"
            yield Finding(f"{what}; you can only read it", f"sudo -u {_name_user(owner)} {_RUN}")
        return


def _name_user(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"#{user}"


def _find_failed_night(folder: DataFolder) -> Iterator[Finding]:
    """The last night, if it was killed, or if it failed and nothing was published or exported since.

    Only a full disk stops an export.
    """
    night = next((night for night in read_nights(folder) if night.status != "refused"), None)
    if night is None:
        return
    if night.ended_at is None:
        free_mb = shutil.disk_usage(folder.root).free / 1e6
        room = f"; {free_mb:.1f} MB are free on that disk" if free_mb < SMALL_MB else ""
        yield Finding(f"the night of {night.began_at:%Y-%m-%d %H:%M} UTC {KILLED}{room}", _RUN)
        return
    is_full = FULL.search(night.headline) is not None
    is_published = night.published is not None
    output = folder.dataset if is_published else folder.pointer
    is_mended = output.exists() and output.stat().st_mtime > night.ended_at.timestamp()
    if night.status != "failed" or is_mended or (is_published and not is_full):
        return
    how = "ended on a full disk" if is_full else "failed"
    yield Finding(f"the night of {night.began_at:%Y-%m-%d %H:%M} UTC {how}: {night.headline}", _RUN)


def _examine_store(folder: DataFolder, at: datetime, *, is_free: bool) -> Iterator[Finding]:
    try:
        if (damage := find_state_damage(folder.root)) is not None:
            yield Finding(damage.line, _REPAIR)
            return
        if not folder.state.exists():
            return
        with open_store(folder.root, command="doctor", read_only=True) as store:
            if is_free:
                for run in store.read_crawls()[-1:]:
                    yield from _find_interruption(run)
                    yield from _find_future(store, run, at)
                if store.forgotten.is_begun:
                    what = "a 'verdicts forget' did not end; what it erases may still be read"
                    yield Finding(what, "verdicts forget")
                for unknown in find_unknown(store):
                    yield Finding(unknown.line, _REPAIR)
            yield from (Finding(damage.line, _REPAIR) for damage in find_short_segments(store))
            if is_free:
                yield from _examine_warehouse(store, folder)
    except StorageFailed as failure:
        # `state.sqlite is of version 9, and this program knows 7: update it`
        command = re.search(r"'(verdicts [^']+)'", str(failure))
        mend = _REPAIR if command is None else command[1]
        yield Finding(str(failure), _UPDATE if "update it" in str(failure) else mend)


def _find_interruption(run: CrawlRow) -> Iterator[Finding]:
    if run.status == "running" or (run.status == "interrupted" and run.kind == "crawl"):
        again = _RUN if run.kind == "crawl" else _BUILD
        yield Finding(f"the last run, {run.crawl_id}, was interrupted", again)


def _find_future(store: Store, run: CrawlRow, at: datetime) -> Iterator[Finding]:
    """The last run, if it lies in the future by this machine's clock, or left what an earlier one read there."""
    clock = read_clock(store.state, run.crawl_id)
    if run.started_at - at > SET_BACK:
        clock = Clock(at, run.started_at, 0)
    if clock is not None and (clock.waiting or clock.at == at):
        yield Finding(str(explain_clock(clock)), "verdicts run --all")


def _examine_warehouse(store: Store, folder: DataFolder) -> Iterator[Finding]:
    """Whether the warehouse exists, is closed, has this version, and contains the last run."""
    newest = store.find_newest_run()
    if newest is None:
        return
    if not folder.warehouse.exists():
        yield Finding(f"{folder.warehouse}: there are pages, but no corpus", _BUILD)
        return
    log = folder.warehouse.with_name(f"{folder.warehouse.name}.wal")
    if log.exists():
        yield Finding(f"{log}: a load did not end", _BUILD)
        return
    try:
        with open_database(folder.warehouse, is_read_only=True) as connection:
            version = read_version(connection)
            loaded = connection.execute("SELECT max(crawl_id) FROM ops.crawls").fetchall() if version == VERSION else []
    except WarehouseLocked:
        return
    except WarehouseBroken as broken:
        yield Finding(f"{folder.warehouse}: {str(broken).partition(';')[0]}", _REPAIR)
        return
    if version is None:
        yield Finding(f"{folder.warehouse}: its first load was killed", _BUILD)
    elif version > VERSION:
        yield _describe_newer(folder.warehouse, version)
    elif version != VERSION:
        yield Finding(f"{folder.warehouse}: an older version of verdicts wrote it (schema {version})", _REPAIR)
    elif loaded != [(newest,)]:
        yield Finding(f"the last run, {newest}, is stored and not in the corpus", _BUILD)


def _describe_newer(path: Path, version: int) -> Finding:
    return Finding(f"{path} is of version {version}, and this program knows {VERSION}", _UPDATE)


def _examine_serve(folder: DataFolder, *, is_free: bool) -> Iterator[Finding]:
    """Whether readers have the last build, and a copy that can be read."""
    if not any(folder.serve.glob("*")):
        if folder.warehouse.exists() and is_free:
            yield Finding("nothing is published", _PUBLISH)
        return
    try:
        present, withdrawn = find_published(folder.serve), read_withdrawn(folder.serve)
        with open_database(present, is_read_only=True) as connection:
            version = read_version(connection)
    except NothingPublished as nothing:
        yield Finding(str(nothing).partition(";")[0], _PUBLISH)
        return
    except WarehouseBroken:
        yield Finding(f"{folder.pointer}: the copy that it names cannot be opened", _REPAIR)
        return
    if version is not None and version > VERSION:
        yield _describe_newer(present, version)
    if not is_for_clients(present):
        yield Finding(f"{present.with_name(CORPUS)} is not the copy that {folder.pointer.name} names", _PUBLISH)
    newest = copies(folder.serve)[-1]
    if is_free and (load_id := find_unpublished(folder)) is not None:
        yield Finding(f"the last build, {load_id}, is not published; readers have {present.name}", _PUBLISH)
    elif is_free and present != newest and newest.name in withdrawn:
        words = f"readers have {present.name} since a rollback; the next run gives them the last build again"
        yield Finding(words, _PUBLISH)


def find_unpublished(folder: DataFolder) -> str | None:
    """The id of the last build, if there are copies but no copy of this build."""
    manifest, present = read_manifest(folder.build_manifest), copies(folder.serve)[-1:]
    is_newer = manifest is not None and bool(present) and manifest.load_id > read_load_id(present[0])
    return manifest.load_id if manifest is not None and is_newer else None

"""Finds what is wrong with a data folder, and the command that mends it. Does only quick reads.

`verify` compares every byte with its digest. The doctor shows its last result.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from verdicts.fetch.care.verify import check_segment, damaged_state, last_verification, unknown_segments
from verdicts.fetch.model.errors import StateOutdated, StorageFailed, StoreDamaged
from verdicts.fetch.store.reader import segments_in
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.state import LOCK_FILE, Holder, holder_of_store
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline.care.finding import Finding
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.schema.declared import VERSION, version_of
from verdicts.warehouse.serving.published import CORPUS, is_for_clients, published
from verdicts.warehouse.storage.connection import opened
from verdicts.warehouse.storage.errors import NothingPublished, WarehouseBroken, WarehouseLocked

_RUN, _BUILD, _PUBLISH, _REPAIR = "verdicts run", "verdicts build", "verdicts publish", "verdicts repair"
_UPDATE = "uv tool upgrade verdicts"


@dataclass(frozen=True, slots=True)
class Examined:
    findings: tuple[Finding, ...]
    holder: Holder | None


def examine(folder: DataFolder) -> Examined:
    """Examines a data folder without its lock. Raises `StoreMissing`."""
    folder.check_is_one()
    holder = holder_of_store(folder.root)
    return Examined(tuple(_findings(folder, holder)), holder)


def _findings(folder: DataFolder, holder: Holder | None) -> Iterator[Finding]:
    try:
        if (damage := damaged_state(folder.root)) is not None:
            raise damage
        if folder.state.exists():
            with open_store(folder.root, command="doctor", read_only=True) as store:
                if holder is None:
                    yield from _interrupted_run(store)
                    if store.forgotten.is_begun:
                        yield Finding(
                            "a 'verdicts forget' did not end; what it erases may still be read", "verdicts forget"
                        )
                yield from _index(store, folder, is_held=holder is not None)
                yield from _verifications(store)
                if holder is None:
                    yield from _built(store, folder)
    except StoreDamaged as damage:
        yield Finding(damage.line, _REPAIR)
    except StateOutdated as outdated:
        yield Finding(f"{outdated.path}: {outdated.why}", _REPAIR)
    except StorageFailed as failure:
        # `state.sqlite is of version 9, and this program knows 7: update it`
        named = re.search(r"'(verdicts [^']+)'", str(failure))
        mend = _REPAIR if named is None else named[1]
        yield Finding(str(failure), _UPDATE if "update it" in str(failure) else mend)
    yield from _published(folder, is_held=holder is not None)
    yield from _read_only(folder)


def _read_only(folder: DataFolder) -> Iterator[Finding]:
    """A folder in which a night ends with 5 before it can say so in a record."""
    for path in (folder.root, folder.root / LOCK_FILE, folder.state, folder.raw, folder.serve):
        if path.exists() and not os.access(path, os.W_OK):
            why = f"it is read-only, or of another user (uid {path.stat().st_uid})"
            yield Finding(f"{path} cannot be written: {why}; no night can run here until that is mended", _RUN)
            return


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
    for path in [*strange, *unknown_segments(folder.root)]:
        yield Finding(f"{path}: a segment of a run that the state does not know", _REPAIR)


def _verifications(store: Store) -> Iterator[Finding]:
    last = last_verification(store)
    if last is not None and last.damaged:
        yield Finding(f"the last verification found {last.damaged:,} damaged: {last.example}", _REPAIR)


def _built(store: Store, folder: DataFolder) -> Iterator[Finding]:
    """Whether the warehouse exists, is closed, has this version, and contains the last run."""
    newest = store.newest_run()
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
    elif loaded != [(newest,)]:
        yield Finding(f"the last run, {newest}, is stored and not in the corpus", _BUILD)


def _newer(path: Path, version: int) -> Finding:
    return Finding(f"{path} is of version {version}, and this program knows {VERSION}", _UPDATE)


def _published(folder: DataFolder, *, is_held: bool) -> Iterator[Finding]:
    if not any(folder.serve.glob("*")):
        if folder.warehouse.exists() and not is_held:
            yield Finding("nothing is published", _PUBLISH)
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
    if not is_for_clients(present):
        yield Finding(f"{present.with_name(CORPUS)} is not the copy that {folder.pointer.name} names", _PUBLISH)

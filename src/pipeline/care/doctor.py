"""What is wrong with a data folder, and the one command that mends each. Reads only, and what is quick to read.

Whether each byte is as it was written, `verify` says; its last result counts here.
"""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from verdicts.fetch.given_files import read_file
from verdicts.fetch.model.errors import StateOutdated, StorageFailed, StoreDamaged
from verdicts.fetch.store.lock import Holder, holder_of_store
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline.care.backup_folder import UNFINISHED
from verdicts.pipeline.care.doctor_derived import built, nights_files, published_copies, references
from verdicts.pipeline.care.doctor_safety import backups, free_disk, verifications
from verdicts.pipeline.care.doctor_store import index, interrupted_run, stopped_holder
from verdicts.pipeline.care.findings import Finding
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.sources.config_sections import CareConfig
from verdicts.pipeline.verify import LEADS_NOWHERE, damaged_state, misplaced


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found, and the command that holds the folder meanwhile."""

    findings: tuple[Finding, ...]
    holder: Holder | None


def examine(folder: DataFolder, care: CareConfig, *, at: datetime) -> Examined:
    """Looks at a data folder without its lock. Raises `StoreMissing` where there is none."""
    if not (folder.root / UNFINISHED).exists():
        folder.check_is_one()
    holder = holder_of_store(folder.root)
    return Examined(tuple(_findings(folder, care, holder, at)), holder)


def _findings(folder: DataFolder, care: CareConfig, holder: Holder | None, at: datetime) -> Iterator[Finding]:
    marker = folder.root / UNFINISHED
    if marker.exists():
        source = read_file(marker).decode(errors="replace").strip()
        yield Finding("a restore was not finished; what is here is a part", f"verdicts restore {source or 'DIR'}")
        return
    wrong = list(misplaced(folder))
    for damage in wrong:
        is_link = damage.why.startswith(LEADS_NOWHERE)
        what = f"{damage.line}; mount its disk, or remove the link" if is_link else damage.line
        yield Finding(what, f"rm {shlex.quote(str(damage.path))}" if is_link else "verdicts repair")
    if wrong:
        return
    yield from free_disk(folder, care)
    yield from backups(care, at)
    yield from stopped_holder(holder)
    yield from _of_store(folder, care, holder, at)
    yield from published_copies(folder)
    yield from nights_files(folder)


def _of_store(folder: DataFolder, care: CareConfig, holder: Holder | None, at: datetime) -> Iterator[Finding]:
    try:
        damage = damaged_state(folder)
        if damage is not None:
            yield Finding(damage.line, "verdicts repair")
            return
        if not folder.state.exists():
            return
        with open_store(folder.root, command="doctor", read_only=True) as store:
            yield from _of_open_store(store, folder, care, holder, at)
    except StoreDamaged as damage:
        yield Finding(damage.line, "verdicts repair")
    except StateOutdated as outdated:
        yield Finding(f"{outdated.path}: {outdated.why}", "verdicts repair")
    except StorageFailed as failure:
        # `state.sqlite is of version 9, and this program knows 7: update it`
        yield Finding(str(failure), "uv tool upgrade verdicts" if "update it" in str(failure) else "verdicts repair")


def _of_open_store(
    store: Store, folder: DataFolder, care: CareConfig, holder: Holder | None, at: datetime
) -> Iterator[Finding]:
    if holder is None:
        yield from interrupted_run(store)
    yield from index(store, folder, is_held=holder is not None)
    yield from verifications(store, care, at)
    if holder is None:
        yield from built(store, folder)
        yield from references(store, folder)

"""Findings about what keeps the data folder safe: free disk, backups, verifications."""

import shlex
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta

from verdicts.fetch.care.verify import last_verification
from verdicts.fetch.store.store import Store
from verdicts.pipeline.care import backup_folder
from verdicts.pipeline.care.backup_folder import BackupBroken
from verdicts.pipeline.care.findings import Finding
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.sources.config_sections import CareConfig

VERIFIED_WITHIN = timedelta(days=7)
"""Every night verifies a share; after so many days without one somebody should."""

_LATE = 2
"""A backup or a test is overdue after twice its interval: nights are hours long and begin late."""


def free_disk(folder: DataFolder, care: CareConfig) -> Iterator[Finding]:
    """Less than a night starts with."""
    free = shutil.disk_usage(folder.root).free
    if free < care.min_free_gb * 1e9:
        yield Finding(
            f"{free / 1e9:.1f} GB of the disk are free, and no night starts below {care.min_free_gb:g}",
            "verdicts compact --yes",
        )


def backups(care: CareConfig, at: datetime) -> Iterator[Finding]:
    """The age of the newest backup and of the last test of a restore, where the config names a folder."""
    target = care.backup_dir
    if target is None:
        return
    again, test = (f"verdicts {words} {shlex.quote(str(target))}" for words in ("backup", "restore --test"))
    try:
        newest = backup_folder.newest_backup(target) if backup_folder.is_begun(target) else None
        oldest = backup_folder.manifests(target)[:1]
    except (BackupBroken, OSError) as broken:
        yield Finding(str(broken), again)
        return
    if newest is None:
        yield Finding(f"{target}: there is no backup yet, or its disk is not mounted", again)
        return
    if at - newest.taken_at > _LATE * care.backup_every:
        yield Finding(f"{target}: the newest backup is of {newest.taken_at:%Y-%m-%d %H:%M} UTC", again)
    if lacking := backup_folder.missing(target, newest.files):
        yield Finding(f"{target}: {lacking[0]} is missing or cut short, of the newest backup", again)
        return
    tested = backup_folder.read_test(target)
    if tested is not None and tested.problem is not None:
        yield Finding(f"{target}: backup {tested.backup_id} could not be restored: {tested.problem}", test)
        return
    since = tested.tested_at if tested is not None else backup_folder.read_manifest(oldest[0]).taken_at
    if at - since > _LATE * care.restore_test_every:
        yield Finding(f"{target}: no backup was restored for a test since {since:%Y-%m-%d}", test)


def verifications(store: Store, care: CareConfig, at: datetime) -> Iterator[Finding]:
    """What the last verification found, and whether one is due."""
    last = last_verification(store)
    if last is not None and last.damaged:
        yield Finding(f"the last verification found {last.damaged:,} damaged: {last.example}", "verdicts repair")
    elif last is not None and at - last.verified_at > VERIFIED_WITHIN:
        share = f"{care.verify_share:.3g}"
        yield Finding(f"nothing was verified since {last.verified_at:%Y-%m-%d}", f"verdicts verify --sample {share}")
    elif last is None and store.index():
        yield Finding("nothing was ever verified", "verdicts verify")

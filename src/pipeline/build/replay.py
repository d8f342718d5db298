"""Reads rejects again with the present extractor, and can replace them in the record files."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from msgspec.structs import replace

from verdicts.extract.model.records import Observation, Reject
from verdicts.extract.panel.profile import Profiles
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.store.store import Store
from verdicts.pipeline.build.build_manifest import read_manifest, write_manifest
from verdicts.pipeline.build.extraction import by_segment, jobs_of, with_earlier_readings
from verdicts.pipeline.build.record_files import check_records, files_with, read_records, write_records
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.failure_log import FailureLog
from verdicts.pipeline.progress import step
from verdicts.pipeline.recipes import read_declarations
from verdicts.pipeline.workers.pool import cores, read_pages
from verdicts.pipeline.workers.record_rows import record_row


@dataclass(frozen=True, slots=True)
class Replayed:
    """A reject that was read again. `before` is its reason, `now` is `comparison`, `document` or a reason."""

    url: str
    location: Location
    before: str
    now: str

    @property
    def is_changed(self) -> bool:
        """Whether the result differs."""
        return self.before != self.now


def replay(store: Store, folder: DataFolder, *, keep: bool) -> list[Replayed]:
    """Reads every reject again, from the raw store.

    With `keep`, writes the new readings to the record files, which the next build takes as new. A crash in between
    costs one build without changes.
    """
    files = sorted(folder.records.glob("*.parquet"))
    check_records(files)
    observed = read_records(files)
    rejects = {item.location: item for item in observed if item.failure or isinstance(item.extracted, Reject)}
    entries = [entry for entry in store.index() if entry.location in rejects and not entry.is_lost]
    declared = read_declarations(folder)
    jobs = jobs_of(folder.raw, by_segment(entries))
    observations: dict[Location, Observation] = {}
    with step("replay", "rejects") as advance:
        advance(0, len(entries))
        for done, row in enumerate(read_pages(jobs, cores(), FailureLog(), declared), start=1):
            observation = row.observation
            observations[observation.location] = observation
            advance(done, len(entries))
    replayed = [
        Replayed(rejects[location].url, location, _outcome(rejects[location]), _outcome(observation))
        for location, observation in sorted(observations.items(), key=itemgetter(0))
    ]
    changed = {item.location: observations[item.location] for item in replayed if item.is_changed}
    if keep and changed:
        _keep(folder, files, changed, declared.profiles)
    return replayed


def count_outcomes(replayed: Sequence[Replayed]) -> list[tuple[str, str, int, str]]:
    """Rows of reason before, outcome now, count, and one address. The most frequent come first."""
    counts = Counter((item.before, item.now) for item in replayed)
    examples = {(item.before, item.now): item.url for item in reversed(replayed)}
    return [(*outcomes, count, examples[outcomes]) for outcomes, count in counts.most_common()]


def _outcome(observation: Observation) -> str:
    extracted = observation.failure or observation.extracted
    return extracted.reason if isinstance(extracted, Reject) else type(extracted).__name__.lower()


def _keep(folder: DataFolder, files: Sequence[Path], changed: dict[Location, Observation], profiles: Profiles) -> None:
    records = {file: list(read_records([file])) for file in files_with(files, changed)}
    manifest = read_manifest(folder.build_manifest)
    if manifest is not None:
        # First of all: the build ignores files that change under a name in the manifest.
        rewritten = {file.name for file in records}
        kept = replace(manifest.inputs, files=tuple(name for name in manifest.inputs.files if name not in rewritten))
        write_manifest(folder.build_manifest, replace(manifest, inputs=kept))
    for file, observations in records.items():
        rows = [record_row(changed.get(item.location, item), profiles) for item in observations]
        write_records(file, with_earlier_readings(rows, file.parent, profiles))

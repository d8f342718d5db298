"""From raw segments to record files, on all cores. A batch is a run of snapshots of one segment."""

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from extract import Observation, extract
from fetch import IndexEntry, read_segment
from flows.progress import Advance
from flows.record_files import record_file, write_records

BATCH = 64
"""Snapshots a task: some seconds of work at most, so that progress moves and a pool of any size is kept busy."""


def bring_records_up_to_date(
    index: Sequence[IndexEntry], raw: Path, records: Path, advance: Advance, *, anew: bool = False
) -> list[Path]:
    """The record file of every segment, in order; reads only segments whose file is missing, or all of them `anew`.

    Files of earlier extractor versions are removed once their successors are there.
    """
    records.mkdir(parents=True, exist_ok=True)
    offsets: dict[str, list[int]] = defaultdict(list)
    for entry in index:
        offsets[entry.location.segment].append(entry.location.offset)
    wanted = {segment: record_file(records, segment, len(offsets[segment])) for segment in sorted(offsets)}
    stale = {segment: path for segment, path in wanted.items() if anew or not path.exists()}
    batches = {
        segment: [tuple(offsets[segment][at : at + BATCH]) for at in range(0, len(offsets[segment]), BATCH)]
        for segment in stale
    }
    total = sum(len(offsets[segment]) for segment in stale)
    done = 0
    advance(done, total)
    for segment, observations in _read_segments(batches, raw):
        write_records(stale[segment], observations)
        done += len(observations)
        advance(done, total)
    for path in set(records.iterdir()) - set(wanted.values()):
        path.unlink()
    return list(wanted.values())


def _read_segments(batches: dict[str, list[tuple[int, ...]]], raw: Path) -> Iterator[tuple[str, list[Observation]]]:
    """Each segment's observations, in order. One batch alone is read here: a pool costs more than it saves."""
    if sum(map(len, batches.values())) <= 1:
        for segment, only in batches.items():
            yield segment, [seen for offsets in only for seen in read_batch(raw / segment, offsets)]
        return
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        futures = {
            segment: [pool.submit(read_batch, raw / segment, offsets) for offsets in of_segment]
            for segment, of_segment in batches.items()
        }
        for segment, results in futures.items():
            yield segment, [seen for result in results for seen in result.result()]


def read_batch(segment: Path, offsets: tuple[int, ...]) -> list[Observation]:
    """Extracts the snapshots at these offsets of a segment."""
    return [
        Observation(
            url=snapshot.final_url,
            fetched_at=snapshot.fetched_at,
            crawl_id=snapshot.crawl_id,
            location=location,
            sha256=snapshot.sha256,
            extracted=extract(snapshot),
        )
        for location, snapshot in read_segment(segment, offsets)
    ]

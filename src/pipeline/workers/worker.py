"""A worker process: jobs in, observations out, page by page. Started by `workers`, ends with whoever started it.

    python -m pipeline.workers.worker FD MEMORY_BYTES

It answers `None` once it is ready, then for every entry of a job one `Observation`.
"""

import gc
import resource
import sys
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection

from extract.model.records import Extracted, Reject
from extract.page import extract
from fetch.model.snapshot import Snapshot
from fetch.store.warc import read_segment
from pipeline.workers.jobs import Bug, observe


def _read(snapshot: Snapshot) -> Extracted | Bug:
    try:
        return extract(snapshot)
    except MemoryError:
        gc.collect()
        return Reject("too_much_memory", "the page takes more memory to read than a worker may have")
    except Exception:
        return Bug(snapshot.url, traceback.format_exc())


def main() -> None:
    connection: Connection = Connection(int(sys.argv[1]))
    limit = int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    # Whoever started it is gone: so is the work.
    with suppress(EOFError, ConnectionError):
        connection.send(None)
        while True:
            segment, entries = connection.recv()
            snapshots = read_segment(segment, [entry.location.offset for entry in entries])
            for entry, (_, snapshot) in zip(entries, snapshots, strict=True):
                found = _read(snapshot)
                connection.send(found if isinstance(found, Bug) else observe(entry, found))


if __name__ == "__main__":
    main()

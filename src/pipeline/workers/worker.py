"""A worker process: jobs in, observations out, page by page. Started by the pool; ends when the pool's process ends.

    python -m verdicts.pipeline.workers.worker FD MEMORY_BYTES

FD is the descriptor of a pipe, MEMORY_BYTES the data the process may hold. A job comes with the recipes
of hosts. It sends `None` once it is ready, then one
`RecordRow` for every entry of a job, an `ExtractorCrash`, or the `StorageFailed` or `OSError` that ends the job.
"""

import gc
import resource
import sys
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection

from verdicts.extract.model.records import Reject
from verdicts.extract.page import extract
from verdicts.extract.recipes.recipe import Recipes
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.model.snapshot import IndexEntry, Snapshot
from verdicts.fetch.store.warc import read_segment
from verdicts.pipeline.terminal import guard_streams
from verdicts.pipeline.workers.process import end_with_parent
from verdicts.pipeline.workers.record_rows import ExtractorCrash, RecordRow, observe


def _read(entry: IndexEntry, snapshot: Snapshot, recipes: Recipes) -> RecordRow | ExtractorCrash:
    try:
        return observe(entry, extract(snapshot, recipes=recipes))
    except MemoryError:
        gc.collect()
        return observe(entry, Reject("too_much_memory", "the page takes more memory to read than a worker may have"))
    except Exception:
        return ExtractorCrash(snapshot.url, traceback.format_exc())


def main() -> None:
    end_with_parent()
    guard_streams()
    connection: Connection = Connection(int(sys.argv[1]))
    limit = int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    # The pipe ends when nobody waits for the rows any more.
    with suppress(EOFError, ConnectionError):
        connection.send(None)
        while True:
            segment, entries, recipes = connection.recv()
            snapshots = read_segment(segment, [entry.location.offset for entry in entries])
            try:
                for entry, snapshot in zip(entries, snapshots, strict=True):
                    connection.send(_read(entry, snapshot, recipes))
            except ConnectionError:
                raise
            except (StorageFailed, OSError) as failure:
                connection.send(failure)


if __name__ == "__main__":
    main()

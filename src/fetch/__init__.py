"""URLs in, snapshots out.

`crawl` visits the sites it is given, politely and within bounds; `ingest` takes files. Both keep whole answers only, in
append-only WARC segments, with one row in the log for every attempt. A run may be killed at any
moment: the next one goes on.
"""

from fetch.canonical import BadUrl, canonicalize
from fetch.crawl import CrawlProgress, crawl
from fetch.errors import MEANINGS, ContactMissing, FetchError, StorageFailed, StoreLocked, StoreMissing
from fetch.ingest import Source, ingest
from fetch.log import CrawlRecord, FetchRecord, IndexEntry
from fetch.plan import Planned, plan
from fetch.revisit import Revisit
from fetch.site import Limits, Site
from fetch.skips import SKIP_MEANINGS
from fetch.snapshot import Location, Snapshot, has_address
from fetch.store import Store, open_scratch, open_store
from fetch.warc import read_segment

__all__ = [
    "MEANINGS",
    "SKIP_MEANINGS",
    "BadUrl",
    "ContactMissing",
    "CrawlProgress",
    "CrawlRecord",
    "FetchError",
    "FetchRecord",
    "IndexEntry",
    "Limits",
    "Location",
    "Planned",
    "Revisit",
    "Site",
    "Snapshot",
    "Source",
    "StorageFailed",
    "Store",
    "StoreLocked",
    "StoreMissing",
    "canonicalize",
    "crawl",
    "has_address",
    "ingest",
    "open_scratch",
    "open_store",
    "plan",
    "read_segment",
]

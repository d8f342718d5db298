"""The log: crawls, attempts, loads."""

from datetime import datetime
from typing import Annotated

from verdicts.corpus.columns import COUNT, FROM_ONE, NotEmpty, References
from verdicts.corpus.declare import Row, table
from verdicts.corpus.enumerations import CrawlKind, CrawlStatus, OutcomeClass


@table("crawls", key=("crawl_id",), is_log=True)
class CrawlRow(Row, frozen=True):
    """A run that fetched pages or took in files."""

    crawl_id: Annotated[str, NotEmpty(), "Id of the run: UTC start and four hex digits, sortable by time."]
    kind: Annotated[CrawlKind, "What sort of run it was: crawl (over the network), ingest (files)."]
    started_at: Annotated[datetime, "When the run began."]
    finished_at: Annotated[
        datetime | None,
        "When the run ended; of one that was killed, when it last began an attempt. NULL: it is still running.",
    ]
    status: Annotated[
        CrawlStatus,
        "How the run ended: done, partial (some addresses failed for good), interrupted (by a signal, a kill or an "
        "error; a crawl is gone on with within 20 hours, under its own id); or running.",
    ]
    fetched: Annotated[int, COUNT, "New snapshots that were stored."]
    unchanged: Annotated[int, COUNT, "Attempts that found the page as it was."]
    failed: Annotated[
        int,
        COUNT,
        "Addresses whose last attempt in the run failed. A 404 or a page that robots.txt forbids is an "
        "answer, no failure.",
    ]
    bytes: Annotated[int, COUNT, "Bytes received on the wire."]


class FetchRow(Row, frozen=True):
    """An attempt to fetch an address, as the raw store's log keeps it."""

    fetch_id: Annotated[str, NotEmpty(), "Id of the attempt: the run's id and a number that counts its attempts."]
    crawl_id: Annotated[str, NotEmpty(), References("crawls"), "Run it belongs to (crawls.crawl_id)."]
    url: Annotated[str, NotEmpty(), "Address asked for."]
    outcome: Annotated[
        str,
        NotEmpty(),
        "How the attempt ended, for example stored, unchanged, redirected, not_found, dns_error, incomplete.",
    ]
    status_code: Annotated[int | None, COUNT, "HTTP status. NULL: no response came."]
    attempt: Annotated[int, FROM_ONE, "Which attempt at this address in this run, from 1."]
    started_at: Annotated[datetime, "When the attempt began."]
    elapsed_ms: Annotated[int, COUNT, "Time the answer took, milliseconds; 0 where none came."]
    bytes: Annotated[int, COUNT, "Bytes received on the wire; 0 where no answer came."]
    body_sha256: Annotated[str | None, "SHA-256 of the decoded body, hex. NULL: no whole body came."]
    segment: Annotated[str | None, "Segment file of the raw store that holds the response. NULL: nothing was kept."]
    segment_offset: Annotated[
        int | None,
        COUNT,
        "Place of the response's record in the segment, bytes. NULL: nothing was kept.",
    ]
    detail: Annotated[str | None, "More about the outcome in words, for example what went wrong. NULL: nothing to add."]


@table("fetches", key=("fetch_id",), is_log=True)
class LoadedFetchRow(FetchRow, frozen=True):
    """An attempt to fetch an address."""

    host: Annotated[str | None, "Host of the address, lower case. NULL: a file that came without an address."]
    outcome_class: Annotated[
        OutcomeClass,
        "What the outcome comes to: answered (the page came, new or as it was), other (settled without a page, such as "
        "a redirect, a 404, robots.txt itself), failed.",
    ]


@table("loads", key=("load_id",), is_log=True)
class LoadRow(Row, frozen=True):
    """A load that changed a row. A load that found everything as it was leaves none."""

    load_id: Annotated[str, NotEmpty(), "Id of the load: UTC start and four hex digits, sortable by time."]
    loaded_at: Annotated[datetime, "When the load began."]
    rows_added: Annotated[
        int,
        COUNT,
        "Rows added to the tables of the corpus; those of crawls and fetches are in load_counts alone.",
    ]
    rows_changed: Annotated[int, COUNT, "Rows of the corpus whose values changed."]
    rows_removed: Annotated[int, COUNT, "Rows that are no longer in the corpus."]
    extractor_version: Annotated[str, "Version of the extractor that read the snapshots."]
    elapsed_ms: Annotated[
        int | None,
        COUNT,
        "Time from the first row to the commit, milliseconds. NULL: loaded before durations were kept.",
    ]


@table("load_counts", key=("load_id", "relation"), is_log=True)
class LoadCountRow(Row, frozen=True):
    """A table that a load changed: how many of its rows, and how many it held afterwards."""

    load_id: Annotated[str, NotEmpty(), References("loads"), "Load (loads.load_id)."]
    relation: Annotated[str, NotEmpty(), "Name of the table."]
    rows_added: Annotated[int, COUNT, "Rows the load added."]
    rows_changed: Annotated[int, COUNT, "Rows whose values the load changed."]
    rows_removed: Annotated[int, COUNT, "Rows the load removed."]
    rows_held: Annotated[int, COUNT, "Rows of the table after the load."]


@table("fill_rates", key=("load_id", "relation", "column_name"), is_log=True)
class FillRateRow(Row, frozen=True):
    """How many values a column held after a load that changed its table: of columns that may be NULL."""

    load_id: Annotated[str, NotEmpty(), References("loads"), "Load (loads.load_id)."]
    relation: Annotated[str, NotEmpty(), "Name of the table."]
    column_name: Annotated[str, NotEmpty(), "Name of the column."]
    filled: Annotated[int, COUNT, "Rows of the table that had a value."]
    held: Annotated[int, COUNT, "Rows of the table."]
    brought_filled: Annotated[int, COUNT, "Rows that this load added or changed, and that had a value."]
    brought: Annotated[int, COUNT, "Rows that this load added or changed."]

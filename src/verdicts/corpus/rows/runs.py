"""Runs and loads, measurements of the gates and accepted losses, contradictions, and content that was not readable."""

from datetime import datetime
from typing import Annotated

from verdicts.corpus.columns import COUNT, FROM_ONE, SHARE, Id, NotEmpty, References
from verdicts.corpus.declare import Row, table
from verdicts.corpus.enumerations import (
    CrawlKind,
    CrawlStatus,
    GateMeasure,
    GateState,
    GateTest,
    GateUnit,
    OutcomeClass,
    RowChange,
    Stage,
)


@table("crawls", schema="ops", key=("crawl_id",), is_log=True)
class CrawlRow(Row, frozen=True):
    """A run that fetched pages or read files."""

    crawl_id: Annotated[str, NotEmpty(), "Id of the run: UTC start and four hex digits, sortable by time."]
    kind: Annotated[CrawlKind, "Kind of run: crawl (over the network), ingest (files)."]
    started_at: Annotated[datetime, "When the run began."]
    finished_at: Annotated[
        datetime | None,
        "When the run ended; if it was killed, when its last attempt began. NULL: it is still running.",
    ]
    status: Annotated[
        CrawlStatus,
        "How the run ended: done, partial (some addresses failed for good), interrupted (by a signal, a kill or an "
        "error; a crawl can continue under the same id within 20 hours); or running.",
    ]
    fetched: Annotated[int, COUNT, "New snapshots that were stored."]
    unchanged: Annotated[int, COUNT, "Attempts that found an unchanged page."]
    failed: Annotated[
        int,
        COUNT,
        "Addresses whose last attempt in the run failed. A 404, or a page that robots.txt forbids, is an answer, not a "
        "failure.",
    ]
    bytes: Annotated[int, COUNT, "Bytes received on the wire."]


class FetchRow(Row, frozen=True):
    """An attempt to fetch an address, as the raw store's log keeps it."""

    fetch_id: Annotated[str, NotEmpty(), "Id of the attempt: the id of the run, and the number of the attempt."]
    crawl_id: Annotated[str, NotEmpty(), References("crawls"), "Run (ops.crawls.crawl_id)."]
    url: Annotated[str, NotEmpty(), "Canonical address of what was requested."]
    outcome: Annotated[
        str,
        NotEmpty(),
        "How the attempt ended, for example stored, unchanged, redirected, not_found, dns_error, incomplete.",
    ]
    status_code: Annotated[int | None, COUNT, "HTTP status. NULL: no response came."]
    attempt: Annotated[int, FROM_ONE, "Number of the attempt for this address in this run, from 1."]
    started_at: Annotated[datetime, "When the attempt began."]
    elapsed_ms: Annotated[int, COUNT, "Time until the answer was complete, milliseconds; 0: no answer came."]
    bytes: Annotated[int, COUNT, "Bytes received on the wire; 0: no answer came."]
    body_sha256: Annotated[str | None, "SHA-256 of the decoded body, hex. NULL: no complete body came."]
    segment: Annotated[str | None, "Segment file of the raw store that holds the response. NULL: nothing was kept."]
    segment_offset: Annotated[
        int | None,
        COUNT,
        "Offset of the response's record in the segment, bytes. NULL: nothing was kept.",
    ]
    detail: Annotated[str | None, "The outcome in words, for example what went wrong. NULL: nothing to add."]


@table("fetches", schema="ops", key=("fetch_id",), is_log=True)
class LoadedFetchRow(FetchRow, frozen=True):
    """An attempt to fetch an address."""

    host: Annotated[str | None, "Host of the address, lower case. NULL: a file that came without an address."]
    outcome_class: Annotated[
        OutcomeClass,
        "Class of the outcome: answered (the page came, new or unchanged), other (an answer without a page, such as a "
        "redirect, a 404, or robots.txt itself), failed.",
    ]


@table("loads", schema="ops", key=("load_id",), is_log=True)
class LoadRow(Row, frozen=True):
    """A load that changed at least one row. A load without changes leaves no row."""

    load_id: Annotated[str, NotEmpty(), "Id of the load: UTC start and four hex digits, sortable by time."]
    loaded_at: Annotated[datetime, "When the load began."]
    rows_added: Annotated[
        int,
        COUNT,
        "Rows added to the tables of the corpus. Only load_counts counts those of crawls and fetches.",
    ]
    rows_changed: Annotated[int, COUNT, "Rows of the corpus whose content changed (history.changes has each)."]
    rows_removed: Annotated[int, COUNT, "Rows that are no longer in the corpus."]
    extractor_version: Annotated[str, "Version of the extractor that read the snapshots."]
    elapsed_ms: Annotated[
        int | None,
        COUNT,
        "Time from the first row to the commit, milliseconds. NULL: loaded before durations were kept.",
    ]


@table("load_counts", schema="ops", key=("load_id", "relation"), is_log=True)
class LoadCountRow(Row, frozen=True):
    """A table that a load changed: the number of changed rows, and of all rows afterwards."""

    load_id: Annotated[str, NotEmpty(), References("loads"), "Load (ops.loads.load_id)."]
    relation: Annotated[str, NotEmpty(), "Name of the table."]
    rows_added: Annotated[int, COUNT, "Rows the load added."]
    rows_changed: Annotated[int, COUNT, "Rows whose content the load changed."]
    rows_removed: Annotated[int, COUNT, "Rows the load removed."]
    rows_held: Annotated[int, COUNT, "Rows of the table after the load."]
    rows_seen: Annotated[int, COUNT, "Rows with the same content, in which only columns of visits changed."]


@table("changes", schema="history", key=("load_id", "relation", "row_key"), is_log=True)
class RowChangeRow(Row, frozen=True):
    """A row that a load added, changed or removed, with its values before and after.

    `changes_since` has each changed row once, as it is now.

    The newest 30 loads are kept, fewer if together they changed more than half of the corpus and 100,000 rows. The
    first load of a file has no rows here, nor does a load that changed more than that.
    """

    load_id: Annotated[str, NotEmpty(), References("loads"), "Load (ops.loads.load_id)."]
    relation: Annotated[str, NotEmpty(), "Name of the table."]
    row_key: Annotated[str, NotEmpty(), 'Key of the row as JSON: {"page_id":"0b...","side":"a"}.']
    change: Annotated[RowChange, "What happened to the row: added, changed, removed."]
    column_names: Annotated[
        tuple[str, ...],
        "Columns whose content changed, in the order of the table. Empty: the row was added or removed.",
    ]
    before: Annotated[
        str | None,
        "Values before, as JSON: of the columns that changed, or of a removed row, all of its content apart from the "
        "key. NULL: the row was added.",
    ]
    after: Annotated[
        str | None,
        "Values after, as JSON: of the columns that changed, or of an added row, all of its content apart from the "
        "key. NULL: the row was removed.",
    ]


@table("fill_rates", schema="ops", key=("load_id", "relation", "column_name"), is_log=True)
class FillRateRow(Row, frozen=True):
    """The number of values in a column that may be NULL, after a load that changed its table."""

    load_id: Annotated[str, NotEmpty(), References("loads"), "Load (ops.loads.load_id)."]
    relation: Annotated[str, NotEmpty(), "Name of the table."]
    column_name: Annotated[str, NotEmpty(), "Name of the column."]
    filled: Annotated[int, COUNT, "Rows of the table that had a value."]
    held: Annotated[int, COUNT, "Rows of the table."]
    brought_filled: Annotated[int, COUNT, "Rows that this load added or changed, and that had a value."]
    brought: Annotated[int, COUNT, "Rows that this load added or changed."]


@table("gate_measures", schema="ops", key=("crawl_id", "host", "measure", "test", "unit"), is_log=True)
class GateMeasureRow(Row, frozen=True):
    """A test that compares a night's readings of a host with accepted readings, page by page or tool by tool.

    Every night adds rows, even if all tests pass. If a row of the newest run of a host is held, the host is held: the
    readings of that run stay out of the corpus until the host recovers or a person accepts the loss.
    """

    crawl_id: Annotated[str, NotEmpty(), References("crawls"), "Run whose readings were tested (ops.crawls.crawl_id)."]
    host: Annotated[str, NotEmpty(), "Host of the pages."]
    measure: Annotated[
        GateMeasure,
        "What a page may lose (comparison, reviews, review_text, whole_panel, side, reviewer, score, verdict, panel, "
        "tagline, description, category, entry, slug, rating, decision, price, amount), the state of the "
        "host (answered), or a count that is only reported (gone). docs/gates.md explains each.",
    ]
    test: Annotated[
        GateTest,
        "What tonight is compared with: night (the last accepted night), week and month (7 and 28 accepted nights "
        "ago), fixed (a rule without statistics), reread (the same "
        "bytes, read by the previous extractor), count (nothing: it is only counted).",
    ]
    unit: Annotated[
        GateUnit,
        "What had and lost count: page, or tool. A tool has lost something if more than half of its pages lack it.",
    ]
    had: Annotated[
        int,
        COUNT,
        "Pages or tools that had it: m. For answered: known pages requested.",
    ]
    lost: Annotated[int, COUNT, "How many of them lack it now: k. For gone: the number of such pages."]
    rate: Annotated[
        float | None,
        SHARE,
        "Share of pages or tools that may lose it in one night: the larger one of the floor and the losses of "
        "accepted nights. NULL: the test has no rate.",
    ]
    p_value: Annotated[
        float | None,
        SHARE,
        "Probability that at least as many lose it at that rate. NULL: the test has no rate.",
    ]
    state: Annotated[
        GateState,
        "passed, watch (reported, no effect), held, accepted (held until a person accepted it), shadow "
        "(would be held, but the gates are set to shadow), unjudged (there is nothing to compare with yet).",
    ]
    examples: Annotated[
        tuple[str, ...],
        "Up to three pages that lack it, each as: address, what it said before, an arrow, what it says now.",
    ]
    extractor_version: Annotated[str, NotEmpty(), "Version of the extractor that read the pages, both times."]
    gate_version: Annotated[str, NotEmpty(), "Version of the measures."]


@table("gate_accepts", schema="ops", key=("host", "measure", "crawl_id"), is_log=True)
class GateAcceptRow(Row, frozen=True):
    """A loss that a person accepted. From then on, the host is compared with the readings of that run."""

    host: Annotated[str, NotEmpty(), "Host of the pages."]
    measure: Annotated[GateMeasure, "What was lost (ops.gate_measures.measure)."]
    crawl_id: Annotated[
        str, NotEmpty(), References("crawls"), "Run whose readings were accepted (ops.crawls.crawl_id)."
    ]
    accepted_at: Annotated[datetime, "When it was accepted."]
    accepted_by: Annotated[str, NotEmpty(), "Name of the account that accepted it."]
    reason: Annotated[str, NotEmpty(), "Reason in the person's words."]


@table("discrepancies", schema="evidence", key=("page_id", "rule", "expected", "found"))
class DiscrepancyRow(Row, frozen=True):
    """Two statements of the corpus that should agree and do not. Both are kept; neither is corrected."""

    page_id: Annotated[str, Id(), References("pages"), "Page that contradicts itself or another one (pages.page_id)."]
    tool_id: Annotated[
        str | None,
        Id(),
        References("tools"),
        "Tool it is about (tools.tool_id). NULL: the page as a whole.",
    ]
    rule: Annotated[str, NotEmpty(), "Name of the broken rule."]
    expected: Annotated[str, "What follows from one statement."]
    found: Annotated[str, "What the other statement says."]


@table("rejects", schema="evidence", key=("reason", "segment", "segment_offset"))
class RejectRow(Row, frozen=True):
    """A snapshot, or a part of it, that could not be read, and why."""

    url: Annotated[str, NotEmpty(), "Address of the snapshot; urn:sha256:... for a file that came without one."]
    stage: Annotated[Stage, "Stage that rejected it: extract, normalize."]
    reason: Annotated[str, NotEmpty(), "Short name of the reason, to count by."]
    detail: Annotated[str, "The reason in words."]
    segment: Annotated[str, NotEmpty(), "Segment file of the raw store that holds the snapshot."]
    segment_offset: Annotated[int, COUNT, "Offset of the snapshot's record in the segment, bytes."]

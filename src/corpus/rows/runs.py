"""Runs and loads, what the gates measured and a person accepted, what contradicts, and what could not be read."""

from datetime import datetime
from typing import Annotated

from verdicts.corpus.columns import COUNT, FROM_ONE, SHARE, Id, NotEmpty, References
from verdicts.corpus.declare import Row, table
from verdicts.corpus.enumerations import (
    CrawlKind,
    CrawlStatus,
    GateLevel,
    GateMeasure,
    GateState,
    GateTest,
    GateUnit,
    OutcomeClass,
    Stage,
)


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


@table("gate_measures", key=("crawl_id", "host", "measure", "test", "unit"), is_log=True)
class GateMeasureRow(Row, frozen=True):
    """A test of a night's readings of a host, page by page or tool by tool, against readings that were accepted before.

    Every night leaves its rows, also where all is well. A host is held where a row of its newest run is held: the
    readings of that run stay out of the corpus until the host has recovered or the loss is accepted.
    """

    crawl_id: Annotated[str, NotEmpty(), References("crawls"), "Run whose readings were tested (crawls.crawl_id)."]
    host: Annotated[str, NotEmpty(), "Host of the pages."]
    measure: Annotated[
        GateMeasure,
        "What a page may lose (comparison, takes, take_text, whole_panel, side, seat, score, verdict, panel, tagline, "
        "slug, rating, decision, price, amount, attribution), how the host is (answered, rejects), or what is only "
        "told (changed, new, gone). docs/gates.md says what each of them is.",
    ]
    test: Annotated[
        GateTest,
        "What tonight is compared with: night (the last accepted night), anew (the same, of pages whose content "
        "changed), week and month (7 and 28 accepted nights ago), fixed (a rule without statistics), reread (the same "
        "bytes read by the extractor before), count (nothing: only counted).",
    ]
    unit: Annotated[
        GateUnit,
        "What had and lost count: page, or tool. A tool lost what it had where more than half of its pages lack it.",
    ]
    had: Annotated[
        int, COUNT, "Pages or tools that had it: m. Of answered: pages asked for; of rejects, changed: answered."
    ]
    lost: Annotated[
        int, COUNT, "Those of them that lack it now: k. Of rejects, changed, new and gone: pages that are so."
    ]
    rate: Annotated[
        float | None,
        SHARE,
        "Share of pages or tools that may lose it on such a night: the largest of the floor, of what accepted nights "
        "lost, and of tools what others gained meanwhile. NULL: the test has none.",
    ]
    p_value: Annotated[
        float | None,
        SHARE,
        "Probability that so many or more lose it at that rate. NULL: the test has none.",
    ]
    level: Annotated[GateLevel, "What a failure leads to: hold (the host is held), alert (it is told), report (none)."]
    state: Annotated[
        GateState,
        "passed, watch (worth a look, never told), alert, held, accepted (held until a person accepted it), shadow "
        "(would be held, were the gates not set to shadow), unjudged (there is nothing to compare with yet).",
    ]
    examples: Annotated[
        tuple[str, ...],
        "Up to three pages that lack it, each as: address, what it said before, an arrow, what it says now.",
    ]
    extractor_version: Annotated[str, NotEmpty(), "Version of the extractor that read the pages, both times."]
    gate_version: Annotated[str, NotEmpty(), "Version of the measures and tests."]


@table("gate_accepts", key=("host", "measure", "crawl_id"), is_log=True)
class GateAcceptRow(Row, frozen=True):
    """A loss that a person accepted: what that run read is what the measure of the host is compared with from then."""

    host: Annotated[str, NotEmpty(), "Host of the pages."]
    measure: Annotated[GateMeasure, "What was lost (gate_measures.measure)."]
    crawl_id: Annotated[str, NotEmpty(), References("crawls"), "Run whose readings were accepted (crawls.crawl_id)."]
    accepted_at: Annotated[datetime, "When."]
    accepted_by: Annotated[str, NotEmpty(), "By whom: the name of the account."]
    reason: Annotated[str, NotEmpty(), "Why, in their words."]


@table("discrepancies", key=("page_id", "rule", "expected", "found"))
class DiscrepancyRow(Row, frozen=True):
    """Two statements of the corpus that must agree and do not. Both are kept; neither is corrected."""

    page_id: Annotated[str, Id(), References("pages"), "Page that contradicts itself or another one (pages.page_id)."]
    tool_id: Annotated[
        str | None,
        Id(),
        References("tools"),
        "Tool it is about (tools.tool_id). NULL: the page as a whole.",
    ]
    rule: Annotated[str, NotEmpty(), "Name of the rule that was broken."]
    expected: Annotated[str, "What one statement leads to."]
    found: Annotated[str, "What the other statement says."]


@table("rejects", key=("reason", "segment", "segment_offset"))
class RejectRow(Row, frozen=True):
    """A snapshot, or a part of one, that could not be read, and why."""

    url: Annotated[str, NotEmpty(), "Address of the snapshot; urn:sha256:... for a file that came without one."]
    stage: Annotated[Stage, "Stage that gave it up: extract, normalize."]
    reason: Annotated[str, NotEmpty(), "Short name of the reason, fit for counting."]
    detail: Annotated[str, "The reason in words."]
    segment: Annotated[str, NotEmpty(), "Segment file of the raw store that holds the snapshot."]
    segment_offset: Annotated[int, COUNT, "Place of the snapshot's record in the segment, bytes."]

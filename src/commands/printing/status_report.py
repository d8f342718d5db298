"""How a data folder stands, as tables for a person or as JSON for a program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from verdicts.pipeline.terminal import shown_line

if TYPE_CHECKING:
    from rich.console import Console

    from verdicts.fetch.care.verify import NotedVerification
    from verdicts.pipeline.engine.cluster import ClusterState
    from verdicts.pipeline.nights.status import Entry, FolderStatus


def print_nights(console: Console, status: FolderStatus) -> None:
    """The nights, one a row, newest first."""
    from rich.table import Table

    if status.running is not None:
        console.print(shown_line(f"running: {status.running}"), soft_wrap=True)
    table = Table(
        "began, UTC", "", "state", "fetched", "unchanged", "failed", "MB", "in words", box=None, pad_edge=False
    )
    for entry in status.entries:
        table.add_row(f"{entry.began_at:%Y-%m-%d %H:%M}", entry.kind, entry.status, *_counts(entry), _words(entry))
    console.print(table)


def print_trouble(console: Console, status: FolderStatus) -> None:
    """What is wrong at present, and who could not be told of it."""
    for incident in status.incidents.open:
        console.print(shown_line(f"open: {incident.line}"), soft_wrap=True)
    for item in status.incidents.undelivered:
        console.print(shown_line(f"not told: {item.address}, in night {item.night_id}: {item.why}"), soft_wrap=True)


def print_verification(console: Console, last: NotedVerification | None) -> None:
    """When files were last compared with their digests, and what came of it."""
    if last is None:
        console.print("never verified; 'verdicts verify' reads every record", soft_wrap=True)
        return
    share = "all" if last.share == 1 else f"1/{round(1 / last.share)}"
    found = f"{last.damaged:,} damaged, such as {last.example}" if last.damaged else "nothing damaged"
    line = f"verified {last.verified_at:%Y-%m-%d %H:%M} UTC: {share} of the records, {found}"
    console.print(shown_line(line), soft_wrap=True)


def as_json(status: FolderStatus, corpus: str | None, counts: Mapping[str, int], cluster: ClusterState | None) -> str:
    """The same for a program, and more exact: times in ISO 8601, every address whole."""
    content = {
        "running": status.running,
        "nights": [_entry(entry) for entry in status.entries],
        "left_alone": [asdict(skip) for skip in status.skips],
        "why": list(status.why),
        "incidents": [asdict(incident) for incident in status.incidents.open],
        "undelivered": [asdict(item) for item in status.incidents.undelivered],
        "verified": None if status.verified is None else asdict(status.verified),
        "published": corpus,
        "corpus": dict(counts),
        "cluster": None if cluster is None else asdict(cluster),
    }
    return json.dumps(content, ensure_ascii=False, indent=1, default=datetime.isoformat)


def _entry(entry: Entry) -> dict[str, Any]:
    crawl = entry.crawl
    numbers = ("fetched", "unchanged", "failed", "bytes")
    return {
        "began_at": entry.began_at,
        "ended_at": entry.ended_at,
        "kind": entry.kind,
        "status": entry.status,
        "words": entry.words,
        "crawl_id": None if crawl is None else crawl.crawl_id,
        **{name: None if crawl is None else getattr(crawl, name) for name in numbers},
    }


def _counts(entry: Entry) -> tuple[str, str, str, str]:
    crawl = entry.crawl
    if crawl is None:
        return "", "", "", ""
    return str(crawl.fetched), str(crawl.unchanged), str(crawl.failed), f"{crawl.bytes / 1e6:.1f}"


def _words(entry: Entry) -> str:
    """Of a night that went well its numbers, which stand beside it, say enough."""
    is_said = entry.status in {"done", "running"}
    return "" if is_said else shown_line(entry.words)

"""Which rows of the gates are in force: those of the newest run of each host."""

from collections.abc import Iterable, Sequence

from verdicts.corpus.rows.runs import GateMeasureRow


def newest_runs(rows: Iterable[GateMeasureRow]) -> dict[str, str]:
    newest: dict[str, str] = {}
    for row in rows:
        newest[row.host] = max(row.crawl_id, newest.get(row.host, ""))
    return newest


def in_force(rows: Sequence[GateMeasureRow]) -> list[GateMeasureRow]:
    """The rows of each host's newest run."""
    newest = newest_runs(rows)
    return [row for row in rows if row.crawl_id == newest[row.host]]


def held_hosts(rows: Sequence[GateMeasureRow]) -> frozenset[str]:
    return frozenset(row.host for row in in_force(rows) if row.state == "held")

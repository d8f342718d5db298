"""What the log says of the hosts of a run: which addresses answered, failed, are gone, or could not be asked for."""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Mapping

from verdicts.fetch.model.addresses import host_of
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.run.endings import NOT_ASKED
from verdicts.pipeline.gates.host_night import Answers

ANSWERED = frozenset({Outcome.STORED, Outcome.UNCHANGED, Outcome.ALIAS})
GONE = frozenset({Outcome.NOT_FOUND, Outcome.GONE, Outcome.SOFT_404})
HOPS_MAX = 10
"""Redirects that are followed in the log to the page that answered."""


def answers_of(state: sqlite3.Connection, crawl_id: str, comparisons: Collection[str]) -> Mapping[str, Answers]:
    """Host to what became of its addresses. A redirect to one of the `comparisons` that answered is an answer."""
    rows = state.execute("SELECT url, outcome, detail FROM fetches WHERE crawl_id = ? ORDER BY fetch_id", (crawl_id,))
    last: dict[str, dict[str, tuple[Outcome, str]]] = defaultdict(dict)
    for url, outcome, detail in rows:
        last[host_of(url)][url] = (Outcome(outcome), detail or "")
    skipped: dict[str, int] = defaultdict(int)
    for host, reason, count in state.execute("SELECT host, reason, skipped FROM skips WHERE crawl_id = ?", (crawl_id,)):
        skipped[host] += count if reason in NOT_ASKED else 0
    everywhere = {url: ended for of_host in last.values() for url, ended in of_host.items()}
    return {
        host: _answers(last.get(host, {}), everywhere, comparisons, skipped.get(host, 0))
        for host in (last.keys() | skipped.keys()) - {""}
    }


def answered_since(state: sqlite3.Connection, host: str, after: str, until: str) -> frozenset[str]:
    """Addresses of a host that answered in a run after one, up to and with another."""
    rows = state.execute(
        "SELECT DISTINCT url FROM fetches WHERE crawl_id > ? AND crawl_id <= ? AND outcome IN (?, ?, ?)",
        (after, until, *sorted(ANSWERED)),
    )
    return frozenset(url for (url,) in rows if host_of(url) == host)


def _answers(
    last: Mapping[str, tuple[Outcome, str]],
    everywhere: Mapping[str, tuple[Outcome, str]],
    comparisons: Collection[str],
    unasked: int,
) -> Answers:
    answered: set[str] = set()
    gone: set[str] = set()
    failed: dict[str, str] = {}
    for url, (outcome, _) in last.items():
        if outcome is Outcome.SUPPORT:
            continue
        end = _end(url, everywhere)
        if outcome is Outcome.REDIRECTED:
            (answered if end in comparisons and everywhere[end][0] in ANSWERED else gone).add(url)
        elif outcome in ANSWERED:
            answered.add(url)
        elif outcome in GONE:
            gone.add(url)
        else:
            failed[url] = outcome
    return Answers(frozenset(answered), failed, frozenset(gone), unasked)


def _end(url: str, everywhere: Mapping[str, tuple[Outcome, str]]) -> str:
    """Where the redirects of a run lead to from an address; itself where that was not asked for."""
    for _ in range(HOPS_MAX):
        outcome, detail = everywhere.get(url, (Outcome.STORED, ""))
        if outcome is not Outcome.REDIRECTED or detail not in everywhere:
            break
        url = detail
    return url

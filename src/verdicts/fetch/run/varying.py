"""Finds the query parameter in which most addresses of a host differ, such as a session id."""

import sqlite3
from collections import Counter

from verdicts.fetch.model.addresses import split_address

ADDRESSES_MIN = 1_000
"""So many addresses, in groups of at least `GROUP_MIN` that differ in one parameter alone, name it."""
GROUP_MIN = 20
READ_MAX = 20_000
"""The most addresses that are looked at: a tenth of a second."""


def describe_varying(state: sqlite3.Connection, host: str) -> str | None:
    """`1,500 addresses differ only in 'sid'...`, with what to do; None if no parameter stands out."""
    rows = state.execute(
        "SELECT address FROM urls WHERE host = ? AND instr(address, '?') ORDER BY rowid DESC LIMIT ?", (host, READ_MAX)
    )
    groups: Counter[tuple[str, str]] = Counter()
    for (address,) in rows:
        parts = split_address(address)
        pairs = [] if parts is None or parts.query is None else parts.query.split("&")
        for number, pair in enumerate(pairs):
            rest = "&".join(pairs[:number] + pairs[number + 1 :])
            groups[pair.partition("=")[0], f"{address.partition('?')[0]}?{rest}"] += 1
    counts: Counter[str] = Counter()
    for (name, _), count in groups.items():
        counts[name] += count if count >= GROUP_MIN else 0
    for name, count in counts.most_common(1):
        if count >= ADDRESSES_MIN:
            hint = f"if it changes nothing on a page, write ignore_parameters = ['{name}']"
            return f"{count:,} addresses differ only in '{name}': {hint}"
    return None

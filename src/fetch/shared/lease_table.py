"""Leases in the database. All times are its own: clocks of fetchers do not matter."""

import time
from collections.abc import Sequence

from verdicts.fetch.shared.database import Database
from verdicts.fetch.shared.leases import Lease


def acquire(database: Database, hosts: Sequence[str], holder: str, delay_s: float, lease_s: float) -> Lease | None:
    """The hosts of a site, all of them; None where another fetcher has any. `delay_s` is the config's.

    After a lease that ended without being given back a host is left alone for its delay more: the last request may
    have been sent at its end.
    """
    began = time.monotonic()
    with database.transaction():
        database.cursor().executemany(
            "INSERT INTO leases (host) VALUES (%s) ON CONFLICT DO NOTHING", [(host,) for host in sorted(hosts)]
        )
        free = database.execute(
            "SELECT host FROM leases WHERE host = ANY(%s) AND (expires_at IS NULL OR expires_at <= clock_timestamp())"
            " ORDER BY host FOR UPDATE SKIP LOCKED",
            (list(hosts),),
        ).fetchall()
        if len(free) < len(set(hosts)):
            return None
        (token,), *_ = database.execute("SELECT nextval('tokens')").fetchall()
        rows = database.execute(
            "UPDATE leases SET holder = %s, token = %s, delay_s = greatest(delay_s, %s),"
            " next_at = greatest(next_at, expires_at + make_interval(secs => greatest(delay_s, %s))),"
            " expires_at = clock_timestamp() + make_interval(secs => %s) WHERE host = ANY(%s)"
            " RETURNING extract(epoch FROM greatest(next_at - clock_timestamp(), interval '0'))",
            (holder, token, delay_s, delay_s, lease_s, list(hosts)),
        ).fetchall()
    waits = [0.0 if wait is None else float(wait) for (wait,) in rows]
    return Lease(tuple(hosts), token, began + lease_s, time.monotonic() + max(waits))


def renew(database: Database, lease: Lease, lease_s: float) -> None:
    """Makes a lease last on. One that was lost ends at once."""
    began = time.monotonic()
    rows = database.execute(
        "UPDATE leases SET expires_at = clock_timestamp() + make_interval(secs => %s), delay_s = greatest(delay_s, %s)"
        " WHERE host = ANY(%s) AND token = %s AND expires_at > clock_timestamp() RETURNING host",
        (lease_s, lease.delay_s, list(lease.hosts), lease.token),
    ).fetchall()
    lease.until = began + lease_s if len(rows) == len(set(lease.hosts)) else 0.0


def give_back(database: Database, lease: Lease, *, is_done: bool) -> None:
    """Ends a lease; the next fetcher waits as long as this one would have. `is_done`: nothing is due."""
    database.execute(
        "UPDATE leases SET holder = NULL, expires_at = NULL, delay_s = greatest(delay_s, %s),"
        " next_at = greatest(next_at, clock_timestamp() + make_interval(secs => %s)),"
        " crawled_at = CASE WHEN %s THEN clock_timestamp() ELSE crawled_at END"
        " WHERE host = ANY(%s) AND token = %s",
        (lease.delay_s, lease.pause_s, is_done, list(lease.hosts), lease.token),
    )
    lease.until = 0.0


def is_own(database: Database, lease: Lease) -> bool:
    """Whether a lease still stands. Within a transaction nobody takes it over before that ends."""
    rows = database.execute(
        "SELECT host FROM leases WHERE host = ANY(%s) AND token = %s AND expires_at > clock_timestamp() FOR SHARE",
        (list(lease.hosts), lease.token),
    ).fetchall()
    return len(rows) == len(set(lease.hosts))

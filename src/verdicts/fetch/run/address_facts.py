"""All facts in a store about one address: its page in the frontier, its host, its answers. Only reads."""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from msgspec import convert

from verdicts.fetch.model.addresses import BadUrl, canonicalize, find_host, resolve_address
from verdicts.fetch.model.outcome import SkipRecord
from verdicts.fetch.model.share import WHOLE, Share
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.url_state import UrlState
from verdicts.fetch.parse.rights import HostRights, PageRights
from verdicts.fetch.run.endings import Ending, read_endings
from verdicts.fetch.run.site_rules import SiteRules
from verdicts.fetch.store import frontier, host_pace, page_rights
from verdicts.fetch.store.host_robots import StoredRobots, read_robots
from verdicts.fetch.store.reader import StoreReader

VISITS_MAX = 5
"""The most answers to show; the log in the corpus has all."""

POINTING_MAX = 5

_ORIGINS = Path(__file__).with_name("known_origins.sql")

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d)")
"""`https:` and `mailto:`, but not the port of `localhost:8080`."""


@dataclass(frozen=True, slots=True)
class Visit:
    """An attempt on the page. `detail` says more than its outcome."""

    at: datetime
    outcome: str
    status: int | None
    detail: str | None
    crawl_id: str


@dataclass(frozen=True, slots=True)
class KnownPage:
    """A page of the frontier. `state` is its state before the next visit; `spellings` are in the order of requests.

    `found_on` is `start`, `raw`, or the sitemap, feed or page that names it; `found_in` the run. `holder` is the key
    that has the page now, if any; `pointing` are the keys that name or lead to this one.
    """

    state: UrlState
    spellings: tuple[str, ...]
    due_at: datetime
    found_on: str
    found_in: str
    is_gone: bool
    not_found_nights: int
    holder: str | None
    pointing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredPage:
    """The newest snapshot of a page, and how many there are."""

    count: int
    fetched_at: datetime
    address: str
    media_type: str
    crawl_id: str


@dataclass(frozen=True, slots=True)
class HostFacts:
    """A host: what it asks for, and the last crawl that ended. `known` counts its pages in the frontier."""

    host: str
    known: int
    robots: StoredRobots | None
    rights: HostRights
    paused_until: datetime | None
    crawl_id: str | None
    endings: tuple[Ending, ...]
    skips: tuple[SkipRecord, ...]


@dataclass(frozen=True, slots=True)
class AddressFacts:
    """An address as written, as it would be sent, and the key of its page, with all that is known of them.

    `rules` are those of the `[[site]]` with its host; None if no site has it, or if there is no config (`has_config`).
    `is_ours`: this fetcher asks the site. `stub_since` is the day since which the page shows a stub.
    """

    written: str
    address: str
    key: str
    rules: SiteRules | None
    has_config: bool
    is_ours: bool
    page: KnownPage | None
    visits: tuple[Visit, ...]
    stored: StoredPage | None
    rights: PageRights
    stub_since: str | None
    host: HostFacts


def read_address(
    store: StoreReader,
    sites: Sequence[Site],
    user_agent: str,
    written: str,
    *,
    has_config: bool = True,
    share: Share = WHOLE,
) -> AddressFacts:
    """All facts of an address, also without scheme or as a path. `sites` are those of the config, if it has any.

    Raises `BadUrl` with the reason if it is not an address, or only a path and there are several hosts.
    """
    state, by_host = store.state, {host: site for site in sites for host in site.hosts}
    full = _complete(state, by_host, written.strip())
    site = by_host.get(find_host(full))
    rules = None if site is None else SiteRules(site, by_host, user_agent, store.forgotten)
    key, address = (canonicalize(full), full) if rules is None else rules.judge(full)[:2]
    if not _is_known(state, key) and _is_known(state, twin := _swap_scheme(key)):
        # Browsers write https for a host that is crawled over http.
        key = twin
    page = _read_page(state, key)
    return AddressFacts(
        written=written,
        address=address,
        key=key,
        rules=rules,
        has_config=has_config,
        is_ours=site is None or share.has(site.home),
        page=page,
        visits=_read_visits(state, key),
        stored=_read_stored(state, key),
        rights=page_rights.read_page(state, key),
        stub_since=next((since for (since,) in state.execute("SELECT since FROM stubs WHERE url = ?", (key,))), None),
        host=_read_host(store, find_host(key)),
    )


def _swap_scheme(key: str) -> str:
    scheme, _, rest = key.partition("://")
    return f"{'http' if scheme == 'https' else 'https'}://{rest}"


def _complete(state: sqlite3.Connection, by_host: Mapping[str, Site], written: str) -> str:
    """`shop.example/a` is an address of that host, `/a` one of the only host."""
    if _SCHEME.match(written):
        return resolve_address(written)
    if written.startswith("/"):
        origins = _list_origins(state) or [f"{site.origin(host)}/" for host, site in by_host.items()]
        if len(origins) != 1:
            raise BadUrl(f"{written!r} is only a path, and {len(origins)} hosts are known; write the whole address")
        return resolve_address(written, origins[0])
    host = find_host(f"http://{written}")
    if host not in by_host and "." not in host and ":" not in host:
        raise BadUrl(f"{written[:200]!r} is not an address; write it as in the browser, https://shop.example/page")
    origin = by_host[host].origin(host) if host in by_host else f"https://{host}"
    return resolve_address(origin + written[len(written.partition("/")[0]) :])


def _list_origins(state: sqlite3.Connection) -> list[str]:
    """`http://a.example/` of each host with a known page."""
    return [origin for (origin,) in state.execute(_ORIGINS.read_text(encoding="utf-8"))]


def _is_known(state: sqlite3.Connection, key: str) -> bool:
    query = "SELECT 1 FROM urls WHERE url = ?1 UNION ALL SELECT 1 FROM snapshots WHERE url = ?1"
    return state.execute(query, (key,)).fetchone() is not None


def _read_page(state: sqlite3.Connection, key: str) -> KnownPage | None:
    rows = state.execute("SELECT * FROM urls WHERE url = ?", (key,))
    row = rows.fetchone()
    if row is None:
        return None
    columns = dict(zip((name for name, *_ in rows.description), row, strict=True))
    page_state = convert(columns | {"interval": columns["interval_s"]}, UrlState, strict=False)
    pointing = state.execute(
        "SELECT url FROM urls WHERE alias_of = ? AND url_status IN ('alias', 'moved') ORDER BY url LIMIT ?",
        (key, POINTING_MAX),
    )
    return KnownPage(
        state=page_state,
        spellings=frontier.list_spellings(state, key, page_state),
        due_at=datetime.fromisoformat(columns["due_at"]),
        found_on=columns["discovered_from"],
        found_in=columns["discovered_in"],
        is_gone=bool(columns["is_gone"]),
        not_found_nights=columns["not_found_nights"],
        holder=frontier.find_page_holder(state, key),
        pointing=tuple(url for (url,) in pointing),
    )


def _read_visits(state: sqlite3.Connection, key: str) -> tuple[Visit, ...]:
    """The newest first. The log has no index by address: a million attempts take about half a second."""
    rows = state.execute(
        "SELECT started_at, outcome, status_code, detail, crawl_id FROM fetches WHERE url = ?"
        " ORDER BY fetch_id DESC LIMIT ?",
        (key, VISITS_MAX),
    )
    return tuple(Visit(datetime.fromisoformat(at), *rest) for at, *rest in rows)


def _read_stored(state: sqlite3.Connection, key: str) -> StoredPage | None:
    rows = state.execute(
        "SELECT fetched_at, final_url, media_type, crawl_id FROM snapshots WHERE url = ? ORDER BY rowid DESC", (key,)
    ).fetchall()
    if not rows:
        return None
    at, address, media_type, crawl_id = rows[0]
    return StoredPage(len(rows), datetime.fromisoformat(at), address, media_type, crawl_id)


def _read_host(store: StoreReader, host: str) -> HostFacts:
    """The last crawl is the newest that knew the host."""
    state = store.state
    row = state.execute(
        "SELECT max(crawl_id) FROM (SELECT crawl_id FROM endings WHERE host = ?1"
        " UNION SELECT crawl_id FROM skips WHERE host = ?1)",
        (host,),
    ).fetchone()
    crawl_id: str | None = row[0]
    endings = () if crawl_id is None else [item for item in read_endings(state, crawl_id) if item.host == host]
    skips = () if crawl_id is None else [item for item in store.read_skips(crawl_id) if item.host == host]
    (page_count,) = state.execute("SELECT count(*) FROM urls WHERE host = ?", (host,)).fetchone()
    return HostFacts(
        host=host,
        known=page_count,
        robots=read_robots(state, host),
        rights=page_rights.read_host(state, host),
        paused_until=host_pace.read_pause_end(state, host),
        crawl_id=crawl_id,
        endings=tuple(endings),
        skips=tuple(skips),
    )

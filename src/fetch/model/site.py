"""What may be fetched, and how politely."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from fetch.model.revisit import Revisit
from fetch.model.skips import SkipReason
from fetch.model.traps import is_trap


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one request. Sizes in bytes, times in seconds."""

    wire_bytes: int = 10_000_000
    decoded_bytes: int = 20_000_000
    header_bytes: int = 64_000
    connect_s: float = 10.0
    read_s: float = 20.0
    total_s: float = 60.0
    redirects: int = 5
    attempts: int = 3
    backoff_s: float = 0.5
    retry_after_max_s: float = 120.0
    breaker: int = 10
    """Failures in a row after which a host is left alone for the rest of the run."""


REVISIT = Revisit()


@dataclass(frozen=True, slots=True)
class Site:
    """One site. `hosts` are matched exactly. Patterns are searched in path and query; no `include` means all of it.

    `resolve` sends a host to a given address and port, as curl's --resolve does. Private and loopback addresses are
    refused unless `allow_private`. `start_urls` are fetched whatever `include` says. Links more than `max_depth` away
    from a start address are left: an endless calendar ends there.
    """

    hosts: tuple[str, ...]
    start_urls: tuple[str, ...]
    sitemaps: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    delay_s: float = 1.0
    connections: int = 2
    max_pages: int = 100_000
    max_bytes: int = 10_000_000_000
    max_depth: int = 20
    resolve: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    allow_private: bool = False
    limits: Limits = Limits()
    revisit: Revisit = REVISIT

    def has_host(self, url: str) -> bool:
        """Whether a canonical address is on one of the hosts, at the default port or that of a start address."""
        parts = urlsplit(url)
        is_host = any(parts.hostname == host.lower() for host in self.hosts)
        return is_host and (parts.port is None or any(parts.port == urlsplit(start).port for start in self.start_urls))

    def left_out(self, url: str) -> SkipReason | None:
        """Why a canonical address is not to be fetched; None where it is in scope."""
        if not self.has_host(url):
            return "other_host"
        parts = urlsplit(url)
        place = parts.path + (f"?{parts.query}" if parts.query else "")
        if any(re.search(pattern, place) for pattern in self.exclude):
            return "excluded"
        if self.include and not any(re.search(pattern, place) for pattern in self.include):
            return "not_included"
        return "trap" if is_trap(url) else None

    def covers(self, url: str) -> bool:
        """Whether a canonical address is in scope."""
        return self.left_out(url) is None

    def origin(self, host: str) -> str:
        """Scheme, host and port to ask for robots.txt: those of a start address of the host, else https."""
        for start in map(urlsplit, self.start_urls):
            if start.hostname == host:
                return f"{start.scheme.lower()}://{start.netloc.rpartition('@')[2].lower()}"
        return f"https://{host}"

    def own(self, url: str) -> str:
        """A canonical address as this site spells it: one page, one address.

        http becomes https on a host that is visited over https. Where a host is named with `www.` and without, the one
        named first stands for both.
        """
        parts = urlsplit(url)
        host = parts.hostname or ""
        own_host = self.main_host(host)
        if own_host != host:
            url = parts._replace(netloc=parts.netloc.replace(host, own_host)).geturl()
        is_upgraded = parts.scheme == "http" and parts.port is None
        if is_upgraded and self.origin(own_host).startswith("https:"):
            return url.replace("http:", "https:", 1)
        return url

    def main_host(self, host: str) -> str:
        """The host that stands for this one; itself where the site names only one of the two."""
        names = [name.lower() for name in self.hosts]
        if host not in names:
            return host
        return next(name for name in names if name.removeprefix("www.") == host.removeprefix("www."))

"""What may be fetched, and within which limits."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import time
from functools import lru_cache
from urllib.parse import unquote_plus

from verdicts.fetch.model.addresses import (
    WebAddress,
    compile_address_pattern,
    find_host,
    is_loopback,
    normalize_host_port,
    split_address,
)
from verdicts.fetch.model.fetch_errors import ContactMissing
from verdicts.fetch.model.outcome import SkipReason
from verdicts.fetch.model.url_state import Revisit


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one request. Sizes in bytes, times in seconds.

    `attempts` includes the first request. `backoff_s` is the longest wait after the first failed attempt; it doubles
    each time. `breaker`: a host is given up for this run after so many failures in a row. `longest_wait_s`: a host that
    asks for a longer pause, by Retry-After or Crawl-delay, is left for this run.
    """

    wire_bytes: int = 10_000_000
    decoded_bytes: int = 20_000_000
    header_bytes: int = 64_000
    connect_s: float = 10.0
    read_s: float = 20.0
    total_s: float = 60.0
    redirects: int = 5
    attempts: int = 3
    backoff_s: float = 0.5
    longest_wait_s: float = 600.0
    breaker: int = 10


REVISIT = Revisit()


@dataclass(frozen=True, slots=True)
class Site:
    """One site. `hosts` match exactly, in the form of addresses: `xn--fa-hia.de` for `Faß.de`.

    Another port is another host: `a.example:8080`. A host without a port stands for those of its start URLs, or else
    for the default ones. Patterns search path and query of an address; without `include` every address is included, and
    `start_urls` always are. `resolve` connects a name to a given address and port, as curl's --resolve does. Private
    and loopback addresses need `allow_private`. `ignore_parameters` are query parameters that do not change a page.
    Links more than `max_depth` away from a start URL are skipped, which ends an endless calendar. `delay_s` is the time
    between two requests to a host, `connections` the workers per host. A run ends after `max_pages` pages are asked
    for, after `max_bytes` on the wire, and at `ends_at` in UTC.

    `headers` (names in lower case), `cookies` and `auth` (`user:password`) go to `hosts` alone. They and `proxy` may be
    `env:NAME`, which only the client reads. `ca_file` is trusted beside the system's authorities. The first group of
    each of `link_patterns` is an address in a page. `reads_tdm_file`: hosts are asked for their `tdmrep.json`, too.
    """

    hosts: tuple[str, ...]
    start_urls: tuple[str, ...]
    sitemaps: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    ignore_parameters: tuple[str, ...] = ()
    delay_s: float = 1.0
    connections: int = 2
    max_pages: int = 100_000
    max_bytes: int = 10_000_000_000
    max_depth: int = 20
    ends_at: time | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    auth: str | None = None
    proxy: str | None = None
    ca_file: str | None = None
    link_patterns: tuple[str, ...] = ()
    resolve: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    allow_private: bool = False
    reads_tdm_file: bool = False
    limits: Limits = Limits()
    revisit: Revisit = REVISIT

    def __post_init__(self) -> None:
        hosts = (host for written in self.hosts for host in _add_ports(normalize_host_port(written), self.start_urls))
        object.__setattr__(self, "hosts", tuple(dict.fromkeys(hosts)))
        object.__setattr__(
            self, "resolve", {normalize_host_port(host): address for host, address in self.resolve.items()}
        )

    @property
    def home(self) -> str:
        return self.hosts[0]

    @property
    def all_hosts(self) -> tuple[str, ...]:
        """The hosts, each once, by their preferred name."""
        return tuple(dict.fromkeys(map(self.prefer_host, self.hosts)))

    def has_host(self, url: str) -> bool:
        """Whether an address is on one of the hosts."""
        return find_host(url) in self.hosts

    def skip_reason(self, url: str) -> SkipReason | None:
        """Why an address is not fetched; None if it is in scope."""
        if not self.has_host(url):
            return SkipReason.OTHER_HOST
        if next(_match_patterns(self.exclude, url), None) is not None:
            return SkipReason.EXCLUDED
        if self.include and next(_match_patterns(self.include, url), None) is None:
            return SkipReason.NOT_INCLUDED
        return SkipReason.TRAP if is_trap(url) else None

    def find_pattern(self, url: str) -> str | None:
        """The `exclude` pattern that skips an address, or all of `include` if none matches; else None."""
        match self.skip_reason(url):
            case SkipReason.EXCLUDED:
                return repr(next(_match_patterns(self.exclude, url)))
            case SkipReason.NOT_INCLUDED:
                return ", ".join(map(repr, self.include))
            case _:
                return None

    def covers(self, url: str) -> bool:
        return self.skip_reason(url) is None

    def origin(self, host: str) -> str:
        """Scheme, host and port of the host's robots.txt: those of its first start URL, else https."""
        schemes = (start.scheme for start in _parse_addresses(self.start_urls) if start.netloc == host)
        return f"{next(schemes, 'https')}://{host}"

    def prefer_address(self, address: str) -> str:
        """An address at the host that the site prefers, without `ignore_parameters`; the rest stays as written.

        http becomes https on a host that is crawled over https. If the config names a host with and without `www.`, the
        first one stands for both.
        """
        parts = split_address(address)
        if parts is None or parts.netloc not in self.hosts:
            return address
        host = self.prefer_host(parts.netloc)
        is_http = parts.scheme == "http" and (parts.port or not self.origin(host).startswith("https:"))
        return f"{'http' if is_http else 'https'}://{host}{self.drop_parameters(parts.target)}"

    def drop_parameters(self, address: str) -> str:
        """An address without `ignore_parameters`."""
        path, mark, query = address.partition("?")
        if not mark or not self.ignore_parameters:
            return address
        names = frozenset(self.ignore_parameters)
        pairs = [pair for pair in query.split("&") if unquote_plus(pair.partition("=")[0]) not in names]
        return f"{path}?{'&'.join(pairs)}" if pairs else path

    def prefer_host(self, host: str) -> str:
        """The first of two hosts in the config that differ only by `www.`; else the host itself."""
        if host not in self.hosts:
            return host
        return next(name for name in self.hosts if name.removeprefix("www.") == host.removeprefix("www."))


def _match_patterns(patterns: Iterable[str], url: str) -> Iterator[str]:
    """The patterns that are in path and query of an address."""
    address = split_address(url)
    searched = "" if address is None else address.target
    return (pattern for pattern in patterns if compile_address_pattern(pattern).is_in(searched))


def _add_ports(host: str, start_urls: tuple[str, ...]) -> Iterator[str]:
    """The host, or if it has no port, those of its start URLs."""
    starts = [start for start in _parse_addresses(start_urls) if host in {start.netloc, start._replace(port="").netloc}]
    yield from [start.netloc for start in starts] or [host]


@lru_cache(maxsize=100)
def _parse_addresses(start_urls: tuple[str, ...]) -> tuple[WebAddress, ...]:
    """Invalid start URLs are reported elsewhere, when they are added."""
    return tuple(address for start in start_urls if (address := split_address(start)) is not None)


SEGMENTS_MAX = 16
REPEATS_MAX = 2
"""`/a/b/a/b/a/b`: a relative link that should have been absolute."""
PARAMETERS_MAX = 6
"""Facets multiply: `?color=..&size=..&brand=..&page=..`."""


def is_trap(url: str) -> bool:
    address = split_address(url)
    if address is None:
        return False
    segments = [segment for segment in address.path.split("/") if segment]
    if len(segments) > SEGMENTS_MAX or (address.query or "").count("&") >= PARAMETERS_MAX:
        return True
    return len(segments) > REPEATS_MAX and max(Counter(segments).values()) > REPEATS_MAX


CONTACT = re.compile(r"(?:https?://|[^\s@]@)([^\s@/:;,)]+\.[^\s.@/:;,)]+|[^\s@/:;,)]+(?=[/:]))", re.IGNORECASE)
"""The host of a page or a mailbox: `+https://a.example/bot`, `me@a.example`."""
EXAMPLE_HOST = re.compile(r"(.+\.)?example\.(org|com|net)", re.IGNORECASE)
"""Hosts of nobody (RFC 2606, 3), which stand in templates."""


def check_contact(sites: Sequence[Site], user_agent: str) -> None:
    """Raises `ContactMissing` if a host is not loopback and the User-Agent names neither a page nor a mailbox.

    One at an example host reaches nobody.
    """
    if all(_is_loopback(site, host) for site in sites for host in site.hosts):
        return
    contacts = CONTACT.findall(user_agent)
    if not contacts:
        raise ContactMissing(
            f"the user agent {user_agent!r} names no contact; add the address of a page or a mailbox to it"
        )
    if all(EXAMPLE_HOST.fullmatch(host) for host in contacts):
        raise ContactMissing(
            f"the user agent {user_agent!r} names only an example as contact; put your own page or mailbox into it"
        )


def _is_loopback(site: Site, host: str) -> bool:
    parts = split_address(f"http://{host}")
    name = "" if parts is None else parts.host
    resolved = site.resolve.get(host) or site.resolve.get(name)
    return is_loopback(name if resolved is None else resolved[0])

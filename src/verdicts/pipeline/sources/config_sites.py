"""The keys of `[[site]]`: what is crawled, how politely, and what its requests carry."""

import re
from collections.abc import Callable, Mapping
from datetime import time, timedelta
from functools import partial
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from verdicts.fetch.model.addresses import (
    BadUrl,
    canonicalize,
    compile_address_pattern,
    compile_link_pattern,
    normalize_host_port,
    remove_credentials,
)
from verdicts.fetch.model.site import Limits, Site
from verdicts.fetch.model.url_state import Revisit
from verdicts.pipeline.sources.config_sections import ENVIRONMENT, Section

DELAY_MAX_S = 3_600
"""One hour between requests: with more, a night would fetch ten pages."""

HOURS_MAX = 10 * 366 * 24
"""Ten years, which means never."""

COUNT_MAX = 10**9

PAGE_MB_MAX = 500
"""A page is held in memory several times."""

OWN_KEYS = {
    "user-agent": "it has its own key, user_agent",
    "cookie": "write cookies = { name = 'value' }",
    "proxy-authorization": "write proxy = 'env:NAME' with user and password in it",
}
"""Headers that have another key."""

OURS = frozenset({"accept-encoding", "connection", "content-length", "host", "range", "te", "transfer-encoding"})
"""Headers that decide how an answer is read."""

_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
"""RFC 9110, 5.6.2: a token."""

_COOKIE_NAME = re.compile(r"[^\s;,=\"]+")
_COOKIE_VALUE = re.compile(r"[^\s;,\"\\]*")
"""RFC 6265, 4.1.1."""


def _check_host(name: str) -> str:
    try:
        return normalize_host_port(name)
    except BadUrl:
        hint = "write 'example.org', or 'example.org:8080' for another port, without https:// and path"
        raise ValueError(f"{name!r} is not a host; {hint}") from None


def _check_address(url: str) -> str:
    # A crawl sends no credentials but those of `auth`, and messages print the address.
    url = remove_credentials(url)
    canonicalize(url)
    return url


def _make_validator(check: Callable[[str], object]) -> AfterValidator:
    """Keeps a text that the check lets pass, which raises ValueError otherwise."""
    return AfterValidator(lambda text: (check(text), text)[1])


def _check_headers(headers: Mapping[str, str]) -> Mapping[str, str]:
    for name, value in headers.items():
        key = name.lower()
        if not _HEADER_NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not the name of a header")
        if key in OWN_KEYS:
            raise ValueError(f"{name} cannot be set here; {OWN_KEYS[key]}")
        if key in OURS:
            raise ValueError(f"{name} cannot be set: the crawl decides it for each request")
        if not (value and value.isascii() and value.isprintable()):
            raise ValueError(f"the value of {name} must be printable ASCII, as in a header")
        if key == "authorization":
            _check_secret(name, value)
    return {name.lower(): value for name, value in headers.items()}


def _check_cookies(cookies: Mapping[str, str]) -> Mapping[str, str]:
    for name, value in cookies.items():
        if not (name.isascii() and _COOKIE_NAME.fullmatch(name)):
            raise ValueError(f"{name!r} is not the name of a cookie")
        if not (value.isascii() and _COOKIE_VALUE.fullmatch(value)):
            raise ValueError(f"the value of {name} has a character that cookies may not have, such as a space or ';'")
    return cookies


def _check_secret(key: str, value: str) -> None:
    # The message does not repeat the value.
    if not value.startswith(ENVIRONMENT) or value == ENVIRONMENT:
        raise ValueError(f"{key} is a secret; put it into the environment, and write 'env:NAME' here")


def _check_proxy(value: str) -> str:
    if value.startswith(ENVIRONMENT):
        return value
    if not re.match(r"https?://[^/]", value):
        raise ValueError("it is not a proxy; write 'http://proxy.example:3128'; SOCKS is not supported")
    if "@" in value:
        _check_secret("a proxy's password", value)
    return value


Host = Annotated[str, AfterValidator(_check_host)]
Address = Annotated[str, AfterValidator(_check_address)]
Pattern = Annotated[str, _make_validator(compile_address_pattern)]
Hours = Annotated[float, Field(ge=0, le=HOURS_MAX)]


class SiteConfig(Section):
    """One `[[site]]` of the config. `env:NAME` takes a value from the environment, so that no file has it."""

    hosts: tuple[Host, ...] = Field(min_length=1)
    """Matched exactly; if you list a name with and without `www.`, the first counts for both; `faß.de` or
    `xn--fa-hia.de`. Another port is another host: `a.example:8080`. A name without a port uses the ports of its
    start URLs."""
    start_urls: tuple[Address, ...] = Field(min_length=1)
    """Fetched even if no pattern matches; the crawl follows their links."""
    sitemaps: tuple[Address, ...] = ()
    """Read instead of those that robots.txt names."""
    include: tuple[Pattern, ...] = ()
    """Regular expressions, searched in path and query as browsers send them, by
    [RE2](https://github.com/google/re2/wiki/Syntax) (no look-around). A URL must match one of them, if there are
    any."""
    exclude: tuple[Pattern, ...] = ()
    """The same for URLs that are left out."""
    ignore_parameters: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Rare: names of query parameters that change nothing on a page, such as `sid`; pages are requested without "
    "them."""
    delay_s: float = Field(default=1.0, ge=0, le=DELAY_MAX_S)
    """Seconds between two requests to a host; Crawl-delay and slow responses make it longer."""
    connections: int = Field(default=2, ge=1, le=16)
    """Concurrent requests to a host."""
    max_pages: int = Field(default=100_000, ge=1, le=COUNT_MAX)
    """Maximum number of pages in a night."""
    max_mb: int = Field(default=10_000, ge=1, le=COUNT_MAX)
    """Maximum number of megabytes in a night, as sent."""
    max_page_mb: float = Field(default=10, gt=0, le=PAGE_MB_MAX)
    """Maximum number of megabytes of a page as sent, and twice as many decoded; a larger page is `too_large`."""
    ends_at: time | None = None
    """A time of day in UTC, such as `06:00`: no page is requested after it; the rest comes first next time."""
    headers: Annotated[Mapping[str, str], AfterValidator(_check_headers)] = Field(default={})
    """Sent with every request to the hosts of this site, and to no other: `{ accept-language = "de" }`. A value may be
    `env:NAME`; that of `authorization` must be."""
    cookies: Annotated[Mapping[str, str], AfterValidator(_check_cookies)] = Field(default={})
    """The same for cookies: `{ consent = "yes", session = "env:SHOP_SESSION" }`. Cookies that a page sets live as
    long as the visit to it."""
    auth: Annotated[str, _make_validator(partial(_check_secret, "auth"))] | None = None
    """`env:NAME` of `user:password`, sent to the hosts of this site as basic auth."""
    proxy: Annotated[str, AfterValidator(_check_proxy)] | None = None
    """`http://proxy.example:3128`, or `env:NAME` if it has a password; it finds the hosts' addresses. Left out:
    `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` of the environment count, loopback excepted."""
    ca_file: Annotated[str, Field(min_length=1)] | None = None
    """A PEM file with certificates of your own authority, trusted beside those of the system."""
    link_patterns: tuple[Annotated[str, _make_validator(compile_link_pattern)], ...] = ()
    """Rare: regular expressions that are searched in each page; the first group is an address:
    `data-href="([^"]+)"`."""
    max_depth: int = Field(default=20, ge=0, le=COUNT_MAX)
    """Rare: maximum number of links from a start URL to a page."""
    revisit_hours: tuple[Hours, Hours] = (20, 336)
    """Shortest and longest interval between two visits to a page, in hours."""
    export_reserved: bool = False
    """The owner of these hosts lets you pass on texts that their pages reserve, so they are in the dataset, too."""
    allow_private: bool = False
    """Rare: private and loopback addresses may be requested, for tests and intranets."""

    @model_validator(mode="after")
    def _check_starts(self) -> Self:
        site = self.site()
        for start in (*self.start_urls, *self.sitemaps):
            if not site.has_host(start):
                raise ValueError(f"{start} is not on any of the hosts {', '.join(self.hosts)}")
        return self

    @model_validator(mode="after")
    def _check_hours(self) -> Self:
        least, most = self.revisit_hours
        if least > most:
            raise ValueError("revisit_hours are the shortest and the longest interval: [20, 336]")
        return self

    def site(self) -> Site:
        """The site as the fetcher needs it."""
        least, most = (timedelta(hours=hours) for hours in self.revisit_hours)
        values = self.model_dump(exclude={"export_reserved", "max_mb", "max_page_mb", "revisit_hours"})
        page_bytes = int(self.max_page_mb * 1_000_000)
        limits = Limits(wire_bytes=page_bytes, decoded_bytes=2 * page_bytes)
        values |= {"max_bytes": self.max_mb * 1_000_000, "reads_tdm_file": True}
        return Site(**values, limits=limits, revisit=Revisit(least, most))

"""Outcomes of attempts, and reasons why an address was not requested."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Self, TypeAlias

from verdicts.corpus.enumerations import OutcomeClass

Kind: TypeAlias = Literal["settled", "failure", "transient"]


class _Explained(StrEnum):
    """Members are value, meaning and kind; the value is the stored string."""

    meaning: str
    is_failure: bool
    is_transient: bool

    def __new__(cls, value: str, meaning: str = "", kind: Kind = "settled") -> Self:  # a lookup gives the value only
        member = str.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        member.is_failure = kind != "settled"
        member.is_transient = kind == "transient"
        return member


class Outcome(_Explained):
    """Column `outcome` of `fetches`.

    `settled`: the host's answer or a rule, such as a 404 or robots.txt. `failure`: as the last outcome of a URL it
    makes the run partial. `transient`: a failure that another attempt may cure.
    """

    STORED = "stored", "a new snapshot was written to the raw store"
    UNCHANGED = "unchanged", "the page has not changed: 304, or the same bytes"
    SUPPORT = "support", "robots.txt, a sitemap or a feed, read and not kept"
    REDIRECTED = "redirected", "the host, or a refresh of the page, leads to another address"
    NOT_FOUND = "not_found", "404"
    GONE = "gone", "410"
    SOFT_404 = "soft_404", "200, and the page's title says that there is no such page"
    CLIENT_ERROR = "client_error", "another 4xx: the host refuses this address"
    BLOCKED = "blocked", "403", "failure"
    WALL = "wall", "something other than the page: a captcha, a queue, a stub, a login", "failure"
    LOGIN = "login", "the address leads to a login page, and never showed anything else"
    SHELL = "shell", "the page shows nothing without JavaScript, and never did"
    DNS_ERROR = "dns_error", "the host name does not resolve", "transient"
    CONNECT_ERROR = "connect_error", "no connection", "transient"
    CONNECT_TIMEOUT = "connect_timeout", "no connection in time", "transient"
    READ_TIMEOUT = "read_timeout", "the host stopped sending", "transient"
    DEADLINE = "deadline", "the whole response took too long", "transient"
    INCOMPLETE = "incomplete", "the response was cut short, or is a part of the page", "transient"
    SERVER_ERROR = "server_error", "5xx", "transient"
    THROTTLED = "throttled", "429: the host asks for a pause", "transient"
    PROTOCOL_ERROR = "protocol_error", "the response is not valid HTTP", "failure"
    DECODE_ERROR = "decode_error", "the content encoding is corrupt or unknown", "failure"
    TOO_LARGE = "too_large", "more bytes than the limit, on the wire or decoded", "failure"
    BLOCKED_ADDRESS = "blocked_address", "the host resolves to an IP address that is not public", "failure"
    TLS_ERROR = "tls_error", "the certificate cannot be trusted", "failure"
    REDIRECT_LIMIT = "redirect_limit", "too many redirects, or redirects in a circle", "failure"
    OUT_OF_SCOPE = "out_of_scope", "a redirect leads out of the site"
    UNEXPECTED_STATUS = "unexpected_status", "a status without a whole page, such as 202 or 300", "failure"
    EMPTY = "empty", "200 without content, 204 or 205", "failure"
    NOT_A_PAGE = "not_a_page", "neither HTML nor text"
    ROBOTS_DENIED = "robots_denied", "robots.txt forbids it"
    NOINDEX = "noindex", "the page asks not to be stored"
    ALIAS = "alias", "the page names another address of the site, and is stored under that one"
    UNREADABLE = "unreadable", "the file cannot be read", "failure"
    INTERNAL_ERROR = "internal_error", "this program failed on the address; its log has the traceback", "failure"


FAILURES = tuple(outcome for outcome in Outcome if outcome.is_failure)

CLASSES: dict[str, OutcomeClass] = {
    outcome.value: "failed"
    if outcome.is_failure
    else "answered"
    if outcome in (Outcome.STORED, Outcome.UNCHANGED)
    else "other"
    for outcome in Outcome
}
"""Outcome to `fetches.outcome_class`."""


class SkipReason(_Explained):
    """Why a URL is skipped."""

    OTHER_HOST = "other_host", "links to hosts that the config does not name"
    OTHER_SITE = "other_site", "links to hosts of another [[site]], which has its own start URLs"
    EXCLUDED = "excluded", "links that an exclude pattern matches"
    NOT_INCLUDED = "not_included", "links that no include pattern matches"
    TRAP = "trap", "links shaped like a trap: repeated path segments, too many parts or parameters"
    TOO_DEEP = "too_deep", "links further from a start URL than max_depth"
    TOO_MANY = "too_many", "pages with unread links: links after the first 10,000, or beyond 4 MB"
    PARAMETER = "parameter", "known URLs with a parameter of ignore_parameters"
    NOFOLLOW = "nofollow", "links that the page asks not to follow"
    NOT_DUE = "not_due", "known URLs that are not due yet"
    BUDGET = "budget", "due URLs left when max_pages, max_mb or ends_at was reached"
    HOST_DOWN = "host_down", "due URLs left when the host had failed too often in a row"
    PAUSED = "paused", "due URLs left because the host asks for a longer pause than a run waits"
    ROBOTS_UNREAD = "robots_unread", "due URLs left because robots.txt could not be read"
    INTERRUPTED = "interrupted", "due URLs left when the run was stopped"
    FORGOTTEN = "forgotten", "pages that 'verdicts forget' erased for ever"
    REVISIT = "revisit", "records of an archive that only repeat an earlier record"


OF_HOSTS = frozenset(
    {SkipReason.NOT_DUE, SkipReason.BUDGET, SkipReason.HOST_DOWN, SkipReason.PAUSED, SkipReason.ROBOTS_UNREAD}
)
"""Why the rest of a host is left; the other reasons are those of single links."""


@dataclass(frozen=True, slots=True)
class SkipRecord:
    """How many URLs of a host a crawl skipped for one reason, with one example and what decided it."""

    host: str
    reason: str
    skipped: int
    example: str
    detail: str | None = None


Left: TypeAlias = dict[str, tuple[Outcome | SkipReason, str | None]]
"""Hosts that are not asked again in this run, to why their other addresses are left and what decided it."""

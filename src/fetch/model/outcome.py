"""The outcome of an attempt: what it means, whether it is a failure, whether another attempt may succeed."""

from enum import StrEnum
from typing import Literal, Self, TypeAlias

from verdicts.corpus.enumerations import OutcomeClass

Kind: TypeAlias = Literal["settled", "failure", "transient"]


class Outcome(StrEnum):
    """Column `outcome` of `fetches`; the value is the stored string.

    Members are written as value, meaning and kind. `settled`: the host's answer, or a rule that was kept, such as a 404
    or a robots.txt that forbids. `failure`: if it is the last outcome of a URL, the run is partial. `transient`: a
    failure after which another attempt may succeed.
    """

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

    STORED = "stored", "a new snapshot was written to the raw store"
    UNCHANGED = "unchanged", "the page is as it was: 304, or the same bytes"
    SUPPORT = "support", "robots.txt or a sitemap, read and not kept"
    REDIRECTED = "redirected", "the host, or a refresh of the page, leads to another address"
    NOT_FOUND = "not_found", "404"
    GONE = "gone", "410"
    SOFT_404 = "soft_404", "200, and the page's title says that there is no such page"
    CLIENT_ERROR = "client_error", "another 4xx: the host refuses this address"
    BLOCKED = "blocked", "403, or a page that asks for proof of being human", "failure"
    DNS_ERROR = "dns_error", "the host name does not resolve", "transient"
    CONNECT_ERROR = "connect_error", "no connection", "transient"
    CONNECT_TIMEOUT = "connect_timeout", "no connection in time", "transient"
    READ_TIMEOUT = "read_timeout", "the host stopped sending", "transient"
    DEADLINE = "deadline", "the whole response took too long", "transient"
    INCOMPLETE = "incomplete", "the response ended before its end, or is a part of the page", "transient"
    SERVER_ERROR = "server_error", "5xx", "transient"
    THROTTLED = "throttled", "429: the host asks for a pause", "transient"
    PROTOCOL_ERROR = "protocol_error", "the response is not valid HTTP", "failure"
    DECODE_ERROR = "decode_error", "the content encoding is corrupt or unknown", "failure"
    TOO_LARGE = "too_large", "more bytes than the limit, on the wire or decoded", "failure"
    BLOCKED_ADDRESS = "blocked_address", "the host resolves to an IP address that is not public", "failure"
    TLS_ERROR = "tls_error", "the certificate cannot be trusted", "failure"
    REDIRECT_LIMIT = "redirect_limit", "too many redirects, or redirects in a circle", "failure"
    OUT_OF_SCOPE = "out_of_scope", "a redirect leads out of the site"
    UNEXPECTED_STATUS = "unexpected_status", "a status that promises no whole page, such as 202 or 300", "failure"
    EMPTY = "empty", "200 without content, 204 or 205", "failure"
    NOT_A_PAGE = "not_a_page", "neither HTML nor text"
    ROBOTS_DENIED = "robots_denied", "robots.txt forbids it, or could not be read"
    NOINDEX = "noindex", "the page asks not to be kept"
    ALIAS = "alias", "the page is held under another address of the site, which it names"
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
"""Outcome to `fetches.outcome_class`: the page came (new or as it was), it was settled without a page, or it failed."""

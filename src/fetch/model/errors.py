"""Why an attempt gave no snapshot.

FetchError                  outcome is what the log says of it
├── Transient               worth another try: dns_error, connect_error, connect_timeout, read_timeout, deadline,
│                           incomplete, server_error, throttled
└── Permanent               another try gives the same: protocol_error, decode_error, too_large, blocked_address,
                            tls_error, redirect_limit, out_of_scope
ContactMissing              a live crawl without a contact in its User-Agent
StoreLocked                 another run holds the data folder
StoreMissing                nothing to read yet
StorageFailed               the disk refused
"""

from typing import Literal, TypeAlias

Outcome: TypeAlias = Literal[
    "stored",
    "unchanged",
    "support",
    "redirected",
    "not_found",
    "gone",
    "soft_404",
    "client_error",
    "blocked",
    "dns_error",
    "connect_error",
    "connect_timeout",
    "read_timeout",
    "deadline",
    "incomplete",
    "server_error",
    "throttled",
    "protocol_error",
    "decode_error",
    "too_large",
    "blocked_address",
    "tls_error",
    "redirect_limit",
    "out_of_scope",
    "empty",
    "not_a_page",
    "robots_denied",
    "noindex",
    "alias",
    "unreadable",
]

MEANINGS: dict[Outcome, str] = {
    "stored": "a new snapshot lies in the raw store",
    "unchanged": "the page is as it was: 304, or the same bytes",
    "support": "robots.txt or a sitemap, read and not kept",
    "redirected": "the address answers elsewhere",
    "not_found": "404",
    "gone": "410",
    "soft_404": "200, and the page says that there is none",
    "client_error": "another 4xx: the host refuses this address",
    "blocked": "403, or a page that asks whether we are human",
    "dns_error": "the host has no address",
    "connect_error": "no connection",
    "connect_timeout": "no connection in time",
    "read_timeout": "the host stopped answering",
    "deadline": "the whole answer took too long",
    "incomplete": "the answer ended before its end",
    "server_error": "5xx",
    "throttled": "429: the host asks for a pause",
    "protocol_error": "not HTTP as it should be",
    "decode_error": "the content encoding is corrupt or unknown",
    "too_large": "more bytes than the limit, on the wire or decoded",
    "blocked_address": "the host resolves to an address that must not be visited",
    "tls_error": "the certificate cannot be trusted",
    "redirect_limit": "too many redirects",
    "out_of_scope": "a redirect leads out of the site",
    "empty": "200 with nothing in it",
    "not_a_page": "neither HTML nor text",
    "robots_denied": "robots.txt forbids it, or could not be read",
    "noindex": "the page asks not to be kept",
    "alias": "the page gives another address of the site as its own",
    "unreadable": "the file cannot be read",
}

FAILURES: tuple[Outcome, ...] = (
    "blocked",
    "dns_error",
    "connect_error",
    "connect_timeout",
    "read_timeout",
    "deadline",
    "incomplete",
    "server_error",
    "throttled",
    "protocol_error",
    "decode_error",
    "too_large",
    "blocked_address",
    "tls_error",
    "redirect_limit",
    "empty",
    "unreadable",
)
"""Last words on an address that make a run partial. A 404 is an answer and none of these, as is a robots.txt's no."""


class FetchError(Exception):
    """An attempt that gave no snapshot. The message is for a person."""

    def __init__(
        self, outcome: Outcome, detail: str, *, status: int | None = None, retry_after_s: float | None = None
    ) -> None:
        super().__init__(detail)
        self.outcome = outcome
        self.detail = detail
        self.status = status
        self.retry_after_s = retry_after_s


class Transient(FetchError):
    """Another try may succeed."""


class Permanent(FetchError):
    """Another try gives the same."""


class ContactMissing(Exception):
    """A crawl of hosts that are not loopback needs a User-Agent that says whom to write to."""


class StoreLocked(Exception):
    """Another run holds the data folder; the message names it."""


class StoreMissing(Exception):
    """The data folder holds nothing to read yet."""


class StorageFailed(Exception):
    """The disk refused: full, read-only, not ours."""

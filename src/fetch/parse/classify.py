"""Whether a whole response is a page to store, and which outcome it is if not. Pure."""

import re

from verdicts.fetch.model.charset.declared import declared_encoding
from verdicts.fetch.model.charset.decoding import in_utf8
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.response import Response

PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml", "text/plain", ""})

STATUSES: dict[int, Outcome] = {403: Outcome.BLOCKED, 404: Outcome.NOT_FOUND, 410: Outcome.GONE}

EMPTY_STATUSES = frozenset({204, 205})

BLANK = b" \t\n\v\f\r\0\xef\xbb\xbf\xfe\xff"
"""Bytes of a page without content: white space, in UTF-16 too, and byte-order marks."""

CHALLENGES = frozenset({"x-amzn-waf-action", "cf-mitigated"})
"""Headers of a page that asks for proof of being human: `x-amzn-waf-action: challenge` with a 202, `cf-mitigated:
challenge`."""

BINARY_STARTS = (b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b", b"RIFF")
BLOCKED_TITLE = re.compile(
    r"(just a moment|attention required|access denied|security check|verify(ing)? you are (a )?human"
    r"|are you (a )?(human|robot))\W*( cloudflare)?",
    re.IGNORECASE,
)
"""`Just a moment...`, `Attention Required! | Cloudflare`. The whole title: a tool may have one of these in its name."""

NOT_FOUND_TITLE = re.compile(
    r"(error )?(404\W+)?(page )?not found(\s*[^\w\s'’].{0,40}| (on|at|in) .{0,40})?|(error )?404( error)?",
    re.IGNORECASE,
)
"""`404 - Page not found | A site`, not `Not found wanting: a review`."""

_TITLE = re.compile(rb"<title[^<>]{0,200}>([^<]{0,300})<", re.IGNORECASE)
_HEAD_BYTES = 65_536


def classify(response: Response) -> tuple[Outcome, str | None]:  # noqa: PLR0911  a table of kinds
    """`Outcome.STORED` for a page, else another outcome and its detail. Not for redirects and 304."""
    status = response.status
    if status >= 400:
        return STATUSES.get(status, Outcome.CLIENT_ERROR), f"the host answers {status}"
    if (challenge := _challenge(response)) is not None:
        return Outcome.BLOCKED, f"the host answers {status} with {challenge}"
    if status in EMPTY_STATUSES or (status == 200 and not response.body.strip(BLANK)):
        return Outcome.EMPTY, "the page has no content"
    title = _title(in_utf8(response.body[:_HEAD_BYTES], response.charset))
    if BLOCKED_TITLE.fullmatch(title):
        return Outcome.BLOCKED, f"the page is titled {title!r}"
    if status != 200:
        return Outcome.UNEXPECTED_STATUS, f"the host answers {status}"
    media_type = response.media_type
    if media_type not in PAGE_TYPES:
        return Outcome.NOT_A_PAGE, media_type
    if _is_binary(response):
        return Outcome.NOT_A_PAGE, f"{media_type or 'no content type'}, and binary"
    if NOT_FOUND_TITLE.fullmatch(title):
        return Outcome.SOFT_404, f"the page is titled {title!r}"
    return Outcome.STORED, None


def _challenge(response: Response) -> str | None:
    return next((name for name, value in response.headers if name in CHALLENGES and "challenge" in value.lower()), None)


def _is_binary(response: Response) -> bool:
    body = response.body
    if body.startswith(BINARY_STARTS):
        return True
    # In UTF-16 a NUL byte is half a letter and no sign of a binary file.
    return b"\0" in body[:1024] and not declared_encoding(body, response.charset).encoding.startswith("utf-16")


def _title(head: bytes) -> str:
    match = _TITLE.search(head)
    return "" if match is None else " ".join(match[1].decode("utf-8", errors="replace").split())

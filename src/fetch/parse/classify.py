"""What a whole answer is: a page, or one of the ways of giving none. Pure."""

import re

from fetch.http.client import Answer
from fetch.model.errors import Outcome

PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml", "text/plain", ""})

STATUSES: dict[int, Outcome] = {403: "blocked", 404: "not_found", 410: "gone"}

BINARY_STARTS = (b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b", b"RIFF")
WIDE_STARTS = (b"\xff\xfe", b"\xfe\xff")
"""Byte order marks of UTF-16, in which NULs are letters."""

BLOCKED_TITLE = re.compile(
    r"(just a moment|attention required|access denied|security check|verify(ing)? you are (a )?human"
    r"|are you (a )?(human|robot))\W*( cloudflare)?",
    re.IGNORECASE,
)
"""`Just a moment...`, `Attention Required! | Cloudflare`. The whole title: a tool may have one of these in its name."""

NOT_FOUND_TITLE = re.compile(r"(error )?(404\W+)?(page )?not found(\W.{0,40})?|(error )?404( error)?", re.IGNORECASE)

_TITLE = re.compile(rb"<title[^<>]{0,200}>([^<]{0,300})<", re.IGNORECASE)
_HEAD_BYTES = 65_536


def judge(answer: Answer) -> tuple[Outcome, str | None]:  # noqa: PLR0911  a table of kinds
    """`stored` for a page worth keeping, else the outcome and why. For answers that neither redirect nor say 304."""
    if answer.status >= 400:
        return STATUSES.get(answer.status, "client_error"), f"the host answers {answer.status}"
    if not answer.body.strip():
        return "empty", "the page has no content"
    media_type = answer.media_type
    if media_type not in PAGE_TYPES:
        return "not_a_page", media_type
    if _is_binary(answer.body):
        return "not_a_page", f"{media_type or 'no content type'}, and binary"
    title = _title(answer.body)
    if BLOCKED_TITLE.fullmatch(title):
        return "blocked", f"the page is titled {title!r}"
    if NOT_FOUND_TITLE.fullmatch(title):
        return "soft_404", f"the page is titled {title!r}"
    return "stored", None


def _is_binary(body: bytes) -> bool:
    if body.startswith(WIDE_STARTS):
        return False
    return body.startswith(BINARY_STARTS) or b"\0" in body[:1024]


def _title(body: bytes) -> str:
    match = _TITLE.search(body[:_HEAD_BYTES])
    return "" if match is None else " ".join(match[1].decode("utf-8", errors="replace").split())

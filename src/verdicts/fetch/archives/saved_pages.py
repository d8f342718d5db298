"""Finds the origin of a saved page: marks that programs leave in it, and the address that it declares. Pure.

Only the head of a page and what stands before it count: anything in the body may come from the author of a text.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from verdicts.fetch.model.addresses import canonicalize, parse_ip_address, split_address
from verdicts.fetch.model.charset import convert_to_utf8
from verdicts.fetch.model.html_tokens import MARKUP, read_attributes
from verdicts.fetch.parse.page_head import read_head


@dataclass(frozen=True, slots=True)
class Origin:
    """The address of a saved page, who says it, and when the page was saved if that is known too.

    `is_certain`: the mark is met in saved files alone. A site made of a saved page shows the mark of a browser or of
    HTTrack to everybody.
    """

    source: str
    url: str
    saved_at: datetime | None = None
    is_certain: bool = False


@dataclass(frozen=True, slots=True)
class SavedPage:
    """`marks` are those of programs, the surest first; `declared` the addresses of `<link rel=canonical>` and og:url.

    `is_index`: a program made the page itself, as HTTrack its list of copied sites.
    """

    marks: tuple[Origin, ...]
    declared: tuple[Origin, ...]
    is_index: bool = False


CANONICAL = "its canonical link"
OG_URL = "its og:url"

_COMMENTS = (
    # `Page saved with SingleFile`, `url: https://...`, `saved date: Thu Mar 10 2022 19:12:36 GMT-0800 (...)`, in lines.
    # Up to 2018 `Archive processed by SingleFile`.
    (
        "SingleFile",
        re.compile(r"(?:Page saved with|Archive processed by) SingleFile\s+url:\s*(\S+)(?:\s+saved date:\s*(.*))?"),
    ),
    # `Saved from https://... at 2023-12-01T10:30:45Z using monolith v2.7.0`
    ("monolith", re.compile(r"Saved from (\S+) at (\S+) using monolith\b")),
    # `OriginalSrc: https://...`, in lines with the title and the tags
    ("MaoXian", re.compile(r"OriginalSrc: (\S+)()")),
    # `saved from url=(0042)https://...`; the number is the length of the address.
    ("a browser", re.compile(r"saved from url=\(\d+\)(\S+)()", re.IGNORECASE)),
    # `Mirrored from a.example/b.html by HTTrack Website Copier/3.x [XR&CO'2014], Thu, 15 Aug 2024 02:22:35 GMT`
    ("HTTrack", re.compile(r"Mirrored from (\S+) by HTTrack Website Copier/[^,]*,\s*(.*)")),
)
_CERTAIN = frozenset({"SingleFile", "monolith", "Save Page WE", "WebScrapBook", "MaoXian"})

_INDEX = re.compile(r"(?:Created by|Mirror and index made by) HTTrack Website Copier")
"""Also the page that stands for a redirect: `Page has moved`."""

_IN_HEAD = re.compile(
    rb"<(?:/|[!?]|(?:html|head|base|link|meta|script|style|title|noscript|template|img|iframe)\b)", re.I
)
"""What may stand in a head; pictures and frames, as measuring sites put them into `noscript`."""

_TAIL_BYTES = 4_000

_JS_DATE = re.compile(r"\w{3} (\w{3} \d\d? \d{4} \d\d:\d\d:\d\d) GMT([+-]\d{4})")
"""JavaScript's date: `Thu Mar 10 2022 19:12:36 GMT-0800 (Pacific Standard Time)`, the zone in any language."""

_ARCHIVED = re.compile(
    r"https?://(?:web\.archive\.org/web|archive\.(?:today|ph|is|li|vn|md|fo))/([0-9.-]{4,17})(?:[a-z]{2}_)?/"
    r"(https?:)/{1,2}(.+)"
)
"""`https://web.archive.org/web/20240102030405if_/https://...`; wget writes one slash after `https:`."""

_ARCHIVE_HOST = re.compile(r"https?://(?:web\.archive\.org|archive\.(?:today|ph|is|li|vn|md|fo))/")


def read_saved_page(content: bytes) -> SavedPage:
    """Reads the marks and declarations of a page, whatever it holds."""
    body = convert_to_utf8(content)
    comments: list[str] = []
    metas: dict[str, str] = {}
    scrapbook: dict[bytes, str] = {}
    bookmark = ""
    for markup in MARKUP.finditer(body):
        token = markup[0]
        if not _IN_HEAD.match(token):
            break
        lower = token[:6].lower()
        if token.startswith(b"<!--"):
            comments.append(token[4:].removesuffix(b"-->").decode(errors="replace").lstrip())
        elif lower == b"<meta ":
            meta = read_attributes(token[6:-1], (b"name", b"property", b"content"))
            name = (meta.get(b"property") or meta.get(b"name") or "").strip().lower()
            metas.setdefault(name, meta.get(b"content", "").strip())
        elif lower == b"<html ":
            scrapbook = read_attributes(token[6:-1], (b"data-scrapbook-source", b"data-scrapbook-create"))
        elif lower == b"<link ":
            link = read_attributes(token[6:-1], (b"rel", b"href"))
            if link.get(b"rel", "").lower() == "bookmark":
                bookmark = link.get(b"href", "")
    _, ends, tail = body[-_TAIL_BYTES:].rpartition(b"</body>")
    begun = [part.partition(b"-->") for part in (tail if ends else b"").split(b"<!--")[1:]]
    comments += [comment.decode(errors="replace").lstrip() for comment, end, _ in begun if end]
    marks = [
        Origin(name, mark[1], _parse_date(mark[2] or ""))
        for comment in comments
        for name, pattern in _COMMENTS
        if (mark := pattern.match(comment)) is not None
    ]
    marks += [
        Origin("Save Page WE", metas.get("savepage-url", ""), _parse_date(metas.get("savepage-date", ""))),
        Origin(
            "WebScrapBook",
            scrapbook.get(b"data-scrapbook-source", ""),
            _parse_date(scrapbook.get(b"data-scrapbook-create", "")),
        ),
    ]
    declared = [Origin(CANONICAL, url) for url in dict.fromkeys(read_head(body, "").canonicals)]
    declared += [Origin(OG_URL, metas.get("og:url", ""))]
    usable = [origin for mark in marks if (origin := resolve_origin(mark, bookmark)) is not None]
    certain = [replace(mark, is_certain=True) for mark in usable if mark.source in _CERTAIN]
    return SavedPage(
        (*certain, *(mark for mark in usable if mark.source not in _CERTAIN)),
        tuple(origin for address in declared if (origin := resolve_origin(address, bookmark)) is not None),
        is_index=any(_INDEX.match(comment) for comment in comments),
    )


def resolve_origin(origin: Origin, bookmark: str = "") -> Origin | None:
    """The origin with an address on the web. A copy in a public archive has the page's address and the copy's date.

    None for an address that other machines cannot open: `about:internet`, `file:`, `http://localhost:3000/`. `bookmark`
    is the long address that archive.today declares beside a short one.
    """
    url = f"https://{origin.url}" if origin.source == "HTTrack" and "://" not in origin.url else origin.url
    if _ARCHIVE_HOST.match(url):
        archived = _ARCHIVED.fullmatch(url) or _ARCHIVED.fullmatch(bookmark)
        if archived is None:
            return None
        url = f"{archived[2]}//{archived[3]}"
        origin = replace(origin, saved_at=_parse_date(re.sub(r"\D", "", archived[1])))
    address = split_address(url)
    if address is None or "." not in address.host or parse_ip_address(address.host) is not None:
        return None
    try:
        canonicalize(url)
    except ValueError:
        return None
    return replace(origin, url=address.url)


def _parse_date(text: str) -> datetime | None:
    """A date by JavaScript, RFC 822, ISO 8601, or in 14 digits and more; UTC if it names no zone."""
    text = text.strip()
    if (written := _JS_DATE.match(text)) is not None:
        return _parse_with(written[1] + written[2], "%b %d %Y %H:%M:%S%z")
    if text[:14].isdecimal():
        return _parse_with(text[:14], "%Y%m%d%H%M%S")
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = parse(text)
            return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return None


def _parse_with(text: str, form: str) -> datetime | None:
    try:
        moment = datetime.strptime(text, form)  # noqa: DTZ007  a date without a zone is UTC
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None

"""What the head of an HTML page declares: base, canonical URLs, robots directives, refresh. Pure.

The head ends as in browsers (HTML standard, 13.2.6.4): at the body tag, or at the first text or element that no head
may hold. Anything in the body, in comments, scripts, templates, `noscript` or attributes may come from the author of a
text, and declares nothing.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from verdicts.fetch.model.charset import UTF_8_MARK
from verdicts.fetch.model.html_tokens import (
    ATTRIBUTES,
    BOGUS_COMMENT,
    COMMENT,
    SCRIPT_TEXT,
    make_raw_text_pattern,
    read_attributes,
)
from verdicts.fetch.model.snapshot import Headers, parse_media_type
from verdicts.fetch.parse.tdm import NO_TDM, Tdm, read_tdm

NOINDEX = frozenset({"noindex", "none"})
NOFOLLOW = frozenset({"nofollow", "none"})

RESERVING = frozenset({"noarchive", "nocache", "nosnippet", "noai", "noml"})
"""Directives that keep the texts from others.

Google: `noarchive` no copy, `nosnippet` no excerpt. Bing, September 2023: `noarchive` and `nocache` no training.
DeviantArt, November 2022, read by img2dataset: `noai`. noml.info: `noml`.
"""

_SPLIT = re.compile(r"[\s,]+")
_AGENT = re.compile(r"\s*+([A-Za-z][A-Za-z0-9_-]*+|\*)\s*+:(.*)", re.DOTALL)
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
"""Directives with a value after a colon: the name before it is not a robot's."""


@dataclass(frozen=True, slots=True)
class Directives:
    """`is_noindex`: the page must not be stored. `is_nofollow`: none of its links may be followed.

    `unavailable_after` is the moment from which the page must not be stored, if it names one. `reserving` are the words
    that keep its texts from others.
    """

    is_noindex: bool = False
    is_nofollow: bool = False
    unavailable_after: datetime | None = None
    reserving: frozenset[str] = frozenset()

    def __or__(self, other: "Directives") -> "Directives":
        if other is NO_DIRECTIVES:
            return self
        moments = [moment for moment in (self.unavailable_after, other.unavailable_after) if moment is not None]
        return Directives(
            self.is_noindex or other.is_noindex,
            self.is_nofollow or other.is_nofollow,
            min(moments, default=None),
            self.reserving | other.reserving,
        )


NO_DIRECTIVES = Directives()

_UNAVAILABLE = re.compile(r"unavailable_after\s*+:\s*+((?:[a-z]{3,9},\s*+)?[^,]*+)", re.IGNORECASE)
"""`unavailable_after: Friday, 25-Aug-2007 15:00:00 EST, noarchive`: a comma may be part of the date."""


_NO_SNIPPET = re.compile(r"max-snippet\s*+:\s*+0(?![0-9])")
"""The same as `nosnippet`."""


def parse_directives(content: str) -> Directives:
    """The directives in the content of a meta element: `noindex, nofollow`."""
    lower = content.lower()
    names = set(_SPLIT.split(lower))
    date = _UNAVAILABLE.search(content) if "unavailable" in lower else None
    reserving = RESERVING & names | ({"max-snippet:0"} if _NO_SNIPPET.search(lower) else set())
    moment = None if date is None else _parse_moment(date[1].strip())
    return Directives(bool(names & NOINDEX), bool(names & NOFOLLOW), moment, reserving)


def _parse_moment(date: str) -> datetime | None:
    """A date as Google documents them: RFC 822, RFC 850 or ISO 8601; UTC if it names no zone."""
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = parse(date)
            return moment.replace(tzinfo=moment.tzinfo or UTC)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return None


def read_header_directives(headers: Iterable[tuple[str, str]], token: str) -> Directives:
    """All `X-Robots-Tag` headers for every robot or for `token`, our product token in lower case.

    A name before a colon is the robot of the directives after it, up to the next name.
    """
    directives = NO_DIRECTIVES
    for name, value in headers:
        if name != "x-robots-tag":
            continue
        is_ours = True
        for part in value.split(","):
            match = _AGENT.fullmatch(part)
            if match is not None and match[1].lower() not in _VALUED:
                is_ours = match[1].lower() in {token, "*"}
                part = match[2]
            if is_ours:
                directives |= parse_directives(part)
        if is_ours and "," in value:
            # `Friday, 25-Aug-2007` is one date.
            directives |= Directives(unavailable_after=parse_directives(value).unavailable_after)
    return directives


DELAY_MAX_S = 5
"""Up to this delay the page is a redirect; after it, a page to read. Nutch has the same limit."""

LENGTH_MAX = 4_000
"""The most characters; no address is longer."""

_TIME = re.compile(r"[\t\n\f\r ]*+(?=[0-9.])([0-9]*+)[0-9.]*+(?=[\t\n\f\r ;,]|\Z)[\t\n\f\r ]*+[;,]?+[\t\n\f\r ]*+")
_TARGET = re.compile(
    r"(?>(?:url[\t\n\f\r ]*+=[\t\n\f\r ]*+)?)(?:\"([^\"]*+)|'([^']*+)|(.*))", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Refresh:
    """An address as written, and the seconds after which a browser goes there."""

    delay_s: int
    target: str

    @property
    def is_redirect(self) -> bool:
        return self.delay_s <= DELAY_MAX_S


def parse_refresh(content: str) -> Refresh | None:
    """Parsed as in browsers (HTML standard, 4.2.5.3). None without an address: the page reloads itself."""
    content = content[:LENGTH_MAX]
    time = _TIME.match(content)
    if time is None:
        return None
    target = _TARGET.match(content, time.end())
    assert target is not None
    address = (target[1] or target[2] or target[3] or "").strip()
    # Nine digits are thirty years; Python refuses to parse thousands.
    return Refresh(int(time[1][:9] or 0), address) if address else None


NOT_THE_PAGE = frozenset({"hreflang", "lang", "media", "type"})
"""A canonical link with one of these names another version; search engines ignore it.

Google, "How to specify a canonical URL".
"""

_LINK = re.compile(r"""<([^<>]*+)>((?>(?:[^<",]++|"[^"]*+(?:"|\Z))*))""")
_PARAMETER = re.compile(r""";[ \t]*+([^\s=;,"]++)[ \t]*+(?>(?:=[ \t]*+(?:"([^"]*+)|([^\s;,"]*+)))?)""")


def read_canonical_links(headers: Headers) -> list[str]:
    """The addresses as written, in the order sent."""
    targets = []
    for name, value in headers:
        if name != "link":
            continue
        for target, rest in _LINK.findall(value):
            parameters = {key.lower(): double or bare for key, double, bare in reversed(_PARAMETER.findall(rest))}
            is_canonical = "canonical" in parameters.get("rel", "").lower().split()
            if is_canonical and target.strip() and "anchor" not in parameters and not NOT_THE_PAGE & parameters.keys():
                targets.append(target)
    return targets


FEEDS = frozenset({"application/rss+xml", "application/atom+xml"})

TAGS_MAX = 5_000
"""The most tags read of a head, including those in templates."""

_TOKEN = re.compile(
    rb"[\t\n\f\r ]*+(?:(?P<text>[^<]++)|<(?:(?P<closes>/?)(?P<name>[a-zA-Z][^\t\n\f\r />]*+)(?P<rest>"
    + ATTRIBUTES
    + rb")(?P<ends>>?)"
    rb"|" + COMMENT + rb"|" + BOGUS_COMMENT + rb"))"
)
_RAW_TEXT = {b"script": re.compile(SCRIPT_TEXT)} | {
    name: re.compile(make_raw_text_pattern(name))
    for name in (b"title", b"style", b"noframes", b"noscript", b"textarea", b"xmp", b"iframe", b"noembed")
}
_IN_HEAD = frozenset({b"title", b"style", b"noframes", b"noscript", b"script", b"template"})
_EMPTY_IN_HEAD = frozenset({b"html", b"head", b"base", b"basefont", b"bgsound", b"link", b"meta"})
_BODY_ENDS = frozenset({b"body", b"html", b"br"})
"""End tags that open a missing body."""
_LINKED = (b"canonical", b'"next', b"'next", b"=next", b" next", b"rss+xml", b"atom+xml")
"""With what stands before it: `/_next/static/x.css` is in each page of many sites."""
_OTHER_VERSION = tuple(name.encode() for name in sorted(NOT_THE_PAGE))


class PageHead(NamedTuple):
    """What a head declares; addresses as written. `refresh` is the content of the first one: `0; url=/x`.

    `canonicals` are those of `<link rel=canonical>` without an attribute of `NOT_THE_PAGE`. `links` are those of
    `<link rel=next>`, and of feeds. `tdm` is the last statement on text and data mining.
    """

    base: str | None
    canonicals: tuple[str, ...]
    directives: Directives
    refresh: str | None
    links: tuple[str, ...] = ()
    tdm: Tdm = NO_TDM


def read_head(body: bytes, token: str) -> PageHead:
    """The head of a page in UTF-8. `token` is our product token in lower case, which a meta element may name."""
    base: str | None = None
    refresh: str | None = None
    canonicals: list[str] = []
    links: list[str] = []
    directives = NO_DIRECTIVES
    tdm: dict[str, str] = {}
    robots = {name for name in ("robots", token) if name}
    wanted = [name.encode() for name in ("refresh", "tdm-", *robots)]
    for name, rest in _list_empty_elements(body):
        if name == b"base" and base is None:
            base = read_attributes(rest, (b"href",)).get(b"href")
        elif name == b"link" and _may_hold(rest, _LINKED):
            values = read_attributes(rest, (b"rel", b"href", *_OTHER_VERSION))
            relations = values.get(b"rel", "").lower().split()
            is_feed = "alternate" in relations and parse_media_type(values.get(b"type")) in FEEDS
            if (is_feed or "next" in relations) and values.get(b"href", "").strip():
                links.append(values[b"href"])
            if (
                "canonical" in relations
                and values.get(b"href", "").strip()
                and not any(key in values for key in _OTHER_VERSION)
            ):
                canonicals.append(values[b"href"])
        elif name == b"meta" and _may_hold(rest, wanted):
            values = read_attributes(rest, (b"name", b"content", b"http-equiv"))
            content = values.get(b"content", "")
            meta = values.get(b"name", "").strip().lower()
            if meta in robots:
                directives |= parse_directives(content)
            elif meta.startswith("tdm-"):
                tdm[meta] = content
            if refresh is None and values.get(b"http-equiv", "").strip().lower() == "refresh" and content:
                refresh = content
    return PageHead(base, tuple(canonicals), directives, refresh, tuple(links), read_tdm(tdm))


def _may_hold(rest: bytes, words: Iterable[bytes]) -> bool:
    """A cheap test before attributes are parsed: most elements of a head are styles. `&` may spell anything."""
    lower = rest.lower()
    return b"&" in lower or any(word in lower for word in words)


def _list_empty_elements(body: bytes) -> list[tuple[bytes, bytes]]:
    elements: list[tuple[bytes, bytes]] = []
    position = len(UTF_8_MARK) if body.startswith(UTF_8_MARK) else 0
    is_closed, templates = False, 0
    for _ in range(TAGS_MAX):
        token = _TOKEN.match(body, position)
        if token is None:
            break
        position = token.end()
        text, closes, name, rest, ends = token.groups()
        if text is not None and not templates:
            break
        if name is None:
            continue
        name = name.lower()
        if closes:
            templates -= bool(name == b"template" and templates)
            is_closed = is_closed or (name == b"head" and not templates)
            if name in _BODY_ENDS and not templates:
                break
            continue
        # After `</head>` browsers still add all but `noscript` to it.
        is_in_head = name in _EMPTY_IN_HEAD or (name in _IN_HEAD and not (is_closed and name == b"noscript"))
        if not ends or not (templates or is_in_head):
            break
        templates += name == b"template"
        if name in _RAW_TEXT:
            raw = _RAW_TEXT[name].match(body, position)
            position = position if raw is None else raw.end()
        elif name in _EMPTY_IN_HEAD and not templates:
            elements.append((name, rest))
    return elements

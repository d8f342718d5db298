"""Reads an HTML page for the crawl: links, robots directives, canonical URL, refresh. Pure.

Tags are matched as in browsers, in time linear in the page. No tree is built: that costs more than the download
(Lexbor: 0.6 ms for 100 KB), and a hostile page can make it take minutes.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from html import unescape
from itertools import islice
from typing import NamedTuple

from verdicts.fetch.model.addresses import (
    REMEMBERED_MAX,
    BadUrl,
    canonicalize,
    compile_link_pattern,
    encode_query,
    find_base,
    parse_address,
    resolve_address,
    split_address,
)
from verdicts.fetch.model.html_tokens import (
    ATTRIBUTES,
    BOGUS_COMMENT,
    COMMENT,
    NAME_ENDS,
    SCRIPT_TEXT,
    make_raw_text_pattern,
    read_attributes,
)
from verdicts.fetch.model.snapshot import SEARCHED_BYTES, Headers, Response, read_header
from verdicts.fetch.parse.page_head import (
    NO_DIRECTIVES,
    Directives,
    PageHead,
    Refresh,
    parse_refresh,
    read_canonical_links,
)

_A = rb"[aA](?>(?:(?i:rea))?)" + NAME_ENDS + rb"(" + ATTRIBUTES + rb")(?:>|\Z)"
"""A link of the page, or one of an image map."""
_FRAME = rb"[fF](?i:rame)" + NAME_ENDS + rb"(" + ATTRIBUTES + rb")(?:>|\Z)"
_IFRAME = rb"[iI](?i:frame)" + NAME_ENDS + rb"(" + ATTRIBUTES + rb")(?:>" + make_raw_text_pattern(b"iframe") + rb"|\Z)"
_LINK = _A + rb"|" + _FRAME + rb"|" + _IFRAME
_RAW_TEXTS = {b"[sS](?i:cript)": SCRIPT_TEXT} | {
    b"[%c%c](?i:%b)" % (name[0], name[0] - 32, name[1:]): make_raw_text_pattern(name)
    for name in (b"style", b"textarea", b"xmp", b"noembed", b"noframes")
}
"""By name; the first letter is a set, which is tried fast. `noscript` is left out: its links count."""
_TITLE_TEXT = rb"[^<]{0,300}+(?>(?:<(?!/)[^<]{0,300}+){0,10})"
_TITLE = rb"[tT](?i:itle)" + NAME_ENDS + ATTRIBUTES + rb"(?<!/)>" + _TITLE_TEXT + rb"</(?i:title)"
"""Closed and short: the `<title/>` of an inline SVG, or an unclosed one, would hide the rest of the page."""
_RAW = (name + NAME_ENDS + ATTRIBUTES + rb"(?:>" + text + rb"|\Z)" for name, text in _RAW_TEXTS.items())
_HIDDEN = rb"|".join((*_RAW, _TITLE, COMMENT, BOGUS_COMMENT))
_LANDMARK = re.compile(
    # Most tags of a page: end tags, and names that no element above begins with.
    rb"<(?!/[a-zA-Z]|[b-eghj-mo-ru-wyzB-EGHJ-MO-RU-WYZ]|[sS][^cCtT])(?:" + _LINK + rb"|" + _HIDDEN + rb")"
)
"""A link, or what may hide one. Other tags are not read: `_is_outside_tags` tells whether it lies in one of them."""

_NEXT_LINK = re.compile(
    rb"(?>(?:[^<]++|<(?![a-zA-Z!?/])|<(?:"
    + _HIDDEN
    + rb")|<(?:/|(?!(?:[aA](?>(?:(?i:rea))?)|[iI]?+[fF](?i:rame))"
    + NAME_ENDS
    + rb"))[a-zA-Z]"
    rb"[^\t\n\f\r />]*+" + ATTRIBUTES + rb"(?:>|\Z))*)(?:<(?:" + _LINK + rb")|\Z)"
)
"""A link and everything before it, tag by tag."""

_BLANKS = b"\t\n\f\r "
BLANKS_MAX = 100
"""The most blanks that are looked at between `=` and a quote."""

_RELATIVE_TO_SCHEME = frozenset("/\\\t\n\r")
r"""After a slash these may begin a host: `/\host`. Browsers skip blanks in an address."""

LINKS_MAX = 10_000
"""The most links read of a page; Heritrix reads 6,000."""


class PageLinks(NamedTuple):
    """What a page links to.

    `links` are addresses in page order, each once, without the `nofollow` ones, which are only counted. `canonical` is
    the address of the one page that head and headers name as canonical; None if they name several. `refresh` has an
    absolute target. `is_cut`: the page has more links or bytes than are read.
    """

    links: tuple[str, ...]
    nofollow: int
    canonical: str | None
    directives: Directives
    refresh: Refresh | None
    is_cut: bool = False


def read_page_links(response: Response, url: str, head: PageHead, patterns: Sequence[str] = ()) -> PageLinks:
    """The links of the page at `url`, whose head is read already: those of its head, its tags and `patterns`."""
    base = find_base(url, head.base)
    written = head.links if not patterns else (*head.links, *_find_matches(response.head, patterns))
    links = {target: None for href in written if (target := _resolve_href(href, base)) is not None}
    nofollow = 0
    anchors = _find_anchors(response.head)
    for anchor in islice(anchors, LINKS_MAX):
        href, is_nofollow = (_remembered if len(anchor) <= REMEMBERED_MAX else _read_anchor)(anchor)
        if is_nofollow:
            nofollow += 1
            continue
        if href is not None and not href.isascii() and response.encoding != "utf-8":
            href = encode_query(href, response.encoding)
        if (target := _resolve_href(href, base)) is not None:
            links[target] = None
    return PageLinks(
        links=tuple(links),
        nofollow=nofollow,
        canonical=_choose_canonical([(href, base) for href in head.canonicals], url, response.headers),
        directives=head.directives,
        refresh=_choose_refresh(head.refresh, base, url, response.headers),
        is_cut=len(response.body) > SEARCHED_BYTES or next(anchors, None) is not None,
    )


def _find_matches(body: bytes, patterns: Sequence[str]) -> Iterator[str]:
    matches = (match for pattern in patterns for match in compile_link_pattern(pattern).finditer(body))
    for match in islice(matches, LINKS_MAX):
        yield unescape((match[1] or b"").decode(errors="replace"))


def _find_anchors(body: bytes) -> Iterator[bytes]:
    """The attributes of each link. From the first landmark on that may lie in a tag, every tag is read."""
    end = 0
    for landmark in _LANDMARK.finditer(body):
        if not _is_outside_tags(body, end, landmark.start()):
            yield from (match[match.lastindex] for match in _NEXT_LINK.finditer(body, end) if match.lastindex)
            return
        end = landmark.end()
        if landmark.lastindex:
            yield landmark[landmark.lastindex]


def _is_outside_tags(body: bytes, start: int, position: int) -> bool:
    """Whether a place is surely in no tag, if `start` is in none.

    The last `>` before it ends a tag or stands in a text, unless it is in a quoted value: then the last quote before it
    opens that value, and follows `=`. A text may end so, too, but rarely does.
    """
    closed = body.rfind(b">", start, position)
    if body.find(b"<", max(start, closed), position) >= 0:
        return False
    return closed < 0 or not (_may_open_value(body, b'"', start, closed) or _may_open_value(body, b"'", start, closed))


def _may_open_value(body: bytes, quote: bytes, start: int, end: int) -> bool:
    position = body.rfind(quote, start, end)
    return position >= 0 and body[max(start, position - BLANKS_MAX) : position].rstrip(_BLANKS)[-1:] in {b"=", b""}


def _read_anchor(anchor: bytes) -> tuple[str | None, bool]:
    """The address of a link, and whether it is not to be followed."""
    values = read_attributes(anchor, (b"href", b"rel", b"src"))
    # Only a frame has `src`.
    return values.get(b"href", values.get(b"src")), "nofollow" in values.get(b"rel", "").lower().split()


_remembered = lru_cache(maxsize=4_000)(_read_anchor)
"""Pages of a site share most of their links."""


def read_header_links(url: str, headers: Headers) -> PageLinks:
    """The links and directives in the headers of a page that is not HTML."""
    return PageLinks(
        (), 0, _choose_canonical([], url, headers), NO_DIRECTIVES, _choose_refresh(None, url, url, headers)
    )


def read_refresh(headers: Headers, url: str, head: PageHead) -> Refresh | None:
    """The redirect that browsers follow from the page; None if the page is there to be read."""
    refresh = _choose_refresh(head.refresh, find_base(url, head.base), url, headers)
    return refresh if refresh is not None and refresh.is_redirect else None


def _choose_canonical(in_head: list[tuple[str, str]], url: str, headers: Headers) -> str | None:
    """The first canonical address; None if another one is of another page.

    A `Link` header counts like the head, and is relative to the page, not to its base (RFC 8288, 3.2).
    """
    declared = [*in_head, *((href, url) for href in read_canonical_links(headers))]
    pages: dict[str, str] = {}
    for href, base in declared:
        with suppress(BadUrl):
            address = resolve_address(href, base)
            pages.setdefault(canonicalize(address), address)
    return next(iter(pages.values())) if len(pages) == 1 else None


def _choose_refresh(content: str | None, base: str, url: str, headers: Headers) -> Refresh | None:
    """The refresh of a page; its header comes first. A target that is not on the web is ignored."""
    header = read_header(headers, "refresh")
    for text, relative_to in ((header, url), (content, base)):
        if text and (refresh := parse_refresh(text)) is not None:
            try:
                return replace(refresh, target=parse_address(refresh.target, relative_to).url)
            except BadUrl:
                continue
    return None


@lru_cache(maxsize=100)
def _find_origin(base: str) -> str:
    page = split_address(base)
    return "" if page is None else f"{page.scheme}://{page.netloc}"


def _resolve_href(href: str | None, base: str) -> str | None:
    if href is None:
        return None
    try:
        if href.startswith("/") and href[1:2] not in _RELATIVE_TO_SCHEME:
            # Nearly all links are absolute paths on many pages: their form is cached without the page.
            return resolve_address(f"{_find_origin(base)}{href}")
        return resolve_address(href, None if href.startswith(("http://", "https://")) else base)
    except BadUrl:
        return None

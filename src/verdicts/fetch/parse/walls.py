"""Recognizes pages that stand in place of a page: walls, logins, shells without text. Pure.

`walls.toml` has the products. A page with much text is never one of these: an article may quote all of their markers.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import islice
from pathlib import Path
from urllib.parse import unquote

from verdicts.fetch.model.addresses import split_address
from verdicts.fetch.model.snapshot import TEXT_COUNTED, Response
from verdicts.fetch.parse.content import FEW_WORDS, TEXT_LEAST, has_facts, split_text, split_words

TEXT_MAX = TEXT_COUNTED
"""The most bytes of text on a wall: that of Anubis has about 1,200, with its explanation unfolded."""

LINKS_MAX = 5
"""The most links on a wall: to its product, to terms and privacy."""

SEARCHED = 65_536
"""Bytes in which markers are searched."""

SHELL_TEXT_MAX = 100
"""The most bytes of text on a shell: `Loading...`."""

LOGIN_TEXT_MAX = 500
"""The most bytes of text on a login: two labels, and how to get a new password."""

DATA_WORDS_MAX = 30
"""The most words in the data of a shell: its name, its settings."""

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", ""})

_LINK = re.compile(rb"<a\s", re.IGNORECASE)
_TITLE = re.compile(rb"<title[^<>]{0,200}>([^<]{0,300})<", re.IGNORECASE)
_TITLE_ELEMENT = re.compile(rb"<title[^<>]{0,200}>[^<]{0,2000}</title", re.IGNORECASE)
_PASSWORD = re.compile(rb"<input\b[^<>]*\btype\s*=\s*[\"']?password", re.IGNORECASE)
_SHOWN = re.compile(
    rb"<(?:a|img|picture|svg|iframe|frame|object|embed|video|canvas|table|form|input)[\s/>]", re.IGNORECASE
)
_HREF = re.compile(rb"<a\s[^<>]*?\bhref\s*=\s*[\"']?\s*([^\"'\s<>]*)", re.IGNORECASE)
_NOSCRIPT = re.compile(rb"<noscript[^<>]*>(.{0,20000}?)</noscript", re.IGNORECASE | re.DOTALL)
_ENDS = " .…!?。"


@dataclass(frozen=True, slots=True)
class Wall:
    product: str
    headers: tuple[tuple[str, str], ...]
    markers: tuple[bytes, ...]
    titles: frozenset[str]
    addresses: tuple[str, ...]


_DECLARED = tomllib.loads(Path(__file__).with_name("walls.toml").read_text(encoding="utf-8"))
WALLS: Sequence[Wall] = tuple(
    Wall(
        wall["product"],
        tuple((name, value.strip()) for name, _, value in (line.partition(":") for line in wall.get("headers", ()))),
        tuple(marker.encode() for marker in wall.get("markers", ())),
        frozenset(wall.get("titles", ())),
        tuple(wall.get("addresses", ())),
    )
    for wall in _DECLARED["wall"]
)
_HEADERS = {(name, value): wall for wall in WALLS for name, value in wall.headers}
_HEADER_NAMES = frozenset(name for name, _ in _HEADERS)
_TITLES = {title: wall for wall in WALLS for title in wall.titles}
_LOGIN_LAST, _LOGIN_ANY = frozenset(_DECLARED["login"]["last"]), frozenset(_DECLARED["login"]["any"])
_LOGIN_TITLES = frozenset(_DECLARED["login"]["titles"])
_MOUNT = re.compile(
    rb"<(?:app-root\b|[a-z]+\s[^<>]*\bid\s*=\s*[\"']?(?:"
    + "|".join(map(re.escape, _DECLARED["shell"]["ids"])).encode()
    + rb")[\"'\s>])",
    re.IGNORECASE,
)


def find_wall(response: Response) -> str | None:
    """The product of a wall, and the mark that shows it; None for other responses."""
    for name, value in response.headers:
        if name in _HEADER_NAMES:
            wall = _HEADERS.get((name, value.strip().lower())) or _HEADERS.get((name, "*"))
            if wall is not None:
                return f"{wall.product} (header {name})"
    if response.is_redirect:
        return _find_wall_behind(response.header("location") or "")
    if not _may_be_wall(response, TEXT_MAX):
        return None
    body = response.head[:SEARCHED]
    marked = next(((wall, marker) for wall in WALLS for marker in wall.markers if marker in body), None)
    title = read_title(body)
    titled = next((_TITLES[part] for part in _split_title(title) if part in _TITLES), None)
    if marked is not None:
        return f"{marked[0].product} ({marked[1].decode()!r} in its source)"
    return None if titled is None else f"{titled.product} (title {title!r})"


def _find_wall_behind(location: str) -> str | None:
    products = (wall.product for wall in WALLS for part in wall.addresses if part in location)
    product = next(products, None)
    return None if product is None else f"{product} (leads to {location[:200]})"


def read_text(response: Response) -> bytes:
    """The text between the tags of a page, its title and `noscript` included, in UTF-8."""
    return b" ".join(split_text(response.head))


def read_title(body: bytes) -> str:
    match = _TITLE.search(body, 0, SEARCHED)
    return "" if match is None else " ".join(unescape(match[1].decode("utf-8", errors="replace")).split())


def _split_title(title: str) -> Iterator[str]:
    """`access denied`, from `Access Denied - Sucuri Website Firewall`: the whole title, then its first part."""
    lower = title.lower().replace("\u2019", "'").replace("¿", "")
    yield from (part.strip(_ENDS) for part in (lower, *re.split(r" [|–—-] ", lower)[:2]))


def _may_be_wall(response: Response, text_max: int) -> bool:
    """A cheap test: most pages have more text, and many links."""
    if response.media_type not in HTML_TYPES or response.text_bytes > text_max:
        return False
    return next(islice(_LINK.finditer(response.body), LINKS_MAX, None), None) is None


def is_login_address(target: str, source: str) -> bool:
    """Whether a redirect leads to a login from `source`, which is not a login itself."""
    address, origin = split_address(target), split_address(source)
    if address is None or origin is None or address.path == origin.path:
        return False
    parts = [part.lower() for part in address.path.split("/") if part]
    is_last = bool(parts) and parts[-1] in _LOGIN_LAST
    leads_back = len(origin.path) > 1 and origin.path in unquote(unquote(address.query or ""))
    return is_last or (leads_back and not (_LOGIN_ANY | _LOGIN_LAST).isdisjoint(parts))


def leads_to_login(response: Response, url: str) -> bool:
    """Whether a response for `url` redirects to a login."""
    target = split_address(response.header("location") or "", url) if response.is_redirect else None
    return target is not None and is_login_address(target.url, url)


def is_login_form(body: bytes) -> bool:
    return _PASSWORD.search(body) is not None


def shows_login(response: Response) -> bool:
    """Whether a page is a login form and says so in its title, unlike a page with a form in its header."""
    body = response.head
    if not _may_be_wall(response, LOGIN_TEXT_MAX) or not is_login_form(body):
        return False
    return any(part in _LOGIN_TITLES for part in _split_title(read_title(body)))


def is_shell(response: Response) -> bool:
    """Whether a page shows nothing, or `Loading...`, until its scripts run."""
    body = response.head
    if response.media_type not in HTML_TYPES or _SHOWN.search(body) or b"<script" not in body.lower():
        return False
    visible = _TITLE_ELEMENT.sub(b" ", _NOSCRIPT.sub(b" ", body))
    text = b" ".join(split_text(visible))
    if len(text) > SHELL_TEXT_MAX or len(split_words(visible)) - len(text.split()) > DATA_WORDS_MAX:
        return False
    says_so = any(b"javascript" in words.lower() for words in _NOSCRIPT.findall(body))
    return not text or says_so or _MOUNT.search(body) is not None


def says_little(response: Response) -> bool:
    """Whether a page has few words, in its text and in its data, and no facts."""
    body = response.head
    is_small = response.status == 200 and response.media_type in HTML_TYPES and len(body) <= SEARCHED
    # In this order, as facts take as long to search for as all else: most pages end with their first words.
    has_little_text = is_small and response.text_bytes < TEXT_LEAST
    return has_little_text and len(split_words(body)) < FEW_WORDS and not has_facts(body)


def links_within(response: Response, url: str, hosts: Collection[str]) -> bool:
    """Whether a page links to another page on one of these hosts. A wall has no menu."""
    page = split_address(url)
    hrefs = (unescape(href.decode("utf-8", errors="replace")) for href in _HREF.findall(response.head))
    targets = (split_address(href, url) for href in hrefs)
    return any(
        page and target and target.netloc in hosts and (target.netloc, target.path) != (page.netloc, page.path)
        for target in targets
    )

"""What the head of an HTML page declares: base, canonical URLs, robots directives, refresh. Pure.

The head as browsers see it (HTML standard, 13.2.6.4): it ends where the body begins, by its tag or by the first text or
element that no head may hold. What stands in the body, in comments, scripts, templates, `noscript` or in an attribute
of another tag may be the work of whoever wrote the text, and declares nothing.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from verdicts.fetch.parse.html_tokens import ATTRIBUTES, BOGUS_COMMENT, COMMENT, SCRIPT_TEXT, attributes, raw_text
from verdicts.fetch.parse.link_header import NOT_THE_PAGE
from verdicts.fetch.parse.robots_directives import Directives, directives_of

TAGS_MAX = 5_000
"""Tags of a head that are read, those in its templates too."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TOKEN = re.compile(
    rb"[\t\n\f\r ]*+(?:(?P<text>[^<]++)|<(?:(?P<closes>/?)(?P<name>[a-zA-Z][^\t\n\f\r />]*+)(?P<rest>"
    + ATTRIBUTES
    + rb")(?P<ends>>?)"
    rb"|" + COMMENT + rb"|" + BOGUS_COMMENT + rb"))"
)
_RAW_TEXT = {b"script": re.compile(SCRIPT_TEXT)} | {
    name: re.compile(raw_text(name))
    for name in (b"title", b"style", b"noframes", b"noscript", b"textarea", b"xmp", b"iframe", b"noembed")
}
_IN_HEAD = frozenset({b"title", b"style", b"noframes", b"noscript", b"script", b"template"})
_EMPTY_IN_HEAD = frozenset({b"html", b"head", b"base", b"basefont", b"bgsound", b"link", b"meta"})
_BODY_ENDS = frozenset({b"body", b"html", b"br"})
"""End tags that begin a body where there is none."""
_OTHER_VERSION = tuple(name.encode() for name in sorted(NOT_THE_PAGE))


@dataclass(frozen=True, slots=True)
class PageHead:
    """What a head declares; addresses as they are written. `refresh` is the content of the first one: `0; url=/x`.

    `canonicals` are those of `<link rel=canonical>` without an attribute of `NOT_THE_PAGE`.
    """

    base: str | None
    canonicals: tuple[str, ...]
    directives: Directives
    refresh: str | None


def read_head(body: bytes, token: str) -> PageHead:
    """The head of a page in UTF-8. `token`: our product token in lower case, which a meta element may name."""
    base: str | None = None
    refresh: str | None = None
    canonicals: list[str] = []
    directives = Directives()
    robots = {name for name in ("robots", token) if name}
    wanted = [name.encode() for name in ("refresh", *robots)]
    for name, rest in _empty_elements(body):
        if name == b"base" and base is None:
            base = attributes(rest, (b"href",)).get(b"href")
        elif name == b"link" and _may_hold(rest, (b"canonical",)):
            found = attributes(rest, (b"rel", b"href", *_OTHER_VERSION))
            is_canonical = "canonical" in found.get(b"rel", "").lower().split()
            if is_canonical and found.get(b"href", "").strip() and not any(key in found for key in _OTHER_VERSION):
                canonicals.append(found[b"href"])
        elif name == b"meta" and _may_hold(rest, wanted):
            found = attributes(rest, (b"name", b"content", b"http-equiv"))
            content = found.get(b"content", "")
            if found.get(b"name", "").strip().lower() in robots:
                directives |= directives_of(content)
            if refresh is None and found.get(b"http-equiv", "").strip().lower() == "refresh" and content:
                refresh = content
    return PageHead(base, tuple(canonicals), directives, refresh)


def _may_hold(rest: bytes, words: Iterable[bytes]) -> bool:
    """Whether attributes are worth reading: most elements of a head are styles and cards. `&` may spell anything."""
    lower = rest.lower()
    return b"&" in lower or any(word in lower for word in words)


def _empty_elements(body: bytes) -> list[tuple[bytes, bytes]]:
    """Name and attributes of the base, link and meta elements in the head."""
    elements: list[tuple[bytes, bytes]] = []
    position = len(_BYTE_ORDER_MARK) if body.startswith(_BYTE_ORDER_MARK) else 0
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
        if not ends or not (templates or _may_stand_in_head(name, is_closed=is_closed)):
            break
        templates += name == b"template"
        if name in _RAW_TEXT:
            raw = _RAW_TEXT[name].match(body, position)
            position = position if raw is None else raw.end()
        elif name in _EMPTY_IN_HEAD and not templates:
            elements.append((name, rest))
    return elements


def _may_stand_in_head(name: bytes, *, is_closed: bool) -> bool:
    """Whether a start tag leaves the head open. After `</head>` browsers still put all but `noscript` into the head."""
    return name in _EMPTY_IN_HEAD or (name in _IN_HEAD and not (is_closed and name == b"noscript"))

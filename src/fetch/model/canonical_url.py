"""Canonical URLs: one per page. Neither courlan nor w3lib gives a safe key, so the rules are written here."""

import re
import string
from functools import lru_cache
from urllib.parse import parse_qsl, quote, quote_plus

from verdicts.fetch.model.addresses.web_address import LENGTH_LIMIT, BadUrl, parse_address

__all__ = ["TRACKING", "BadUrl", "canonicalize"]

TRACKING = re.compile(
    r"utm_\w+|gclid|fbclid|dclid|msclkid|mc_cid|mc_eid|igshid|yclid|_ga|ref_src|phpsessid|jsessionid", re.IGNORECASE
)
"""Query parameters that never change what a page says."""

REMEMBERED_MAX = 500
"""Characters of an address whose canonical form is remembered: what a hostile page says once is not kept."""

_SESSION = re.compile(r";jsessionid=[^/?#]*", re.IGNORECASE)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})|%")
_UNRESERVED = frozenset(string.ascii_letters + string.digits + "-._~")
_PATH_SAFE = "/-._~!$&'()*+,;=:@%"


def canonicalize(url: str, base: str | None = None) -> str:
    """The canonical form of a URL, resolved against `base` where that is given. Idempotent. Raises `BadUrl`.

    Scheme and host are in lower case; default port, fragment, user info, session and tracking parameters are removed;
    dot segments are resolved, percent-encoding is normalised, parameters are sorted, a path ends without a slash.
    """
    return (_remembered if len(url) <= REMEMBERED_MAX else _canonicalize)(url, base)


def _canonicalize(url: str, base: str | None) -> str:
    address = parse_address(url, base)
    canonical = f"{address.scheme}://{address.netloc}{_path(address.path)}"
    if query := _query(address.query):
        canonical += f"?{query}"
    if len(canonical) > LENGTH_LIMIT:
        raise BadUrl(f"{url[:80]!r}... is longer than {LENGTH_LIMIT:,} characters")
    return canonical


_remembered = lru_cache(maxsize=20_000)(_canonicalize)
"""A site's pages have most of their links in common."""


def _path(path: str) -> str:
    segments: list[str] = []
    for segment in _SESSION.sub("", _escaped(path)).split("/"):
        if segment == "..":
            del segments[-1:]
        elif segment not in {"", "."}:
            segments.append(segment)
    return "/" + "/".join(segments)


def _escaped(text: str) -> str:
    """Decodes escapes of unreserved characters and keeps all others: `%2F` inside a segment is not a slash."""
    return quote(_ESCAPE.sub(_normal_escape, text), safe=_PATH_SAFE)


def _normal_escape(match: re.Match[str]) -> str:
    if match[1] is None:
        return "%25"
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _query(query: str) -> str:
    """Form-encoded, as in `?category=Developer+Tools`."""
    pairs = parse_qsl(query, keep_blank_values=True, errors="surrogateescape")
    kept = sorted((name, value) for name, value in pairs if not TRACKING.fullmatch(name))
    return "&".join(f"{_plus(name)}={_plus(value)}" for name, value in kept)


def _plus(text: str) -> str:
    return quote_plus(text, errors="surrogateescape")

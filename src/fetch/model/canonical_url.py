"""Canonical URLs: one per page. Neither courlan nor w3lib gives a safe key, so the rules are written here."""

import re
import string
from functools import lru_cache
from ipaddress import IPv6Address
from urllib.parse import parse_qsl, quote, quote_plus, urljoin, urlsplit, urlunsplit

TRACKING = re.compile(
    r"utm_\w+|gclid|fbclid|dclid|msclkid|mc_cid|mc_eid|igshid|yclid|_ga|ref_src|phpsessid|jsessionid", re.IGNORECASE
)
"""Query parameters that never change what a page says."""

LENGTH_LIMIT = 2_000
"""Characters. A longer URL is a trap or an accident; browsers stop at about 2,083."""

DEFAULT_PORTS = {"http": 80, "https": 443}
_SESSION = re.compile(r";jsessionid=[^/?#]*", re.IGNORECASE)
_HOST = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})|%")
_UNRESERVED = frozenset(string.ascii_letters + string.digits + "-._~")
_PATH_SAFE = "/-._~!$&'()*+,;=:@%"


class BadUrl(ValueError):
    """A text that is not an http or https URL with a valid host."""


@lru_cache(maxsize=20_000)
def canonicalize(url: str, base: str | None = None) -> str:
    """The canonical form of a URL, resolved against `base` where that is given. Idempotent. Raises `BadUrl`.

    Scheme and host are in lower case; default port, fragment, user info, session and tracking parameters are removed;
    dot segments are resolved, percent-encoding is normalised, parameters are sorted, a path ends without a slash.
    """
    url = url.strip().encode("utf-8", errors="replace").decode()
    try:
        parts = urlsplit(urljoin(base, url) if base else url)
        port = parts.port
    except ValueError as error:
        raise BadUrl(f"{url!r} is no address: {error}") from None
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS or not parts.hostname:
        raise BadUrl(f"{url!r} is not an http or https address")
    host = _host(parts.hostname, url)
    netloc = host if port in {None, DEFAULT_PORTS[scheme]} else f"{host}:{port}"
    canonical = urlunsplit((scheme, netloc, _path(parts.path), _query(parts.query), ""))
    if len(canonical) > LENGTH_LIMIT:
        raise BadUrl(f"{url[:80]!r}... is longer than {LENGTH_LIMIT:,} characters")
    return canonical


def _host(hostname: str, url: str) -> str:
    try:
        if ":" in hostname:
            return f"[{IPv6Address(hostname)}]"
        host = hostname.removesuffix(".")
        host = host if host.isascii() else host.encode("idna").decode("ascii").lower()
    except ValueError:
        raise BadUrl(f"{url!r} has an invalid host") from None
    if not _HOST.fullmatch(host):
        raise BadUrl(f"{url!r} has an invalid host")
    return host


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

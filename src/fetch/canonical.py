"""Canonical URLs: one address a page. Neither courlan nor w3lib is a safe key, so the rules are our own, as data."""

import re
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urljoin, urlsplit, urlunsplit

TRACKING = re.compile(
    r"utm_\w+|gclid|fbclid|dclid|msclkid|mc_cid|mc_eid|igshid|yclid|_ga|ref_src|phpsessid|jsessionid|sid", re.IGNORECASE
)
"""Query parameters that never change what a page says."""

DEFAULT_PORTS = {"http": 80, "https": 443}
_SESSION = re.compile(r";jsessionid=[^/?#]*", re.IGNORECASE)
_PATH_SAFE = "/-._~!$&'()*+,;=:@"


class BadUrl(ValueError):
    """An address that is no web address."""


def canonicalize(url: str, base: str | None = None) -> str:
    """The one form of an address. Idempotent. Raises `BadUrl` for anything but http and https with a host.

    Scheme and host in lower case, default port, fragment, user info, session and tracking parameters gone, dot segments
    resolved, percent-encoding normalised, parameters sorted, no slash at the end of a path.
    """
    try:
        parts = urlsplit(urljoin(base, url.strip()) if base else url.strip())
        port = parts.port
    except ValueError as error:
        raise BadUrl(f"{url!r} is no address: {error}") from None
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS or not parts.hostname:
        raise BadUrl(f"{url!r} is not an http or https address")
    host = _host(parts.hostname, url)
    netloc = host if port in {None, DEFAULT_PORTS[scheme]} else f"{host}:{port}"
    return urlunsplit((scheme, netloc, _path(parts.path), _query(parts.query), ""))


def _host(hostname: str, url: str) -> str:
    if ":" in hostname:
        return f"[{hostname}]"
    try:
        host = hostname.rstrip(".").encode("idna").decode("ascii") if not hostname.isascii() else hostname.rstrip(".")
    except UnicodeError:
        raise BadUrl(f"{url!r} has a host that cannot be one") from None
    if not host or re.search(r"[^a-z0-9._-]", host):
        raise BadUrl(f"{url!r} has a host that cannot be one")
    return host


def _path(path: str) -> str:
    segments: list[str] = []
    for segment in _SESSION.sub("", path).split("/"):
        if segment == "..":
            del segments[-1:]
        elif segment not in {"", "."}:
            segments.append(
                quote(unquote(segment, errors="surrogateescape"), safe=_PATH_SAFE, errors="surrogateescape")
            )
    return "/" + "/".join(segments)


def _query(query: str) -> str:
    pairs = parse_qsl(query, keep_blank_values=True, errors="surrogateescape")
    kept = sorted((name, value) for name, value in pairs if not TRACKING.fullmatch(name))
    return "&".join(f"{_plus(name)}={_plus(value)}" for name, value in kept)


def _plus(text: str) -> str:
    return quote_plus(text, errors="surrogateescape")

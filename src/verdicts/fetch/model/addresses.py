"""Addresses and keys of pages, and patterns to search in addresses.

A browser would request the address of a page for a link (WHATWG URL). The crawl sends the address; robots.txt and the
patterns of the config judge it. The key is its canonical form: it finds two links to one page, and is never sent.
"""

import re
import socket
import string
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode

import ada_url
import endec
import re2

from verdicts.corpus.text import escape_unstorable, is_text

LENGTH_LIMIT = 2_000
"""The most characters. A longer URL is a trap or an accident; browsers stop at about 2,083."""
WRITTEN_MAX = 8_000
"""The most characters as written: tracking parameters and fragments, which are removed, may be long too."""
REMEMBERED_MAX = 500
"""The most characters of a cached address: a hostile page cannot fill the memory."""

_HOST = re.compile(r"[a-z0-9_-]{1,63}(?>(?:\.[a-z0-9_-]{1,63})*)")
HOST_MAX = 253
"""The most characters of a DNS name; each label has at most 63."""

_USER = re.compile(r"(?<=://)[^\s/?#]*@")

_RAW_BYTE = re.compile("[\udc80-\udcff]")
_HALF_PAIR = re.compile("[\ud800-\udfff]")


class BadUrl(ValueError):
    """Not an http or https URL with a valid host."""


class OtherScheme(BadUrl):
    """A URL that is neither http nor https: `mailto:`, `javascript:`."""


class TooLong(BadUrl):
    """An address beyond the length limits."""


class WebAddress(NamedTuple):
    """An http or https URL as browsers write it, in its parts.

    `host` has no final dot; an IPv6 address has no brackets. `port` is empty for the default one. `query` is None
    without a question mark.
    """

    scheme: str
    host: str
    port: str
    path: str
    query: str | None

    @property
    def netloc(self) -> str:
        """Host, and a port other than the default. Never user and password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}" if self.port else host

    @property
    def target(self) -> str:
        """Path and query as the site spells them, which patterns search."""
        return self.path if self.query is None else f"{self.path}?{self.query}"

    @property
    def url(self) -> str:
        """As a browser requests it, without user, password and fragment."""
        return f"{self.scheme}://{self.netloc}{self.target}"


def split_address(written: str, base: str | None = None) -> WebAddress | None:
    """The parts of a web address, resolved against `base` if given; None for any other text. Never raises."""
    is_short = len(written) + len(base or "") <= REMEMBERED_MAX
    return (_remembered if is_short else _try_address)(written, base)


def find_host(written: str) -> str:
    """The host of a web address, with a port other than the default; empty for any other text. Never raises.

    Another port is another host: it has its own rules and pace (RFC 9309, 2.3).
    """
    address = split_address(written)
    return "" if address is None else address.netloc


def resolve_link(written: str, base: str) -> str:
    """A link of any scheme, with its fragment, resolved against `base`; unchanged if impossible. Never raises."""
    if len(written) > WRITTEN_MAX or len(base) > WRITTEN_MAX:
        return written
    try:
        return _parse_url(written, base).href
    except ValueError:
        return written


def find_base(url: str, href: str | None) -> str:
    """The base of the links of the page at `url`. Browsers ignore `<base href="data:,x">`. Never raises."""
    address = None if href is None else split_address(href, url)
    return url if address is None else address.url


def parse_address(url: str, base: str | None = None) -> WebAddress:
    """`split_address` with a reason: raises `BadUrl`, `OtherScheme`, `TooLong`, and nothing else.

    Header bytes that are not UTF-8 (surrogates in the text) are escaped: they go out as they came.
    """
    if len(url) > WRITTEN_MAX:
        raise TooLong(f"{url[:80]!r}... is longer than {WRITTEN_MAX:,} characters")
    if base is not None and len(base) > WRITTEN_MAX:
        raise TooLong(f"{url[:80]!r} is relative to an address of more than {WRITTEN_MAX:,} characters")
    try:
        parsed = _parse_url(url, base)
    except ValueError:
        raise BadUrl(f"{url[:200]!r} is not an address") from None
    scheme, _, rest = parsed.href.partition("://")
    if scheme not in {"http", "https"}:
        raise OtherScheme(f"{url[:200]!r} is not an http or https address")
    netloc, _, after = rest.partition("#")[0].partition("/")
    host, port = _split_port(netloc.rpartition("@")[2])
    if port == "0" or not _is_host(host):
        raise BadUrl(f"{url[:200]!r} has an invalid host or port")
    path, mark, query = after.partition("?")
    return WebAddress(scheme, host.strip("[]"), port, f"/{path}", query if mark else None)


def _resolve(written: str, base: str | None) -> str:
    # Its parts are needed in a row: by the host, by the patterns, for the key.
    address = (split_address(written, base) or parse_address(written, base)).url
    if len(address) > LENGTH_LIMIT:
        raise TooLong(f"{written[:80]!r}... is longer than {LENGTH_LIMIT:,} characters")
    return address


_resolve_remembered = lru_cache(maxsize=20_000)(_resolve)
"""A site's pages share most of their links."""


def resolve_address(written: str, base: str | None = None) -> str:
    """A link as a browser requests it, resolved against `base` if given. Raises `BadUrl`."""
    return (_resolve_remembered if len(written) <= REMEMBERED_MAX else _resolve)(written, base)


def encode_query(link: str, encoding: str) -> str:
    """A link with its query in the encoding of its page (WHATWG's name), as browsers send it.

    `?q=é` is `?q=%E9` in a page in windows-1252. A character that the encoding lacks is sent as its reference:
    `?q=%26%231090%3B` for U+0442.
    """
    before, fragment_mark, fragment = link.partition("#")
    path, mark, query = before.partition("?")
    escaped_query = "".join(
        chr(byte) if byte < 0x80 and byte != ord("#") else f"%{byte:02X}" for byte in _encode(query, encoding)
    )
    return f"{path}{mark}{escaped_query}{fragment_mark}{fragment}"


def _encode(text: str, encoding: str) -> bytes:
    try:
        return bytes(endec.encode(text, encoding))
    except UnicodeError:
        if len(text) > 1:
            return b"".join(_encode(character, encoding) for character in text)
        return b"%%26%%23%d%%3B" % ord(text)


def _parse_url(written: str, base: str | None) -> ada_url.URL:
    """Raises `ValueError`. A base that is no address, such as a file's, leaves absolute addresses as they are."""
    written = _escape_surrogates(written)
    try:
        return ada_url.URL(written, None if base is None else _escape_surrogates(base))
    except ValueError:
        if base is None:
            raise
        return ada_url.URL(written)


def _try_address(written: str, base: str | None) -> WebAddress | None:
    try:
        return parse_address(written, base)
    except BadUrl:
        return None


_remembered = lru_cache(maxsize=4_000)(_try_address)
"""A crawl needs the host, path and scope of the same address in a row."""


def normalize_host(written: str) -> str:
    """The name of a host as in its address: `xn--fa-hia.de` for `Faß.de`, `::1` for `[::1]`. Raises `BadUrl`."""
    address = _parse_host(written)
    if address.port:
        raise BadUrl(f"{written[:200]!r} has a port")
    return address.host


def normalize_host_port(written: str) -> str:
    """A host as in its address: `xn--fa-hia.de:8080` for `Faß.de:8080`. Raises `BadUrl`.

    Ports 80 and 443 are left out: one of them is the default.
    """
    address = _parse_host(written)
    return address._replace(port="" if address.port == "443" else address.port).netloc


def _parse_host(written: str) -> WebAddress:
    within = f"[{written}]" if written.count(":") > 1 and not written.startswith("[") else written
    address = parse_address(f"http://{within}")
    if "@" in written or (address.path, address.query) != ("/", None):
        raise BadUrl(f"{written[:200]!r} is not a host")
    return address


def _split_port(netloc: str) -> tuple[str, str]:
    """WHATWG writes only a non-default port; the colons of an IPv6 address are in brackets."""
    host, colon, port = netloc.rpartition(":")
    return (host.removesuffix("."), port) if colon and "]" not in port else (netloc.removesuffix("."), "")


def _is_host(host: str) -> bool:
    if host.startswith("["):
        return True
    is_name = len(host) <= HOST_MAX and _HOST.fullmatch(host) is not None
    return is_name and ("xn--" not in host or _is_encoded(host))


def _is_encoded(name: str) -> bool:
    """Whether a Punycode name stands for a real name: `xn--a` does not."""
    try:
        labels = [
            label[4:].encode("ascii").decode("punycode") if label[:4] == "xn--" else label for label in name.split(".")
        ]
        return not ".".join(labels).isascii() and ada_url.URL(f"http://{'.'.join(labels)}/").hostname == name
    except (ValueError, OverflowError):
        return False


def _escape_surrogates(url: str) -> str:
    if url.isascii():
        return url
    as_bytes = _RAW_BYTE.sub(lambda match: f"%{ord(match[0]) - 0xDC00:02X}", url)
    return _HALF_PAIR.sub("\ufffd", as_bytes)


def remove_credentials(words: str) -> str:
    """An address, or a text with addresses, without user and password, for display."""
    return _USER.sub("", words)


TRACKING = re.compile(
    r"utm_\w+|gclid|fbclid|dclid|msclkid|mc_cid|mc_eid|igshid|yclid|_ga|ref_src|phpsessid|jsessionid", re.IGNORECASE
)
"""Query parameters that never change a page."""


_SESSION = re.compile(r";jsessionid=[^/?#]*", re.IGNORECASE)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})|%")
_UNRESERVED = frozenset(string.ascii_letters + string.digits + "-._~")
_PATH_SAFE = "/-._~!$&'()*+,;=:@%"


def canonicalize(url: str, base: str | None = None) -> str:
    """The key of a page: the canonical form of its URL, resolved against `base` if given. Idempotent. Raises `BadUrl`.

    Scheme and host in lower case; no default port, fragment, user info, session and tracking parameters; dot segments
    resolved, percent-encoding normalized, parameters sorted, no slash at the end of a path.
    """
    return (_canonicalize_remembered if len(url) <= REMEMBERED_MAX else _canonicalize)(url, base)


def _canonicalize(url: str, base: str | None) -> str:
    address = split_address(url, base) or parse_address(url, base)
    canonical = f"{address.scheme}://{address.netloc}{_normalize_path(address.path)}"
    if address.query and (query := _normalize_query(address.query)):
        canonical += f"?{query}"
    if len(canonical) > LENGTH_LIMIT:
        raise BadUrl(f"{url[:80]!r}... is longer than {LENGTH_LIMIT:,} characters")
    return canonical


_canonicalize_remembered = lru_cache(maxsize=20_000)(_canonicalize)
"""A site's pages share most of their links."""


def is_bare(address: str, key: str) -> bool:
    """Whether an address lacks what its key drops: tracking and session parameters."""
    return _count_pairs(address) == _count_pairs(key) and _SESSION.search(address) is None


def _count_pairs(url: str) -> int:
    return sum(1 for pair in url.partition("?")[2].split("&") if pair)


def _normalize_path(path: str) -> str:
    segments: list[str] = []
    # Escapes of unreserved characters alone are decoded: `%2F` inside a segment is not a slash.
    escaped_path = quote(_ESCAPE.sub(_normalize_escape, path), safe=_PATH_SAFE)
    for segment in _SESSION.sub("", escaped_path).split("/"):
        if segment == "..":
            del segments[-1:]
        elif segment not in {"", "."}:
            segments.append(segment)
    return "/" + "/".join(segments)


def _normalize_escape(match: re.Match[str]) -> str:
    if match[1] is None:
        return "%25"
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _normalize_query(query: str) -> str:
    """Form-encoded, as in `?category=Developer+Tools`."""
    pairs = parse_qsl(query, keep_blank_values=True, errors="surrogateescape")
    kept = sorted((name, value) for name, value in pairs if not TRACKING.fullmatch(name))
    return urlencode(kept, errors="surrogateescape")


_OPTIONS = re2.Options()
# RE2 would write errors to standard error.
_OPTIONS.log_errors = False


class BadPattern(ValueError):
    """A pattern that RE2 refuses, and why."""


@dataclass(frozen=True, slots=True)
class AddressPattern:
    written: str
    _compiled: Any

    def is_in(self, address: str) -> bool:
        return self._compiled.search(address.encode(errors="replace").decode()) is not None


@lru_cache(maxsize=1_000)
def compile_address_pattern(written: str) -> AddressPattern:
    """Raises `BadPattern`."""
    try:
        if not is_text(written):
            raise BadPattern(f"'{escape_unstorable(written)}' is not a regular expression: it is not in UTF-8")
        return AddressPattern(written, re2.compile(written, _OPTIONS))
    except re2.error as error:
        (reason,) = error.args
        why = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise BadPattern(f"'{escape_unstorable(written)}' is not a regular expression for RE2: {why}") from None


@lru_cache(maxsize=1_000)
def compile_link_pattern(written: str) -> Any:  # noqa: ANN401
    """A pattern in RE2 that is searched in the bytes of a page; its first group is an address. Raises `BadPattern`."""
    compile_address_pattern(written)
    compiled = re2.compile(written.encode(), _OPTIONS)
    if not compiled.groups:
        raise BadPattern(
            f"'{escape_unstorable(written)}' has no group; put the address into one: 'data-href=\"([^\"]+)\"'"
        )
    return compiled


@lru_cache(maxsize=1_000)
def parse_ip_address(host: str) -> str | None:
    """The IP address in any notation a socket accepts: `2130706433`, `0x7f.1`, `::1`; None for a host name."""
    try:
        return str(ip_address(host))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except (OSError, UnicodeError):
        return None


def is_loopback(host: str) -> bool:
    address = parse_ip_address(host)
    return host == "localhost" or (address is not None and ip_address(address).is_loopback)

"""Addresses as browsers read them: the WHATWG URL Standard, with international names by UTS 46, non-transitional.

Python's `urlsplit` and its `idna` codec know neither: `http:a.example` is no address to them, and for `faß.de` they ask
`fass.de`.
"""

import re
from typing import NamedTuple

import ada_url

LENGTH_LIMIT = 2_000
"""Characters. A longer URL is a trap or an accident; browsers stop at about 2,083."""
WRITTEN_MAX = 8_000
"""Characters of an address as written: what is not kept of it, tracking and fragment, may be long too."""

_HOST = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*+")
HOST_MAX = 253
"""Characters of a name in the DNS, and 63 of each of its labels."""

_USER = re.compile(r"(?<=://)[^\s/?#]*@")

_RAW_BYTE = re.compile("[\udc80-\udcff]")
_HALF_PAIR = re.compile("[\ud800-\udfff]")


class BadUrl(ValueError):
    """A text that is not an http or https URL with a valid host."""


class OtherScheme(BadUrl):
    """A URL that is neither http nor https: `mailto:`, `javascript:`."""


class TooLong(BadUrl):
    """An address that nobody could mean."""


class WebAddress(NamedTuple):
    """An http or https URL as browsers write it, in its parts.

    `host` has no dot of the root zone; an IPv6 address has its brackets. `port` is empty for the default one.
    """

    scheme: str
    host: str
    port: str
    path: str
    query: str

    @property
    def netloc(self) -> str:
        """Host, and port where it is not the default one. Never with user and password."""
        return f"{self.host}:{self.port}" if self.port else self.host

    @property
    def url(self) -> str:
        """As a browser asks for it: path and query as the site spells them, without user, password and fragment."""
        return f"{self.scheme}://{self.netloc}{self.path}" + (f"?{self.query}" if self.query else "")


def parse_address(url: str, base: str | None = None) -> WebAddress:
    """The parts of a web address, resolved against `base` if that is given. Raises `BadUrl`, `OtherScheme`, `TooLong`.

    Bytes of a header that are no UTF-8, which stand as surrogates in its text, are escaped: they go out as they came.
    """
    if len(url) > WRITTEN_MAX:
        raise TooLong(f"{url[:80]!r}... is longer than {WRITTEN_MAX:,} characters")
    written = url if url.isascii() else _without_surrogates(url)
    try:
        scheme, _, rest = ada_url.URL(written, base).href.partition("://")
    except ValueError:
        raise BadUrl(f"{url[:200]!r} is no address") from None
    if scheme not in {"http", "https"}:
        raise OtherScheme(f"{url[:200]!r} is not an http or https address")
    netloc, _, after = rest.partition("#")[0].partition("/")
    host, port = _host_and_port(netloc.rpartition("@")[2])
    if port == "0" or not _is_host(host):
        raise BadUrl(f"{url[:200]!r} has an invalid host or port")
    path, _, query = after.partition("?")
    return WebAddress(scheme, host, port, f"/{path}", query)


def host_name(written: str) -> str:
    """A host as its address has it: `xn--fa-hia.de` of `Faß.de`, `::1` of `[::1]`. Raises `BadUrl`."""
    within = f"[{written}]" if written.count(":") > 1 and not written.startswith("[") else written
    address = parse_address(f"http://{within}")
    if "@" in written or address[2:] != ("", "/", ""):
        raise BadUrl(f"{written[:200]!r} is no host")
    return address.host.strip("[]")


def _host_and_port(netloc: str) -> tuple[str, str]:
    """WHATWG writes a port only where it is not the default one; the colons of an IPv6 address are in brackets."""
    host, colon, port = netloc.rpartition(":")
    return (host.removesuffix("."), port) if colon and "]" not in port else (netloc.removesuffix("."), "")


def _is_host(host: str) -> bool:
    if host.startswith("["):
        return True
    is_name = len(host) <= HOST_MAX and _HOST.fullmatch(host) is not None
    return is_name and ("xn--" not in host or _is_encoded(host))


def _is_encoded(name: str) -> bool:
    """Whether a name in Punycode stands for one that is encoded so: `xn--a` stands for none."""
    try:
        labels = [
            label[4:].encode("ascii").decode("punycode") if label[:4] == "xn--" else label for label in name.split(".")
        ]
        return not ".".join(labels).isascii() and ada_url.URL(f"http://{'.'.join(labels)}/").hostname == name
    except (ValueError, OverflowError):
        return False


def _without_surrogates(url: str) -> str:
    as_bytes = _RAW_BYTE.sub(lambda match: f"%{ord(match[0]) - 0xDC00:02X}", url)
    return _HALF_PAIR.sub("\ufffd", as_bytes)


def without_credentials(words: str) -> str:
    """An address of any scheme, or words with addresses in them, to be shown: without user and password."""
    return _USER.sub("", words)

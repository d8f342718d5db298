"""The identity of a site's requests: headers, cookies, a login, a proxy, an authority to trust.

A value `env:NAME` comes from the environment. It is read when a client opens, sent to the hosts of its site alone, and
masked in all that the client returns or raises, so that no file, log or message can have it.
"""

import os
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote
from urllib.request import getproxies_environment, proxy_bypass

from yarl import URL  # noqa: TID251  as aiohttp has it

from verdicts.fetch.model.addresses import is_loopback
from verdicts.fetch.model.fetch_errors import AttemptFailed, SettingUnusable
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.site import Site

ENVIRONMENT = "env:"

MASKED_MIN = 6
"""Shorter secrets are not masked: `yes` stands in every page."""

FindProxy = Callable[[URL], URL | None]


@dataclass(frozen=True, slots=True)
class Identity:
    """`find_proxy` is None if no request needs one. `verify` is aiohttp's `ssl`."""

    headers: Mapping[str, str]
    cookies: Mapping[str, str]
    find_proxy: FindProxy | None
    proxy_hosts: frozenset[str]
    verify: ssl.SSLContext | bool
    secrets: tuple[str, ...] = field(repr=False)

    def mask(self, text: str) -> str:
        for secret in self.secrets:
            text = text.replace(secret, "*" * len(secret))
        return text

    def mask_bytes(self, body: bytes) -> bytes:
        for secret in map(str.encode, self.secrets):
            body = body.replace(secret, b"*" * len(secret))
        return body

    @property
    def has_secrets(self) -> bool:
        return bool(self.secrets)


def open_identity(site: Site) -> Identity:
    """Reads the environment and the file of the authority. Raises `SettingUnusable`."""
    secrets: list[str] = []
    table = f"[[site]] {site.home}"

    def read(key: str, written: str) -> str:
        value = read_value(f"{table}: {key}", written)
        if value != written:
            secrets.append(value)
        return value

    headers = {name: read(f"headers.{name}", value) for name, value in site.headers.items()}
    cookies = {name: read(f"cookies.{name}", value) for name, value in site.cookies.items()}
    if site.auth is not None:
        login = read("auth", site.auth)
        if ":" not in login:
            raise SettingUnusable(f"{table}: auth: {site.auth} is not 'user:password'")
        headers["authorization"] = f"Basic {b64encode(login.encode()).decode()}"
        secrets += [headers["authorization"].removeprefix("Basic "), login.partition(":")[2]]
    proxy = None if site.proxy is None else _parse_proxy(f"{table}: proxy", read("proxy", site.proxy))
    proxies = {} if proxy is not None else _read_proxies()
    used = [proxy, *proxies.values()]
    secrets += [secret for address in used if address is not None for secret in _list_proxy_secrets(address)]
    return Identity(
        headers=headers,
        cookies=cookies,
        find_proxy=_make_proxy_finder(site, proxy, proxies) if proxy is not None or proxies else None,
        proxy_hosts=frozenset(address.host for address in used if address is not None and address.host),
        verify=True if site.ca_file is None else _trust(f"{table}: ca_file", site.ca_file),
        # The longest first: a login before the password in it.
        secrets=tuple(sorted({secret for secret in secrets if len(secret) >= MASKED_MIN}, key=len, reverse=True)),
    )


def read_value(key: str, written: str) -> str:
    """A value of the config, or of the environment for `env:NAME`. Raises `SettingUnusable`; never repeats a value."""
    if not written.startswith(ENVIRONMENT):
        return written
    value = os.environ.get(written.removeprefix(ENVIRONMENT))
    if not value:
        raise SettingUnusable(f"{key} is {written}, and the environment has no {written.removeprefix(ENVIRONMENT)}")
    if not (value.isascii() and value.isprintable()):
        raise SettingUnusable(f"{key}: {written} has more than printable ASCII, which no header can have")
    return value


def _trust(key: str, ca_file: str) -> ssl.SSLContext:
    context = ssl.create_default_context()
    try:
        context.load_verify_locations(ca_file)
    except OSError as error:
        raise SettingUnusable(f"{key}: {ca_file} is not a readable file of PEM certificates: {error}") from None
    return context


def _parse_proxy(key: str, written: str) -> URL:
    """Raises `SettingUnusable`."""
    try:
        address = URL(written if "://" in written else f"http://{written}")
        is_usable = address.scheme in {"http", "https"} and bool(address.host)
    except ValueError:
        is_usable = False
    if not is_usable:
        raise SettingUnusable(f"{key} is not 'http://host:port'; SOCKS is not supported")
    return address


def _read_proxies() -> dict[str, URL | None]:
    """The proxies of the environment by scheme, by HTTP_PROXY, HTTPS_PROXY and ALL_PROXY; None for an unusable one.

    It is refused when a request needs it: a desktop has a SOCKS proxy, and the demo asks loopback alone.
    """
    written = getproxies_environment()
    proxies: dict[str, URL | None] = {}
    for scheme in ("http", "https"):
        if (address := written.get(scheme) or written.get("all")) is not None:
            try:
                proxies[scheme] = _parse_proxy(f"{scheme.upper()}_PROXY", address)
            except SettingUnusable:
                proxies[scheme] = None
    return proxies


def _list_proxy_secrets(address: URL) -> Iterator[str]:
    if address.password:
        login = f"{address.user or ''}:{address.password}"
        yield from (address.password, b64encode(login.encode("latin-1", "replace")).decode())
    if address.raw_password:
        yield address.raw_password
        yield unquote(address.raw_password)


def _make_proxy_finder(site: Site, proxy: URL | None, proxies: Mapping[str, URL | None]) -> FindProxy:
    def find_proxy(target: URL) -> URL | None:
        if proxy is not None:
            return proxy
        host = target.raw_host or ""
        # As Go's ProxyFromEnvironment: loopback is asked directly. So is a host whose address is given.
        is_direct = host in site.resolve or is_loopback(host) or target.scheme not in proxies
        if is_direct or proxy_bypass(f"{host}:{target.port}"):
            return None
        if proxies[target.scheme] is None:
            detail = f"{target.scheme.upper()}_PROXY is not 'http://host:port'; SOCKS is not supported"
            raise AttemptFailed(Outcome.CONNECT_ERROR, detail)
        return proxies[target.scheme]

    return find_proxy

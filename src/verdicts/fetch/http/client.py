"""One request, one response from a checked peer; raw bytes are read and decoded here, within size and time limits.

httpx only carries bytes: by itself it accepts a truncated gzip as a whole 200, has no total deadline, and inflates a
bomb at once.
"""

import asyncio
import select
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, suppress
from dataclasses import replace
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from traceback import walk_tb
from types import UnionType
from typing import Self, TypeAlias

import aiohttp
import httpx
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.connector import Connection
from aiohttp.resolver import ThreadedResolver
from httpx_aiohttp import AiohttpTransport
from httpx_aiohttp.transport import AiohttpResponseStream
from yarl import URL  # noqa: TID251  as aiohttp has it; `encoded`: sent as it is

from verdicts.fetch.http.content_encoding import decode, decode_start
from verdicts.fetch.http.identity import FindProxy, open_identity
from verdicts.fetch.model.addresses import parse_address, parse_ip_address, split_address
from verdicts.fetch.model.fetch_errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.site import Limits, Site
from verdicts.fetch.model.snapshot import Headers, Response, decode_header


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet. IPv4 embedded in IPv6 is judged as IPv4."""
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        ip = ip.ipv4_mapped or ip.sixtofour or ip
    # `::10.0.0.1` and `64:ff9b::10.0.0.1` count as global, but are reserved.
    is_site_local = isinstance(ip, IPv6Address) and ip.is_site_local
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or is_site_local)


class PublicResolver(AbstractResolver):
    """Resolves hosts to public addresses only. `resolve` fixes address and port of some hosts; both are checked.

    `proxies` are hosts of the operator, at any address.
    """

    def __init__(
        self, resolve: Mapping[str, tuple[str, int]], *, allow_private: bool, proxies: frozenset[str] = frozenset()
    ) -> None:
        self._fixed = resolve
        self._allow_private = allow_private
        self._proxies = proxies
        self._system = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Raises `AttemptFailed` (`blocked_address`) if a host has only private addresses."""
        fixed = self._fixed.get(f"{host}:{port}") or self._fixed.get(host)
        if fixed is not None:
            address, port = fixed
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            flags = socket.AI_NUMERICHOST
            results = [ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=flags)]
        else:
            results = await self._system.resolve(host, port, family)
        may_be_private = self._allow_private or host in self._proxies
        allowed = [result for result in results if may_be_private or is_public(result["host"])]
        if results and not allowed:
            detail = f"{host} resolves to {results[0]['host']}, which is not a public address"
            raise AttemptFailed(Outcome.BLOCKED_ADDRESS, detail)
        return allowed

    async def close(self) -> None:
        await self._system.close()


NO_COOKIES: Mapping[str, str] = {}

FRAMINGS = frozenset({"chunked", "identity"})
"""The supported transfer codings."""

LEFT_BYTES, LEFT_S = 65_536, 1.0
"""The most that is read of an unneeded body, so that its connection can be used again."""


class HttpClient:
    """Requests one address, follows no redirect: httpx with the aiohttp transport.

    The transport is called directly: httpx's own client costs 0.1 ms a request, and adds redirects, cookies, proxies
    and auth, which a crawler must not have or does itself. Headers, cookies and login of the config go to the hosts of
    the site alone: a redirect of robots.txt may lead to another.
    """

    def __init__(self, site: Site, user_agent: str) -> None:
        self._site = site
        self._limits = site.limits
        self._user_agent = user_agent

    async def __aenter__(self) -> Self:
        limits = self._limits
        self._identity = identity = open_identity(self._site)
        self._has_own = bool(identity.headers or identity.cookies)
        site = self._site
        resolver = PublicResolver(site.resolve, allow_private=site.allow_private, proxies=identity.proxy_hosts)
        session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(resolver=resolver, use_dns_cache=False, ssl=identity.verify),
            timeout=aiohttp.ClientTimeout(
                connect=limits.total_s, sock_connect=limits.connect_s, sock_read=limits.read_s
            ),
            headers={
                "user-agent": self._user_agent,
                "accept": "text/html,text/plain;q=0.9,*/*;q=0.1",
                "accept-encoding": "gzip",
            },
            max_field_size=limits.header_bytes,
            max_line_size=limits.header_bytes,
            request_class=_Request,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
        )
        # The session verifies by itself. The transport's own context is not used, and would trust nobody.
        self._transport = _Transport(client=session, verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        self._transport.find_proxy = identity.find_proxy
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._transport.aclose()

    async def get(
        self,
        url: str,
        headers: Mapping[str, str],
        *,
        cut_at: int | None = None,
        cookies: Mapping[str, str] = NO_COOKIES,
    ) -> Response:
        """One GET. Raises `AttemptFailed`; otherwise the response is whole, apart from a cut at `cut_at`.

        The secrets of the config are masked: a host may send them back, in a cookie, a redirect or a page.
        """
        try:
            response = await self._get(url, headers, cut_at, cookies)
        except AttemptFailed as error:
            if self._identity.has_secrets:
                error.detail = self._identity.mask(error.detail)
                error.args = (error.detail,)
                raise error from None
            raise
        return response if not self._identity.has_secrets else self._mask(response)

    def _mask(self, response: Response) -> Response:
        mask = self._identity.mask
        headers = tuple((name, mask(value)) for name, value in response.headers)
        return replace(response, headers=headers, body=self._identity.mask_bytes(response.body))

    async def _get(
        self, url: str, headers: Mapping[str, str], cut_at: int | None, cookies: Mapping[str, str]
    ) -> Response:
        """The response with its secrets. Raises `AttemptFailed`.

        Without a cut, a body over the limits is `too_large`. A status other than 2xx has an empty body: a 404 with a
        corrupt gzip is a 404, and a redirect with an endless body is a redirect. Any library error on a host's bytes is
        `protocol_error`, such as a `ValueError` for a redirect to `http://xn--a/`. Errors of our own lines pass: they
        are bugs.
        """
        started = time.monotonic()
        try:
            request = self._request(url, headers, cookies)
            async with (
                asyncio.timeout(self._limits.total_s),
                aclosing(await self._transport.handle_async_request(request)) as received,
            ):
                raw = received.extensions["raw_headers"]
                received_headers = tuple((decode_header(name.lower()), decode_header(value)) for name, value in raw)
                if 200 <= received.status_code < 300:
                    _check_framing(received_headers, received.status_code)
                    wire, is_cut = await _read_body(received, cut_at, self._limits)
                else:
                    wire, is_cut = b"", False
                    await _leave_body(received)
        except TimeoutError as error:
            if isinstance(error, aiohttp.ClientError):
                raise _make_failure(error) from error
            detail = f"the whole response took more than {self._limits.total_s:g} s"
            raise AttemptFailed(Outcome.DEADLINE, detail) from None
        except AttemptFailed:
            raise
        except Exception as error:
            raised_in = [str(frame.f_globals.get("__name__")) for frame, _ in walk_tb(error.__traceback__)][-1]
            if raised_in.startswith("verdicts.fetch."):
                raise
            raise _make_failure(error) from error
        # A 304 may have a Content-Encoding without a body.
        encoding = _join_values(received_headers, "content-encoding") if wire else None
        try:
            if cut_at is None:
                body = decode(wire, encoding, self._limits.decoded_bytes)
            else:
                body = decode_start(wire, encoding, cut_at, is_cut=is_cut)
        except AttemptFailed as error:
            error.status = received.status_code
            raise
        elapsed_ms = int((time.monotonic() - started) * 1000)
        return Response(received.status_code, received_headers, body, elapsed_ms, len(wire))

    def _request(self, url: str, headers: Mapping[str, str], cookies: Mapping[str, str]) -> httpx.Request:
        address = split_address(url) or parse_address(url)
        origin = _origin(f"{address.scheme}://{address.netloc}")
        host = origin.raw_host.decode("ascii")
        # No resolver checks an IP address in the place of a name.
        literal = None if self._site.allow_private else parse_ip_address(host)
        if literal is not None and not is_public(literal):
            raise AttemptFailed(Outcome.BLOCKED_ADDRESS, f"{host} is {literal}, which is not a public address")
        if self._has_own and self._site.has_host(url):
            headers = {**self._identity.headers, **headers}
            # A cookie of the config keeps its value: what a host sends back of a secret is masked.
            cookies = {**self._identity.cookies, **cookies, **self._identity.cookies}
        if cookies:
            headers = {**headers, "cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        # Otherwise the libraries decode `xn--fa-hia.de` and connect to `fass.de`, which is another site.
        extensions = {"target": address.target, "sni_hostname": host if "xn--" in host else None}
        return httpx.Request("GET", origin, headers=headers, stream=_NO_BODY, extensions=extensions)


Connect: TypeAlias = Callable[[Site, str], AbstractAsyncContextManager[HttpClient]]
"""Opens the client of a site with this User-Agent."""

_origin = lru_cache(maxsize=1_000)(httpx.URL)
"""httpx parses an address in 35 µs. So it gets the origin alone, and the rest as the extension `target`."""

_NO_BODY = httpx.ByteStream(b"")
"""With a body at hand, httpx adds no headers: those of every request are the session's."""


class _Stream(AiohttpResponseStream):
    """A body in the pieces it comes in."""

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._aiohttp_response.content.iter_any()

    async def aclose(self) -> None:
        await self._aiohttp_response.__aexit__(None, None, None)


class _Transport(AiohttpTransport):
    """Sends an address as it is: the library's spells `%7E` as `~`. Keeps aiohttp's errors, which say more."""

    client: aiohttp.ClientSession
    find_proxy: FindProxy | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        target = URL(f"{request.url}{request.extensions['target']}", encoded=True)
        server_name = request.extensions["sni_hostname"]
        proxy = None if self.find_proxy is None else self.find_proxy(target)
        received = await self.client.get(
            target, headers=request.headers, allow_redirects=False, server_hostname=server_name, proxy=proxy
        )
        # httpx would normalize the headers: they stay as they came.
        extensions = {"raw_headers": received.raw_headers}
        return httpx.Response(received.status, stream=_Stream(received), extensions=extensions)


class _Request(aiohttp.ClientRequest):
    """Closes a reused connection with unread bytes: bytes after a body are not the next response."""

    async def send(self, conn: Connection) -> aiohttp.ClientResponse:
        waiting = select.poll()
        if conn.transport is not None:
            waiting.register(conn.transport.get_extra_info("socket"), select.POLLIN)
        if waiting.poll(0):
            # What has come in, which may be a TLS session ticket, is read in the next turn of the loop, and seen in
            # the one after.
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        if conn.protocol is not None and conn.protocol.should_close:
            raise aiohttp.ServerDisconnectedError("the host sent more than it was asked for")
        return await super().send(conn)


def _join_values(headers: Headers, name: str) -> str | None:
    """All values of a header as one list."""
    values = [value for key, value in headers if key == name]
    return ", ".join(values) if values else None


def _check_framing(headers: Headers, status: int) -> None:
    """Raises `AttemptFailed` for other codings than `FRAMINGS`, which aiohttp would take as part of the body."""
    coding = _join_values(headers, "transfer-encoding")
    if coding is not None and coding.strip().lower() not in FRAMINGS:
        detail = f"the response is transferred as {coding.strip().lower()[:100]!r}, which was not asked for"
        raise AttemptFailed(Outcome.PROTOCOL_ERROR, detail, status=status)


async def _read_body(received: httpx.Response, cut_at: int | None, limits: Limits) -> tuple[bytes, bool]:
    """The raw body within its limits, and whether it goes on after `cut_at`.

    aiohttp raises if the Content-Length is not met or the last chunk is missing.
    """
    status = received.status_code
    pieces: list[bytes] = []
    size = 0
    limit = limits.wire_bytes if cut_at is None else cut_at
    assert isinstance(received.stream, httpx.AsyncByteStream)
    async for piece in received.stream:
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            if cut_at is not None:
                return b"".join(pieces)[:cut_at], True
            raise AttemptFailed(Outcome.TOO_LARGE, f"more than {limit:,} bytes on the wire", status=status)
    return b"".join(pieces), False


async def _leave_body(received: httpx.Response) -> None:
    """Reads the rest of a short, unneeded body; otherwise closes its connection."""
    assert isinstance(received.stream, httpx.AsyncByteStream)
    size = 0
    with suppress(Exception):
        async with asyncio.timeout(LEFT_S):
            async for piece in received.stream:
                size += len(piece)
                if size > LEFT_BYTES:
                    return


_CAUSES: tuple[tuple[type[Exception] | UnionType, Outcome, str | None], ...] = (
    (aiohttp.ClientHttpProxyError | aiohttp.ClientProxyConnectionError, Outcome.CONNECT_ERROR, None),
    (aiohttp.ClientConnectorCertificateError | aiohttp.ClientConnectorSSLError, Outcome.TLS_ERROR, None),
    (aiohttp.ClientConnectorDNSError, Outcome.DNS_ERROR, None),
    (aiohttp.ConnectionTimeoutError, Outcome.CONNECT_TIMEOUT, "no connection in time"),
    (aiohttp.ServerTimeoutError, Outcome.READ_TIMEOUT, "the host stopped sending"),
    (aiohttp.ClientConnectorError, Outcome.CONNECT_ERROR, None),
    (aiohttp.ClientPayloadError | aiohttp.ServerDisconnectedError | aiohttp.ClientOSError, Outcome.INCOMPLETE, None),
    (ssl.SSLError, Outcome.TLS_ERROR, None),
    (OSError | EOFError, Outcome.INCOMPLETE, None),
)
"""The meaning of an error of the libraries, and our words for it, if any; the first one that fits counts."""


def _make_failure(error: Exception) -> AttemptFailed:
    message = str(error) or type(error).__name__
    for cause, outcome, detail in _CAUSES:
        if isinstance(error, cause):
            return AttemptFailed(outcome, detail or message)
    name = "" if isinstance(error, aiohttp.ClientError) else f"{type(error).__name__}: "
    return AttemptFailed(Outcome.PROTOCOL_ERROR, " ".join(f"{name}{message}".split())[:300])

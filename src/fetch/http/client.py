"""One request, one answer: raw bytes read and decoded by us, bounded in size and time, from a vetted peer.

httpx alone takes a cut-off gzip for a whole 200, has no total deadline and inflates a bomb at once: it carries bytes.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from fetch.http.content_encoding import decode
from fetch.http.peer_guard import VettingResolver, check_literal
from fetch.model.errors import FetchError, Permanent, Transient
from fetch.model.site import Limits, Site


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer. `body` is decoded; `wire_bytes` counts what came over the network."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    elapsed_ms: int
    wire_bytes: int

    def header(self, name: str) -> str | None:
        """The first value of a header, `name` in lower case."""
        return next((value for key, value in self.headers if key == name), None)

    @property
    def media_type(self) -> str:
        """In lower case, without parameters; empty where none is given."""
        return (self.header("content-type") or "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The charset of its content type; None where none is given."""
        _, _, parameters = (self.header("content-type") or "").lower().partition("charset=")
        return parameters.partition(";")[0].strip(" \"'") or None

    @property
    def is_redirect(self) -> bool:
        """Whether the answer is to be found elsewhere."""
        return 300 <= self.status < 400 and self.status != 304


class Client(Protocol):
    """Gets one address, follows nothing. Raises `FetchError`."""

    async def get(self, url: str, headers: Mapping[str, str]) -> Answer: ...


class HttpClient:
    """`Client` over httpx with the aiohttp transport.

    The transport is called as httpx's own client would: redirects, cookies, proxies and auth, which that adds at 0.1 ms
    a request, are all things that a crawler must not have or does itself.
    """

    def __init__(self, site: Site, user_agent: str) -> None:
        self._site = site
        self._limits = site.limits
        resolver = VettingResolver(site.resolve, allow_private=site.allow_private)
        self._transport = AiohttpTransport(client=_session_factory(resolver, site.limits))
        self._headers = {
            "user-agent": user_agent,
            "accept": "text/html,text/plain;q=0.9,*/*;q=0.1",
            "accept-encoding": "gzip",
        }
        timeout = httpx.Timeout(site.limits.read_s, connect=site.limits.connect_s, pool=site.limits.total_s)
        self._extensions = {"timeout": timeout.as_dict()}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._transport.aclose()

    async def get(self, url: str, headers: Mapping[str, str]) -> Answer:
        """One GET. Raises `FetchError`; what it returns is whole."""
        started = time.monotonic()
        try:
            request = httpx.Request("GET", url, headers={**self._headers, **headers}, extensions=self._extensions)
            check_literal(request.url.host, allow_private=self._site.allow_private)
            async with asyncio.timeout(self._limits.total_s):
                response = await self._transport.handle_async_request(request)
                try:
                    pieces = await _read(response, self._limits)
                finally:
                    await response.aclose()
        except TimeoutError:
            raise Transient("deadline", f"the whole answer took more than {self._limits.total_s:g} s") from None
        except FetchError:
            raise
        except (httpx.HTTPError, aiohttp.ClientError, httpx.InvalidURL) as error:
            raise _typed(error) from error
        # A HEAD-like answer has a Content-Encoding and nothing to decode.
        encoding = response.headers.get("content-encoding") if pieces else None
        return Answer(
            status=response.status_code,
            headers=tuple(_text(name, value) for name, value in response.headers.raw),
            body=_decoded(pieces, encoding, self._limits.decoded_bytes, response.status_code),
            elapsed_ms=int((time.monotonic() - started) * 1000),
            wire_bytes=sum(map(len, pieces)),
        )


def _text(name: bytes, value: bytes) -> tuple[str, str]:
    """A header as text that the raw store turns back into the same bytes."""
    return name.decode("latin-1").lower(), value.decode("utf-8", errors="surrogateescape")


def _session_factory(resolver: VettingResolver, limits: Limits) -> Callable[[], aiohttp.ClientSession]:
    """Aiohttp wants its session made inside the event loop."""

    def make() -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(resolver=resolver, use_dns_cache=False, ssl=True),
            max_field_size=limits.header_bytes,
            max_line_size=limits.header_bytes,
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    return make


async def _read(response: httpx.Response, limits: Limits) -> list[bytes]:
    """The raw body, bounded. aiohttp itself raises where a Content-Length is not met or a last chunk is missing."""
    pieces: list[bytes] = []
    size = 0
    assert isinstance(response.stream, httpx.AsyncByteStream)
    async for piece in response.stream:
        pieces.append(piece)
        size += len(piece)
        if size > limits.wire_bytes:
            raise Permanent(
                "too_large", f"more than {limits.wire_bytes:,} bytes on the wire", status=response.status_code
            )
    return pieces


def _decoded(pieces: list[bytes], encoding: str | None, limit: int, status: int) -> bytes:
    try:
        return decode(pieces, encoding, limit)
    except FetchError as error:
        error.status = status
        raise


def _typed(error: Exception) -> FetchError:  # noqa: PLR0911  a table of causes
    """The transport maps aiohttp's errors coarsely (a lost connection becomes a time-out), so its cause decides."""
    cause = error.__cause__ if isinstance(error.__cause__, aiohttp.ClientError | TimeoutError) else error
    words = str(cause) or type(cause).__name__
    match cause:
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientConnectorSSLError():
            return Permanent("tls_error", words)
        case aiohttp.ClientConnectorDNSError():
            return Transient("dns_error", words)
        case aiohttp.ConnectionTimeoutError() | httpx.ConnectTimeout():
            return Transient("connect_timeout", "no connection in time")
        case aiohttp.ServerTimeoutError() | httpx.TimeoutException():
            return Transient("read_timeout", "the host stopped answering")
        case aiohttp.ClientConnectorError() | httpx.ConnectError():
            return Transient("connect_error", words)
        case aiohttp.ClientPayloadError():
            return Transient("incomplete", words)
        case aiohttp.ServerDisconnectedError() | aiohttp.ClientOSError() | httpx.ReadError():
            return Transient("incomplete", words)
    return Permanent("protocol_error", " ".join(words.split())[:300])

"""A server with faults on demand: raw asyncio sockets on loopback, stopped when its context ends."""

import asyncio
import socket
import ssl
import struct
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

Play = Callable[["Request", asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True)
class Request:
    """A request: path, headers in lower case, and how often this path (of this host) was requested before."""

    path: str
    headers: Mapping[str, str]
    before: int


@dataclass
class FaultServer:
    port: int = 0
    asked: Counter[str] = field(default_factory=Counter)


def answer(body: bytes = b"", status: str = "200 OK", **headers: str) -> bytes:
    """A whole, well-formed response as bytes. Header names are written with underscores."""
    named = {"content_type": "text/html", "content_length": str(len(body)), "connection": "close"} | headers
    lines = [f"HTTP/1.1 {status}", *(f"{name.replace('_', '-')}: {value}" for name, value in named.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def says(*answers: bytes) -> Play:
    """Sends one response per request, then the last one again and again."""

    async def play(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(answers[min(request.before, len(answers) - 1)])

    return play


NOTHING = says(answer(b"nothing here", "404 Not Found"))


@asynccontextmanager
async def faults(plays: Mapping[str, Play], tls: ssl.SSLContext | None = None) -> AsyncIterator[FaultServer]:
    """Serves `plays` by host and path, `a.example/page`, or by path; every other path, robots.txt too, is a 404."""
    served = FaultServer()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            path = head[0].split()[1]
            headers = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
            of_host = f"{headers.get('host', '').partition(':')[0]}{path}"
            key = of_host if of_host in plays else path
            request = Request(path, headers, served.asked[key])
            served.asked[key] += 1
            await plays.get(key, NOTHING)(request, writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, asyncio.CancelledError):
            pass  # cancelled: the loop of the test ends while a play still sleeps
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=tls)
    served.port = server.sockets[0].getsockname()[1]
    try:
        yield served
    finally:
        server.close()


PAGE = b"<html><head><title>A page</title></head><body><p>A whole page of words.</p></body></html>"
NEIGHBOUR = b"<html><head><title>Next door</title></head><body><p>The page next door.</p></body></html>"


def head(*lines: bytes, body: bytes = PAGE) -> Play:
    """A response with these header lines, a Content-Length and a body."""
    length = b"content-length: %d" % len(body)
    return bare(b"content-type: text/html", length, b"connection: close", *lines, body=body)


def bare(*lines: bytes, status: bytes = b"HTTP/1.1 200 OK", body: bytes = PAGE) -> Play:
    """A response with these header lines and no others."""
    return says(b"\r\n".join([status, *lines, b"", body]))


def page(*links: str, title: str = "A page", inside: str = "", text: str = "Words of a page.", **headers: str) -> Play:
    """An HTML page: `inside` stands in its head; headers are written with underscores."""
    return says(answer(html(*links, title=title, inside=inside, text=text), **headers))


def html(*links: str, title: str = "A page", inside: str = "", text: str = "Words of a page.") -> bytes:
    anchors = "".join(f'<a href="{link}">link</a> ' for link in links)
    body = f"<html><head><title>{title}</title>{inside}</head><body><p>{text}</p>{anchors}</body></html>"
    return body.encode("utf-8", "surrogateescape")


def status(line: str, body: bytes = PAGE, **headers: str) -> Play:
    """A whole response with this status: `404 Not Found`."""
    return says(answer(body, line, **headers))


def when_asked(make: Callable[[], bytes]) -> Play:
    """A response that is made when it is asked for: a large one."""

    async def play(_: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(make())

    return play


def redirect(location: str | bytes | None, code: str = "302 Found") -> Play:
    """A redirect; without a Location where that is None."""
    if location is None:
        return says(answer(b"", code))
    raw = location if isinstance(location, bytes) else location.encode()
    return bare(b"location: " + raw, b"content-length: 0", b"connection: close",
                status=b"HTTP/1.1 " + code.encode(), body=b"")  # fmt: skip


def chunks(*parts: bytes, end: bytes = b"0\r\n\r\n", lines: tuple[bytes, ...] = ()) -> Play:
    """Chunks as written, behind a head that announces them."""
    named = (b"content-type: text/html", b"transfer-encoding: chunked", b"connection: close", *lines)
    return bare(*named, body=b"".join(parts) + end)


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def drips(before: bytes, drop: bytes = b"x") -> Play:
    """Some bytes at once, then a drop every now and then for ever."""

    async def play(_: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(before)
        for _ in range(400):
            writer.write(drop)
            await writer.drain()
            await asyncio.sleep(0.05)

    return play


def endless(before: bytes, piece: bytes, pieces: int = 4_000) -> Play:
    """Some bytes, then a piece again and again, as fast as the reader takes them."""

    async def play(_: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(before)
        for _ in range(pieces):
            writer.write(piece)
            await writer.drain()

    return play


def hangs(before: bytes) -> Play:
    """Some bytes, then nothing, with the connection open."""

    async def play(_: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(before)
        await writer.drain()
        await asyncio.sleep(20)

    return play


def resets(before: bytes) -> Play:
    """Some bytes, then the connection is reset (RST)."""

    async def play(_: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(before)
        await writer.drain()
        await asyncio.sleep(0.02)
        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.transport.abort()

    return play


def first(*plays: Play) -> Play:
    """One play after the other, request by request, then the last one again and again."""

    async def play(request: Request, writer: asyncio.StreamWriter) -> None:
        await plays[min(request.before, len(plays) - 1)](request, writer)

    return play


HALF = answer(b"half", content_length="5000")
"""A response with half of its body."""

drip = drips(answer(content_length="100000"))
reset, stall, silence = resets(HALF), hangs(HALF), hangs(b"")

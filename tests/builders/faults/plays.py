"""What a host may send, beyond the plays of `fault_server`."""

import asyncio
import socket
import struct
from collections.abc import Callable

from builders.fault_server import Play, Request, answer, says

PAGE = b"<html><head><title>A page</title></head><body><p>A whole page of words.</p></body></html>"
NEIGHBOUR = b"<html><head><title>Next door</title></head><body><p>The page next door.</p></body></html>"


def sends(data: bytes) -> Play:
    """Exactly these bytes, then the connection is closed."""
    return says(data)


def head(*lines: bytes, status: bytes = b"HTTP/1.1 200 OK", body: bytes = PAGE, length: bool = True) -> Play:
    """A response with these header lines, a Content-Length unless told otherwise, and a body."""
    own = [b"content-length: %d" % len(body)] if length else []
    return says(b"\r\n".join([status, b"content-type: text/html", *own, b"connection: close", *lines, b"", body]))


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


def later(make: Callable[[], bytes], **headers: str) -> Play:
    """A large page, made when it is asked for."""

    async def play(_: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(make(), **headers))

    return play


def moved(location: str | bytes | None, code: str = "302 Found") -> Play:
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


def drips(before: bytes, drop: bytes = b"x", every_s: float = 0.05) -> Play:
    """Some bytes at once, then a drop every now and then for ever."""

    async def play(_: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(before)
        for _ in range(400):
            writer.write(drop)
            await writer.drain()
            await asyncio.sleep(every_s)

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

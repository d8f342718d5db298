"""A site of any size on a loopback socket, cheap enough not to be what is measured.

Pages form a tree of links, so that a crawler has to find them. Bodies are made from a shared filler: the server's own
cost a page is a few microseconds.
"""

import asyncio
import random
from importlib.util import find_spec
from multiprocessing.connection import Connection
from typing import cast

CHILDREN = 10
WORDS = (
    "agent model panel review ship skip score price tier context token window latency editor terminal plugin search"
    " voice image video pipeline dataset memory prompt release open weights hosted team developer research"
).split()


def page_path(number: int) -> str:
    """The path of a page; 0 is the start."""
    return f"/compare/page-{number}" if number else "/"


def links(number: int, pages: int) -> list[int]:
    """The pages that a page links to: its children in the tree, its parent and the start."""
    children = range(number * CHILDREN + 1, min(number * CHILDREN + CHILDREN + 1, pages))
    return [*children, (number - 1) // CHILDREN if number else 0, 0]


def filler(size: int, seed: int = 7) -> bytes:
    """HTML of paragraphs, list items and spans, about as dense in tags as a real page."""
    chance = random.Random(seed)
    pieces: list[str] = []
    length = 0
    while length < size:
        words = " ".join(chance.choices(WORDS, k=chance.randint(6, 24)))
        kind = chance.choice(("p", "li", "span", "div"))
        pieces.append(f'<{kind} class="c-{chance.randint(1, 900)}">{words}</{kind}>\n')
        length += len(pieces[-1])
    return "".join(pieces).encode()[:size]


def body_parts(number: int, pages: int, filling: bytes) -> list[bytes]:
    """A page in two pieces, the second of them shared."""
    anchors = "".join(f'<a href="{page_path(linked)}">page {linked}</a>\n' for linked in links(number, pages))
    head = f"<!doctype html><html><head><title>Page {number}</title></head><body><h1>Page {number}</h1>{anchors}"
    return [head.encode(), filling]


class Serving(asyncio.Protocol):
    """One connection, kept alive."""

    def __init__(self, pages: int, filling: bytes) -> None:
        self._pages = pages
        self._filling = filling
        self._waiting = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's are no subclass

    def data_received(self, data: bytes) -> None:
        self._waiting += data
        while (end := self._waiting.find(b"\r\n\r\n")) >= 0:
            target = self._waiting.split(b" ", 2)[1].decode()
            self._waiting = self._waiting[end + 4 :]
            self._answer(target)

    def _answer(self, target: str) -> None:
        number = 0 if target == "/" else int(target.rpartition("-")[2]) if target.startswith("/compare/page-") else -1
        if 0 <= number < self._pages:
            parts, status, kind = body_parts(number, self._pages, self._filling), "200 OK", "text/html; charset=utf-8"
        elif target == "/robots.txt":
            parts, status, kind = [b"User-agent: *\nDisallow: /private/\n"], "200 OK", "text/plain"
        else:
            parts, status, kind = [b"no such page"], "404 Not Found", "text/plain"
        size = sum(map(len, parts))
        head = f'HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nETag: "{number}"\r\nContent-Length: {size}\r\n\r\n'
        self._transport.writelines([head.encode(), *parts])


def serve_pages(port: Connection, pages: int, size: int) -> None:
    """Serves until its process ends. Without uvloop it is slower than what is measured."""

    async def main() -> None:
        filling = filler(size)
        server = await asyncio.get_running_loop().create_server(lambda: Serving(pages, filling), "127.0.0.1", 0)
        port.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    if find_spec("uvloop"):
        import uvloop

        uvloop.run(main())
    else:
        asyncio.run(main())

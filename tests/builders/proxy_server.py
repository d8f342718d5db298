"""A forward proxy on loopback: requests in absolute form, CONNECT, and a login. Every name leads to one port."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class ProxyServer:
    """`asked` has the first line of each request that had the right login."""

    port: int = 0
    asked: list[str] = field(default_factory=list)


@asynccontextmanager
async def proxy(port: int, login: str | None = None) -> AsyncIterator[ProxyServer]:
    """Passes requests on to `port` of this machine."""
    served = ProxyServer()
    wanted = None if login is None else f"Basic {b64encode(login.encode()).decode()}"

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = dict(line.lower().split(": ", 1) for line in lines if ": " in line)
            shown = next((line.split(": ", 1)[1] for line in lines if line.lower().startswith("proxy-auth")), None)
            if wanted is not None and shown != wanted:
                writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            else:
                served.asked.append(first)
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
                method, target, _ = first.split()
                if method == "CONNECT":
                    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
                    await asyncio.gather(_pass_on(reader, far_writer), _pass_on(far_reader, writer))
                else:
                    path = target.removeprefix(f"http://{headers['host']}")
                    kept = [line for line in lines if line and not line.lower().startswith("proxy-")]
                    far_writer.write("\r\n".join([f"{method} {path} HTTP/1.1", *kept, "", ""]).encode("latin-1"))
                    await _pass_on(far_reader, writer)
                far_writer.close()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    served.port = server.sockets[0].getsockname()[1]
    async with server:
        yield served


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    with suppress(OSError):
        writer.write_eof()

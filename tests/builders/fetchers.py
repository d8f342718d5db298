"""Several fetchers on one frontier, in processes of their own, and a server whose log says who asked what when."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from verdicts.fetch.store.store import open_store

FETCHER = """
import asyncio, sys
from pathlib import Path
from verdicts.fetch.model.site import Limits, Site
from verdicts.fetch.run.crawl import crawl
from verdicts.fetch.run.shared_frontier import SharedFrontier
from verdicts.fetch.store.store import open_store
address, data, name, port, hosts, delay, lease = sys.argv[1:]
limits = Limits(connect_s=1, read_s=1, total_s=1.5, backoff_s=0.05)
sites = [
    Site((host,), (f"http://{host}/",), delay_s=float(delay), connections=1, limits=limits, allow_private=True,
         resolve={host: ("127.0.0.1", int(port))})
    for host in hosts.split(",")
]
shared = SharedFrontier(address, lease_s=float(lease), sites=2, looks_every_s=0.05)
with open_store(Path(data), command="crawl") as store:
    run = asyncio.run(crawl(store, sites, user_agent=f"{name} (test@example.org)", shared=shared))
print(run.status, flush=True)
"""


class Asked(NamedTuple):
    """A request: when it came by the server's clock, of which fetcher, for which page."""

    at: float
    fetcher: str
    host: str
    path: str


class Site(ThreadingHTTPServer):
    """Every host has a front page with links to its pages, and no robots.txt."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, pages: int) -> None:
        self.pages = pages
        self.asked: list[Asked] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    def of(self, fetcher: str) -> list[Asked]:
        return [asked for asked in [*self.asked] if asked.fetcher == fetcher]


class _Handler(BaseHTTPRequestHandler):
    server: Site
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    """Head and body are two writes, of which the second would wait 40 ms for the first to be acknowledged."""

    def do_GET(self) -> None:
        host = self.headers["Host"].partition(":")[0]
        fetcher = self.headers["User-Agent"].partition(" ")[0]
        self.server.asked.append(Asked(time.monotonic(), fetcher, host, self.path))
        links = "".join(f'<a href="/p/{number}">page</a> ' for number in range(self.server.pages))
        is_page = self.path == "/" or self.path.startswith("/p/")
        body = f"<html><h1>{host}{self.path}</h1>{links if self.path == '/' else ''}</html>".encode()
        self.send_response(200 if is_page else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def site(pages: int) -> Iterator[Site]:
    with Site(pages) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.shutdown()


def start_fetcher(
    address: str, folder: Path, name: str, server: Site, hosts: list[str], delay_s: float, lease_s: float
) -> "subprocess.Popen[str]":
    port = str(server.server_address[1])
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            FETCHER,
            address,
            folder / name,
            name,
            port,
            ",".join(hosts),
            str(delay_s),
            str(lease_s),
        ],
        stdout=subprocess.PIPE,
        stderr=(folder / f"{name}.log").open("wb"),
        text=True,
    )


def stored(data: Path) -> set[str]:
    """The addresses of which a fetcher has a snapshot."""
    with open_store(data, command="test") as store:
        return {entry.url for entry in store.index()}

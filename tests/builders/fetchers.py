"""Several fetchers in processes of their own, and hosts whose log says who asked what when."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import NamedTuple

from builders.command import RUN_MAIN
from verdicts.fetch.model.share import Share
from verdicts.fetch.store.store import open_store


class Asked(NamedTuple):
    """A request: when it came by the server's clock, of which fetcher, for which page."""

    at: float
    fetcher: str
    host: str
    path: str


class Host(ThreadingHTTPServer):
    """An address of this machine with a front page that links to its pages, and no robots.txt."""

    daemon_threads = True

    def __init__(self, address: str, pages: int, asked: list[Asked]) -> None:
        super().__init__((address, 0), _Handler)
        self.pages, self.asked = pages, asked
        self.name = f"{address}:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Host
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        fetcher = self.headers["User-Agent"]
        self.server.asked.append(Asked(time.monotonic(), fetcher, self.server.name, self.path))
        links = "".join(f'<a href="/p/{number}">page</a> ' for number in range(self.server.pages))
        is_page = self.path == "/" or self.path.startswith("/p/")
        body = f"<html><h1>{self.server.name}{self.path}</h1>{links if self.path == '/' else ''}</html>".encode()
        self.send_response(200 if is_page else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def hosts(shares: Sequence[Share], each: int, pages: int, asked: list[Asked]) -> Iterator[list[str]]:
    """The names of hosts, `127.0.0.2:34567`, of which each share has some: their ports are chance."""
    names: list[str] = []
    with ExitStack() as stack:
        for last in count(2):
            if all(sum(map(share.has, names)) >= each for share in shares):
                break
            host = stack.enter_context(Host(f"127.0.0.{last}", pages, asked))
            threading.Thread(target=host.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
            stack.callback(host.shutdown)
            names.append(host.name)
        yield names


def write_sites(path: Path, names: list[str], *, delay_s: float, store: Path) -> Path:
    """A config with a [[site]] for each host, the same for all fetchers."""
    sites = "".join(
        f'[[site]]\nhosts = ["{name.partition(":")[0]}"]\nstart_urls = ["http://{name}/"]\nallow_private = true\n'
        f"delay_s = {delay_s}\nconnections = 1\n"
        for name in names
    )
    path.write_text(f'user_agent = "test"\n{sites}[care]\nmin_free_gb = 0\n[scale]\nstore = "{store}"\n')
    return path


def start_fetcher(config: Path, share: str, name: str) -> "subprocess.Popen[str]":
    """`verdicts crawl` of a share, whose data folder and User-Agent are its name."""
    return subprocess.Popen(
        [sys.executable, "-c", RUN_MAIN, "crawl", "--config", config, "--data", config.parent / name],
        env=os.environ | {"VERDICTS_SHARE": share, "VERDICTS_USER_AGENT": name},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def list_stored(data: Path) -> set[str]:
    """The addresses of which a fetcher has a snapshot."""
    with open_store(data, command="test") as store:
        return {entry.url for entry in store.index()}

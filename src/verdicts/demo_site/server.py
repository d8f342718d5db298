"""Serves the demo site on loopback: HTTP/1.1 with validators, gzip and a check of the Host header.

`python -m verdicts.demo_site.server` serves it until Ctrl-C.
"""

import gzip
import hashlib
import re
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from email.utils import parsedate_to_datetime
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode

from verdicts.demo_site.responses import SITE_HOST, Response, build_site

NOT_FOUND = Response(404, (("Content-Type", "text/plain; charset=utf-8"),), b"not found\n")
MISDIRECTED = Response(421, (("Content-Type", "text/plain; charset=utf-8"),), b"this host is not served here\n")
GZIP_TYPES = ("text/", "application/xml")

_GZIP = re.compile(r"(gzip|\*)(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.IGNORECASE)
"""`gzip` in Accept-Encoding, but not `gzip;q=0`."""


@contextmanager
def serve(
    pages: Mapping[str, Response] | None = None, *, port: int = 0, hosts: frozenset[str] = frozenset({SITE_HOST})
) -> Iterator[tuple[str, int]]:
    """Serves on 127.0.0.1 until the block ends. Yields address and port; port 0 takes a free one.

    `pages` is the demo site by default. Requests for a host outside `hosts` get 421.
    """
    with _Server(port, build_site() if pages is None else pages, hosts) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield "127.0.0.1", server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
            server.hang_up()


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 128

    def __init__(self, port: int, pages: Mapping[str, Response], hosts: frozenset[str]) -> None:
        self.pages = pages
        self.hosts = hosts
        self.connections: set[Any] = set()
        super().__init__(("127.0.0.1", port), _Handler)

    def process_request(self, request: Any, client_address: object) -> None:  # noqa: ANN401  a connection
        self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:  # noqa: ANN401
        self.connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: object) -> None:  # noqa: ANN401
        """Ignores a client that disconnects. Any other error is a bug and is shown."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def hang_up(self) -> None:
        """Closes idle connections, whose threads would wait forever for another request."""
        for connection in list(self.connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "demo"
    sys_version = ""
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Server

    def do_GET(self) -> None:
        self._respond()

    def do_HEAD(self) -> None:
        self._respond()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Logs nothing."""

    def _respond(self) -> None:
        response = self._find()
        validators: dict[str, str] = {}
        body = response.body
        if response.status == 200:
            etag = _etag(body)
            if dict(response.headers).get("Content-Type", "").startswith(GZIP_TYPES):
                validators["Vary"] = "Accept-Encoding"
                if _GZIP.search(self.headers.get("Accept-Encoding", "")):
                    body, etag = _compress(body), f"{etag}-gzip"
                    validators["Content-Encoding"] = "gzip"
            validators["ETag"] = f'"{etag}"'
            if self._is_unchanged(response, validators["ETag"]):
                self._write(304, [*response.headers, *validators.items()], None)
                return
        self._write(response.status, [*response.headers, *validators.items()], body)

    def _find(self) -> Response:
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or hosts[0].partition(":")[0].lower() not in self.server.hosts:
            return MISDIRECTED
        path, mark, query = self.path.partition("?")
        # Parsed like a form: `AI%2FML+Models` and `AI/ML+Models` are one category.
        return self.server.pages.get(path + mark + urlencode(parse_qsl(query)), NOT_FOUND)

    def _is_unchanged(self, response: Response, etag: str) -> bool:
        """Whether the client's validators match. If-None-Match overrides If-Modified-Since (RFC 9110)."""
        etags = self.headers.get("If-None-Match")
        if etags is not None:
            return etags.strip() == "*" or etag in [entry.strip().removeprefix("W/") for entry in etags.split(",")]
        since = self.headers.get("If-Modified-Since")
        modified = dict(response.headers).get("Last-Modified")
        if since is None or modified is None:
            return False
        try:
            return parsedate_to_datetime(modified) <= parsedate_to_datetime(since)
        except (TypeError, ValueError):
            return False

    def _write(self, status: int, headers: list[tuple[str, str]], body: bytes | None) -> None:
        self.send_response(status, HTTPStatus(status).phrase)
        for name, value in headers:
            if body is not None or name not in {"Content-Type", "Content-Encoding"}:
                self.send_header(name, value)
        if body is not None:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if body is not None and self.command != "HEAD":
            self.wfile.write(body)


@cache
def _etag(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:32]


@cache
def _compress(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def main() -> None:
    with serve(hosts=frozenset({SITE_HOST, "127.0.0.1", "localhost"})) as (host, port), suppress(KeyboardInterrupt):
        print(f"http://{host}:{port}/", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()

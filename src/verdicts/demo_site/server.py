"""Serves the demo site on loopback: HTTP/1.1 with validators."""

import hashlib
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode

from verdicts.demo_site.responses import Response, build_site

NOT_FOUND = Response(404, (("Content-Type", "text/plain; charset=utf-8"),), b"not found\n")


@contextmanager
def serve(pages: Mapping[str, Response] | None = None, *, port: int = 0) -> Iterator[tuple[str, int]]:
    """Serves on 127.0.0.1 until the block ends. Yields address and port; port 0 takes a free one.

    `pages` is the demo site by default.
    """
    with _Server(port, build_site() if pages is None else pages) as server:
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

    def __init__(self, port: int, pages: Mapping[str, Response]) -> None:
        self.pages = pages
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
        path, mark, query = self.path.partition("?")
        # Parsed like a form: `AI%2FML+Models` and `AI/ML+Models` are one category.
        response = self.server.pages.get(path + mark + urlencode(parse_qsl(query)), NOT_FOUND)
        headers, etag = dict(response.headers), _etag(response.body)
        if response.status == 200:
            headers["ETag"] = etag
        if response.status == 200 and self.headers.get("If-None-Match") == etag:
            self._write(304, headers, b"")
        else:
            self._write(response.status, headers | {"Content-Length": str(len(response.body))}, response.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Logs nothing."""

    def _write(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status, HTTPStatus(status).phrase)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


@cache
def _etag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'

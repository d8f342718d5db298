"""A bucket on loopback: as much of S3 as a store of objects asks for, and requests that fail.

A request fails where the seed says so, in one of the ways in which those of a real store do: the server says 500 or
503, or the connection is reset before the request was carried out, or after it.
"""

import random
import socket
import struct
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

import pytest

Failure = Literal["500", "503", "reset before", "reset after"]

FAILURES: tuple[Failure, ...] = ("500", "503", "reset before", "reset after")

BUCKET = "bucket"
"""The only one that there is."""

PAGE = 3
"""Names that one answer lists at most: what is more comes by its continuation token."""


class S3Server(ThreadingHTTPServer):
    """`objects` has names, with their bucket, to bytes. `one_in` of its requests fails; none where it is 0."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, one_in: int, seed: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects: dict[str, bytes] = {}
        self.one_in = one_in
        self.key = "key"
        self.failed: Counter[Failure] = Counter()
        self.requests: Counter[str] = Counter()
        self.lock = threading.Lock()
        self.connections: set[socket.socket] = set()
        self._random = random.Random(seed)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def environment(self) -> dict[str, str]:
        """What a process has to know of it."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": self.key,
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_REGION": "us-east-1",
            "AWS_ALLOW_HTTP": "true",
        }

    def failure(self) -> Failure | None:
        """How the next request fails."""
        with self.lock:
            if not self.one_in or self._random.randrange(self.one_in):
                return None
            failure = self._random.choice(FAILURES)
            self.failed[failure] += 1
            return failure

    def get_request(self) -> tuple[socket.socket, object]:
        connection, address = super().get_request()
        self.connections.add(connection)
        return connection, address

    def shutdown_request(self, request) -> None:
        self.connections.discard(request)
        super().shutdown_request(request)

    def end(self) -> None:
        """Ends the connections that clients keep open, too, whose threads would outlive a test."""
        self.shutdown()
        for connection in [*self.connections]:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()

    def handle_error(self, request, client_address) -> None:
        """A connection that was reset is no news."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: S3Server
    timeout = 60

    def handle_one_request(self) -> None:
        self.body = b""
        super().handle_one_request()

    def _serve(self) -> None:
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        failure = self.server.failure()
        with self.server.lock:
            self.server.requests[self.command] += 1
        if failure == "reset before":
            self._reset()
        elif failure in {"500", "503"}:
            self._answer(int(failure), _error("SlowDown"))
        elif f"Credential={self.server.key}/" not in self.headers.get("Authorization", ""):
            self._answer(403, _error("AccessDenied"))
        elif self.name.partition("/")[0] != BUCKET:
            self._answer(404, _error("NoSuchBucket"))
        else:
            self._is_lost = failure == "reset after"
            getattr(self, f"_{self.command.lower()}")()

    do_GET = do_PUT = do_HEAD = do_DELETE = do_POST = _serve  # noqa: N815  named by the base class

    @property
    def name(self) -> str:
        return unquote(urlsplit(self.path).path).lstrip("/")

    def _put(self) -> None:
        with self.server.lock:
            is_there = self.name in self.server.objects
            if not (is_there and self.headers.get("If-None-Match") == "*"):
                self.server.objects[self.name] = self.body
        if is_there and self.headers.get("If-None-Match") == "*":
            self._answer(412, _error("PreconditionFailed"))
        else:
            self._answer(200, headers={"ETag": '"etag"'})

    def _delete(self) -> None:
        with self.server.lock:
            self.server.objects.pop(self.name, None)
        self._answer(204)

    def _post(self) -> None:
        """Removes several objects, whose names stand in the body."""
        names = [part.partition("</Key>")[0] for part in self.body.decode().split("<Key>")[1:]]
        bucket = self.name.partition("/")[0]
        with self.server.lock:
            for name in names:
                self.server.objects.pop(f"{bucket}/{name}", None)
        deleted = "".join(f"<Deleted><Key>{escape(name)}</Key></Deleted>" for name in names)
        self._answer(200, f"<DeleteResult>{deleted}</DeleteResult>".encode())

    def _head(self) -> None:
        self._get()

    def _get(self) -> None:
        if "list-type" in parse_qs(urlsplit(self.path).query):
            self._list()
            return
        body = self.server.objects.get(self.name)
        if body is None:
            self._answer(404, _error("NoSuchKey"))
            return
        headers = {
            "ETag": f'"{md5(body, usedforsecurity=False).hexdigest()}"',
            "Last-Modified": "Mon, 02 Nov 2026 00:00:00 GMT",
        }
        if span := self.headers.get("Range", "").removeprefix("bytes="):
            first, _, last = span.partition("-")
            begin = int(first) if first else len(body) - int(last)
            end = min(int(last), len(body) - 1) if first and last else len(body) - 1
            headers["Content-Range"] = f"bytes {begin}-{end}/{len(body)}"
            self._answer(206, body[begin : end + 1], headers)
        else:
            self._answer(200, body, headers)

    def _list(self) -> None:
        asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        bucket, prefix = self.name.strip("/"), asked.get("prefix", "")
        after = max(asked.get("continuation-token", ""), asked.get("start-after", ""))
        with self.server.lock:
            all_of_it = [(name.partition("/")[2], body) for name, body in sorted(self.server.objects.items())]
        found = [(name, body) for name, body in all_of_it if name.startswith(prefix) and name > after]
        listed = "".join(
            f"<Contents><Key>{escape(name)}</Key><LastModified>2026-11-02T00:00:00.000Z</LastModified>"
            f"<ETag>etag</ETag><Size>{len(body)}</Size></Contents>"
            for name, body in found[:PAGE]
        )
        more = f"<NextContinuationToken>{escape(found[PAGE - 1][0])}</NextContinuationToken>" if found[PAGE:] else ""
        self._answer(
            200,
            f"<ListBucketResult><Name>{bucket}</Name><IsTruncated>{str(bool(more)).lower()}</IsTruncated>"
            f"{more}{listed}</ListBucketResult>".encode(),
        )

    def _answer(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        if getattr(self, "_is_lost", False):
            self._reset()
            return
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _reset(self) -> None:
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def log_message(self, *args: object) -> None:
        """Says nothing."""


def _error(code: str) -> bytes:
    return f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode()


@contextmanager
def s3_server(*, one_in: int = 0, seed: int = 1) -> Iterator[S3Server]:
    """A server that listens, and that this process takes for its store, while the context is open."""
    server = S3Server(one_in, seed)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in server.environment.items():
                patch.setenv(name, value)
            yield server
    finally:
        server.end()
        thread.join()

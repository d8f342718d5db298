"""Who is told of a night, on loopback: a web hook and a mailbox that keep what they are sent, and hosts that stall."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from aiosmtpd.controller import Controller


class Receiver:
    """A web address, and the same for Apprise. `answer` is the status that it gives."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.json = f"json://127.0.0.1:{port}"
        self.answer = 200
        self.posted: list[dict] = []
        self.got: list[str] = []


@contextmanager
def receiver() -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            content = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if kept.answer < 400:
                kept.posted.append(content)
            self.end()

        def do_GET(self):
            kept.got.append(self.path)
            self.end()

        def end(self):
            self.send_response(kept.answer)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    kept = Receiver(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield kept
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def mailbox() -> Iterator[tuple[int, list[EmailMessage]]]:
    """The port of a mail server, and the mails that came."""
    mails: list[EmailMessage] = []

    class Keeping:
        async def handle_DATA(self, server, session, envelope):  # noqa: ARG002, N802  as aiosmtpd calls it
            mails.append(message_from_bytes(envelope.content, policy=policy.default))
            return "250 OK"

    # Port 0 is no port to aiosmtpd, which connects to the one it was given to see whether it runs.
    class OnAnyPort(Controller):
        def _trigger_server(self):
            self.port = self.server.sockets[0].getsockname()[1]
            super()._trigger_server()

    controller = OnAnyPort(Keeping(), hostname="127.0.0.1", port=0)
    controller.start()
    try:
        yield controller.port, mails
    finally:
        controller.stop()


class Stalling:
    """A host that does to every connection what `play` does with it."""

    def __init__(self, play: Callable[[Callable[[bytes], None], threading.Event], None]) -> None:
        self._ended = threading.Event()
        self._play = play
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def end(self) -> None:
        self._ended.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self._threads.append(threading.Thread(target=self._answer, args=(connection,)))
                self._threads[-1].start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.settimeout(30)
            self._play(connection.sendall, self._ended)


def _forever(*first: bytes, each: bytes, pause_s: float = 0) -> Callable:
    def play(send, ended):
        for data in first:
            send(data)
        while not ended.wait(pause_s):
            send(each)

    return play


STALLS = {
    "says nothing": _forever(each=b"", pause_s=0.5),
    "drips its head": _forever(each=b"H", pause_s=0.5),
    "drips its body": _forever(b"HTTP/1.1 500 Oh\r\n\r\n", each=b"x", pause_s=0.5),
    "never ends its body": _forever(b"HTTP/1.1 500 Oh\r\n\r\n", each=b"x" * 65_536),
    "leads in a circle": lambda send, _: send(b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"),
    "greets for mail by the byte": _forever(b"220-", each=b"x", pause_s=0.5),
}
"""Ways not to come to an end."""


@contextmanager
def stall(*ways: str) -> Iterator[dict[str, Stalling]]:
    """A host for each of these ways."""
    hosts = {way: Stalling(STALLS[way]) for way in ways}
    try:
        yield hosts
    finally:
        for host in hosts.values():
            host.end()

"""Who is told of a night, on loopback: a webhook and a mailbox that keep what they are sent."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from aiosmtpd.controller import Controller


class Receiver:
    """A web address. `answer` is the status that it gives."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
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

"""`python -m verdicts.flows.server_process FD`: Prefect's API and its pages, in a process that ends with its parent.

A server that outlived a killed `verdicts serve` would hold the database beside the next one. FD is the socket that the
parent listens on. What is served takes commands: who sends the auth string starts processes here (Prefect checks it),
and a browser on this machine reaches it for every page that it shows (`OwnPagesAlone`).
"""

import socket
import sys

import uvicorn
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from verdicts.pipeline.workers.process import end_with_parent


class OwnPagesAlone:
    """Another ASGI app, for requests to 127.0.0.1 by that name, and of a browser for those of the app's own pages.

    Preflights and WebSockets too. A page elsewhere whose name leads here (DNS rebinding) sends that name as `Host`.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._place = f"127.0.0.1:{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        why = None if scope["type"] == "lifespan" else self._refusal(Headers(scope=scope))
        app = self._app if why is None else PlainTextResponse(f"{why}\n", status_code=403)
        await app(scope, receive, send)

    def _refusal(self, headers: Headers) -> str | None:
        own = f"http://{self._place}"
        # Not `localhost`: another user may listen on its other address, ::1.
        if headers.getlist("host") != [self._place]:
            return f"open {own}, and no other name of it"
        is_of_others = any(origin != own for origin in headers.getlist("origin"))
        # What a browser asks without an `Origin`: pictures, scripts, frames. A link that somebody clicks may lead here.
        is_embedded = headers.get("sec-fetch-dest", "document") != "document"
        if is_of_others or (is_embedded and headers.get("sec-fetch-site") in {"cross-site", "same-site"}):
            return "no page of another address may ask this"
        return None


def serve(listening: socket.socket) -> None:
    """Serves until a signal asks for the end."""
    # They take seconds, in which the parent may be killed already.
    from prefect.server.api.server import create_app  # noqa: PLC0415
    from prefect.settings import get_current_settings  # noqa: PLC0415

    settings = get_current_settings().server
    config = uvicorn.Config(
        OwnPagesAlone(create_app(final=True), listening.getsockname()[1]),
        proxy_headers=False,
        log_level=settings.logging_level.lower(),
        timeout_keep_alive=settings.api.keepalive_timeout,
        ws_ping_interval=settings.api.websocket_ping_interval,
        ws_ping_timeout=settings.api.websocket_ping_timeout,
    )
    uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    end_with_parent()
    serve(socket.socket(fileno=int(sys.argv[1])))

"""The pages as a Starlette app: routes, headers that keep page texts harmless, errors as sentences."""

import errno
import socket
import sys
import traceback
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from importlib.resources import files
from itertools import chain
from secrets import token_urlsafe
from time import time_ns
from urllib.parse import parse_qsl

import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from verdicts.demo_site.site_pages import INVENTED
from verdicts.explore.copies import Copies, Copy
from verdicts.explore.editing import FORM_BYTES, Editor, note
from verdicts.explore.pages import PAGE_PATHS
from verdicts.explore.pages.overviews import open_doubts
from verdicts.explore.rendering import render
from verdicts.explore.token import TokenGuard, token_given
from verdicts.explore.visit import Download, NotThere, Page, Refused, View, Visit
from verdicts.fetch.model.addresses import BadUrl
from verdicts.fetch.model.fetch_errors import StorageFailed, StoreDamaged, StoreMissing
from verdicts.inspection.explanation import Explanation
from verdicts.inspection.inspect_address import explain_address
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.pipeline.sources.config import DEMO, Config
from verdicts.pipeline.steps import now
from verdicts.warehouse.serving.answer_text import json_text
from verdicts.warehouse.storage.warehouse_errors import ChangesNotKept, NothingPublished, QuestionFailed, WarehouseError

HOSTS = ["127.0.0.1", "localhost"]
"""Allowed host names: no other page can have its name lead here (DNS rebinding). With a token any name is allowed: no
other page has the token, and browsers send its cookie only to the name that gave it."""

EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104  every request needs the token

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self';"
        " frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

JSON = "application/json"
NOT_KEPT = {"Cache-Control": "no-store"}

_STARTED = f"{time_ns():x}"
"""Part of every ETag: an upgraded program starts a new process, and makes other pages of the same copy."""

STATUS = {
    NotThere: 404,
    Refused: 403,
    ChangesNotKept: 410,
    QuestionFailed: 400,
    NothingPublished: 503,
    WarehouseError: 503,
    StoreDamaged: 500,
    ConfigError: 503,
    OSError: 503,
}
"""Errors that a user or the disk can cause; the page shows the message. Anything else is a bug."""


def make_app(
    folder: DataFolder, editor: Editor | None = None, token: str | None = None, config: Config = DEMO
) -> Starlette:
    """The pages over the published copies of `folder`. Opens nothing before the first request.

    With an `editor` the page of doubts has forms. `token`: what every request must have. `config` judges addresses.
    """
    copies = Copies(folder.serve)
    of_forms = None if editor is None else editor.token
    deciding = (
        [] if editor is None else [Route("/doubts", _make_decision_endpoint(copies, folder, editor), methods=["POST"])]
    )

    @asynccontextmanager
    async def close_copies(_: Starlette) -> AsyncIterator[None]:
        yield
        copies.close()

    return Starlette(
        routes=[
            Route("/explore.css", _css),
            *deciding,
            *(
                Route(path, _endpoint(page, copies, folder, of_forms, config))
                for page_path in PAGE_PATHS
                for path, page in (
                    (f"{page_path.stem}.csv", page_path.csv),
                    (f"{page_path.stem}.json", page_path.page),
                    (page_path.path, page_path.page),
                )
                if page is not None
            ),
        ],
        middleware=[
            Middleware(_WithHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS, www_redirect=False)
            if token is None
            else Middleware(TokenGuard, token, _no_token),
        ],
        exception_handlers={HTTPException: _http_error},
        lifespan=close_copies,
    )


class _WithHeaders:
    """Every answer has HEADERS, even errors."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _make_decision_endpoint(
    copies: Copies, folder: DataFolder, editor: Editor
) -> Callable[[Request], Coroutine[object, object, Response]]:
    """Notes a decision that the page of doubts offers."""

    def decide(request: Request, form: Mapping[str, str]) -> Response:
        try:
            # Browsers send an Origin with every POST.
            editor.check(form, is_ours="origin" in request.headers and not _is_from_elsewhere(request))
            with copies.present() as copy:
                offered = open_doubts(Visit(copy, folder.raw, {}, {}, is_json=False, is_from_elsewhere=False))
            note(folder, editor, offered, form)
            return RedirectResponse("/doubts", 303)
        except Exception as error:
            return _respond_to_error(request, error)

    async def endpoint(request: Request) -> Response:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > FORM_BYTES:
                return _sentence(request, 413, "The form is too large.")
        form = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
        return await run_in_threadpool(decide, request, form)

    return endpoint


def _endpoint(
    page: Page, copies: Copies, folder: DataFolder, token: str | None, config: Config
) -> Callable[[Request], Response]:
    """Runs in a thread of Starlette's pool, so that DuckDB can answer others meanwhile."""

    def endpoint(request: Request) -> Response:
        try:
            is_from_elsewhere = _is_from_elsewhere(request)
            _check_may_be_shown(request, is_from_elsewhere=is_from_elsewhere)
            with ExitStack() as stack:
                copy = stack.enter_context(copies.present())
                tag = _etag(copy, folder)
                if request.headers.get("if-none-match") == tag:
                    return Response(status_code=304, headers=_make_cache_headers(tag))
                values = {name: value for name, value in request.query_params.items() if value.strip()}
                is_json = _is_json(request)
                explain = partial(_explain, folder, config, copy)
                visit = Visit(copy, folder.raw, request.path_params, values, is_json, is_from_elsewhere, token, explain)
                return _response(page(visit), request, copy, tag, stack)
        except Exception as error:
            return _respond_to_error(request, error)

    return endpoint


def _explain(folder: DataFolder, config: Config, copy: Copy, address: str) -> Explanation | None:
    """None where no crawl left a state, as with a dataset that was loaded, or where it cannot be read now."""
    try:
        return explain_address(folder, config, address, now(), command="explore", corpus=copy.connection)
    except (BadUrl, StoreMissing, StoreDamaged, StorageFailed):
        return None


def _check_may_be_shown(request: Request, *, is_from_elsewhere: bool) -> None:
    """Raises Refused if a page of another origin loads or embeds this one. It may link here."""
    if is_from_elsewhere and request.headers.get("sec-fetch-dest", "document") != "document":
        raise Refused("A page of another site asked for this. Other sites may only link here.")


def _is_from_elsewhere(request: Request) -> bool:
    """Whether any header says that a page of another origin led or sent the browser here.

    Another port of this machine is another origin: browsers call it `same-site`. Programs such as curl send none of
    these headers, and neither does a browser for a typed address.
    """
    ours = f"http://{request.headers.get('host', '')}".lower()
    origin, referer = request.headers.get("origin"), request.headers.get("referer")
    return (
        request.headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}
        or (origin is not None and origin.lower() != ours)
        or (referer is not None and not f"{referer.lower()}/".startswith(f"{ours}/"))
    )


def _response(
    made: View | Download | RedirectResponse, request: Request, copy: Copy, tag: str, stack: ExitStack
) -> Response:
    match made:
        case View() if _is_json(request):
            return Response(made.document, made.status, _make_cache_headers(tag), JSON)
        case RedirectResponse() if _is_json(request):
            made.headers["location"] += ".json"
            return made
        case View():
            context = {
                "path": request.url.path,
                "copy_name": copy.path.name,
                "has_panel": copy.has_panel,
                "demo_notice": INVENTED if copy.has_demo else None,
                **made.values,
            }
            return HTMLResponse(render(made.template, context), made.status, _make_cache_headers(tag))
        case RedirectResponse():
            return made
        case Download():
            # An answer that fails does so with its first piece, while an error page is still possible.
            first = next(made.pieces)
            open_copy = stack.pop_all()
            return StreamingResponse(
                chain((first,), made.pieces),
                media_type=f"{made.media_type}; charset=utf-8",
                headers={"Content-Disposition": f'attachment; filename="{made.filename}"', **_make_cache_headers(tag)},
                background=BackgroundTask(open_copy.close),
            )


def _is_json(request: Request) -> bool:
    return request.url.path.endswith(".json")


def _etag(copy: Copy, folder: DataFolder) -> str:
    """Another one after a new copy, after a decision, and after a crawl wrote to the state."""
    written = [*folder.corrections.glob("*.toml"), *folder.root.glob(f"{folder.state.name}*")]
    decided = max((path.stat().st_mtime_ns for path in written), default=0)
    return f'"{_STARTED}-{copy.path.name}-{decided:x}"'


def _make_cache_headers(tag: str) -> dict[str, str]:
    return {"ETag": tag, "Cache-Control": "no-cache"}


def _respond_to_error(request: Request, error: Exception) -> Response:
    for kind, status in STATUS.items():
        if isinstance(error, kind):
            return _sentence(request, status, " ".join(str(error).split()))
    sys.stderr.write(f"verdicts: {request.url.path}?{request.url.query}\n")
    traceback.print_exception(error)
    return _sentence(request, 500, "This page failed: a bug in verdicts. Its terminal shows the traceback.")


def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    answer = _sentence(request, status, "There is no such page." if status == 404 else str(error))
    answer.headers.update(getattr(error, "headers", None) or {})
    return answer


def _no_token(request: Request, sentence: str) -> Response:
    answer = _sentence(request, 401, sentence)
    answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def _sentence(request: Request, status: int, sentence: str) -> Response:
    if _is_json(request):
        return Response(json_text({"error": sentence}), status, NOT_KEPT, JSON)
    context = {
        "path": request.url.path,
        "copy_name": None,
        "demo_notice": None,
        "has_panel": True,
        "status": status,
        "sentence": sentence,
    }
    return HTMLResponse(render("sentence", context), status, NOT_KEPT)


def _css(_: Request) -> Response:
    css = files("verdicts.explore").joinpath("templates/explore.css").read_text(encoding="utf-8")
    return Response(css, media_type="text/css", headers={"Cache-Control": "no-cache"})


ENDS_WITHIN_S = 3
"""Seconds for running answers to end."""


def serve(
    folder: DataFolder,
    host: str,
    port: int,
    started: Callable[[str], None],
    editor: Editor | None = None,
    config: Config = DEMO,
) -> None:
    """Serves until a signal; calls `started` with the address once it answers. Port 0 is any free one.

    If other machines may reach the host, and with an `editor`, every request needs a token: that of the environment, or
    a new one, which is part of the address. Raises ConfigError if the port is in use or the host is not an address of
    this machine.
    """
    # Another user of this machine could decide in the name of the editor.
    is_open = host in HOSTS and editor is None
    given = None if is_open else token_given()
    token = None if is_open else given or token_urlsafe(32)
    with _open_listener(host, port) as listener:
        at, port, *_ = listener.getsockname()
        name = "localhost" if at in EVERY_ADDRESS else f"[{host}]" if ":" in host else host
        settings = uvicorn.Config(
            make_app(folder, editor, token, config),
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=ENDS_WITHIN_S,
        )
        address = f"http://{name}:{port}/"
        # A token of the environment is known, and stays out of the log.
        server = _Server(settings, lambda: started(f"{address}?token={token}" if token and not given else address))
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._tell()


def _open_listener(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ConfigError(f"port {port} of {host} is not free ({error.strerror}); name another --port") from None
        raise ConfigError(f"{host} is not an address of this machine; name another --host") from None

"""The token that a team's server asks for with every request: in the address once, then in a cookie.

Programs send it in a header. The address with the token sets the cookie and redirects to the address without it, so no
link, history or log contains it. A page of another site can neither read the cookie nor make a browser send it.
"""

import os
import re
from collections.abc import Callable
from secrets import compare_digest
from urllib.parse import parse_qsl, urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from verdicts.pipeline.pipeline_errors import ConfigError

VARIABLE = "VERDICTS_EXPLORE_TOKEN"
"""The environment may give the token, so that an address that was shared is valid after a restart."""

_TOKEN = re.compile("[A-Za-z0-9_.~-]{20,}")

MISSING = (
    "This server asks for a token: open the address that 'verdicts explore' printed when it started,"
    " or send the header 'Authorization: Bearer TOKEN'."
)


def token_given() -> str | None:
    """The token of the environment, or None. Raises ConfigError if it is short or does not fit into an address."""
    given = os.environ.get(VARIABLE)
    if given is not None and not _TOKEN.fullmatch(given):
        raise ConfigError(f"{VARIABLE} must be at least 20 letters, digits or one of _.~-")
    return given


class TokenAsked:
    """Passes a request on if it has the token; `refuse` makes the answer to others."""

    def __init__(self, app: ASGIApp, token: str, refuse: Callable[[Request, str], Response]) -> None:
        self._app = app
        self._token = token.encode()
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        # Browsers keep one set of cookies for all ports of a host.
        cookie = f"verdicts_{request.url.port or 80}"
        in_address = request.query_params.get("token")
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        if in_address is not None and self._is_it(in_address):
            answer = _without_token(request)
            answer.set_cookie(cookie, in_address, httponly=True, samesite="strict")
            await answer(scope, receive, send)
        elif in_address is None and (
            self._is_it(request.cookies.get(cookie, "")) or (scheme.lower() == "bearer" and self._is_it(bearer.strip()))
        ):
            await self._app(scope, receive, send)
        else:
            await self._refuse(request, MISSING)(scope, receive, send)

    def _is_it(self, given: str) -> bool:
        return compare_digest(given.encode(), self._token)


def _without_token(request: Request) -> Response:
    kept = [(name, value) for name, value in parse_qsl(request.url.query) if name != "token"]
    # `//host` would be another host.
    address = "/" + request.url.path.lstrip("/\\") + (f"?{urlencode(kept)}" if kept else "")
    if request.headers.get("sec-fetch-site", "none") in {"none", "same-origin"}:
        return RedirectResponse(address, 303)
    # A browser sends no cookie of SameSite=Strict after a redirect that a link of another site led to.
    link = Markup('<!doctype html><title>verdicts</title><a href="{}">To the page</a>').format(address)
    return HTMLResponse(link, headers={"Refresh": f"0; url={address}"})

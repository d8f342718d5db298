"""The token that a team's server asks for with every request: in the address once, then in a cookie.

Programs send it in a header. The address with the token sets the cookie and redirects to the address without it, so no
link, history or log contains it. A page of another site cannot read the cookie, and makes a browser send it only by a
link.
"""

import os
import re
from collections.abc import Callable
from secrets import compare_digest
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
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


class TokenGuard:
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
            answer = RedirectResponse(_find_address(request), 303)
            # Lax: a link of a chat may lead here, and the page after the redirect needs the cookie.
            answer.set_cookie(cookie, in_address, httponly=True, samesite="lax")
            await answer(scope, receive, send)
        elif in_address is None and (
            self._is_it(request.cookies.get(cookie, "")) or (scheme.lower() == "bearer" and self._is_it(bearer.strip()))
        ):
            await self._app(scope, receive, send)
        else:
            await self._refuse(request, MISSING)(scope, receive, send)

    def _is_it(self, given: str) -> bool:
        return compare_digest(given.encode(), self._token)


def _find_address(request: Request) -> str:
    """The address without the token."""
    kept = [(name, value) for name, value in parse_qsl(request.url.query) if name != "token"]
    # `//host` would be another host.
    return "/" + request.url.path.lstrip("/\\") + (f"?{urlencode(kept)}" if kept else "")

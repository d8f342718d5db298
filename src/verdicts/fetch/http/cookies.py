"""The cookies of one visit to a page: they are sent within its redirects, and forgotten with it."""

from collections.abc import Mapping

from aiohttp import CookieJar
from yarl import URL  # noqa: TID251  as aiohttp has it

from verdicts.fetch.http.client import NO_COOKIES
from verdicts.fetch.model.snapshot import Headers


class VisitCookies:
    """aiohttp's jar, made with the first cookie: most visits have none."""

    def __init__(self) -> None:
        self._jar: CookieJar | None = None

    def keep(self, headers: Headers, url: str, target: str) -> bool:
        """Keeps the cookies of a response; whether the request to `target` has other cookies than before."""
        values = [value for name, value in headers if name == "set-cookie"]
        if not values:
            return False
        before = self.read(target)
        # Literal IP addresses are hosts of a config, too.
        self._jar = self._jar or CookieJar(unsafe=True)
        self._jar.update_cookies_from_headers(values, URL(url, encoded=True))
        return self.read(target) != before

    def read(self, url: str) -> Mapping[str, str]:
        """The cookies that a request has, by name."""
        if self._jar is None:
            return NO_COOKIES
        cookies = self._jar.filter_cookies(URL(url, encoded=True))
        return {name: cookie.coded_value for name, cookie in cookies.items()}

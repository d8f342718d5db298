"""Sites in memory, crawled without a socket. What each address answers is declared, and may change every night."""

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from builders.nights import HOST, Night, crawl_night, words
from verdicts.fetch.model.site import Limits, Site
from verdicts.fetch.model.snapshot import Response

ROOT = f"http://{HOST}"
LIMITS = Limits(attempts=1, backoff_s=0, breaker=1_000_000)


@dataclass(frozen=True)
class Made:
    """What an address answers. `text` names its words: equal names, equal words; `is_long` pages are no stubs."""

    status: int = 200
    text: str = ""
    links: tuple[str, ...] = ()
    canonical: str | None = None
    refresh: str | None = None
    location: str | None = None
    is_noindex: bool = False
    media_type: str = "text/html"
    has_etag: bool = False
    is_long: bool = True
    header: tuple[tuple[str, str], ...] = ()

    @property
    def body(self) -> bytes:
        if self.status != 200 or not (self.text or self.links):
            return b""
        head = "" if self.canonical is None else f'<link rel="canonical" href="{self.canonical}">'
        head += "" if self.refresh is None else f'<meta http-equiv="refresh" content="0; url={self.refresh}">'
        head += '<meta name="robots" content="noindex">' if self.is_noindex else ""
        anchors = "".join(f'<a href="{link}"></a>' for link in self.links)
        return f"<html><head>{head}</head><body>{words(self.text, self.is_long)}{anchors}</body></html>".encode()


class MadeClient:
    """A client for one site in memory; what is not declared is a 404."""

    def __init__(self, answers, asked):
        self._answers = answers
        self._asked = asked

    async def get(self, url, headers, *, cut_at=None, cookies=None):  # noqa: ARG002  no body here is long
        await asyncio.sleep(0)
        path = url.removeprefix(ROOT) or "/"
        self._asked[path] += 1
        answer = self._answers.get(path, Made(status=404))
        if callable(answer):
            answer = answer(self._asked[path])
        body = answer.body
        sent = [("content-type", answer.media_type), *answer.header]
        if answer.location is not None:
            sent.append(("location", answer.location))
        etag = f'"{sha256(body).hexdigest()[:8]}"'
        if answer.has_etag:
            sent.append(("etag", etag))
            if answer.status == 200 and headers.get("if-none-match") == etag:
                return Response(304, tuple(sent), b"", 0, 0)
        return Response(answer.status, tuple(sent), body, 0, len(body))


async def crawl_made_site(data, answers, at: datetime, *, starts=("/",), **changes) -> Night:
    """One crawl of a site in memory. `changes` are fields of `Site`."""
    asked: Counter[str] = Counter()

    @asynccontextmanager
    async def connect(_site, _user_agent):
        yield MadeClient(answers, asked)

    settings = {"delay_s": 0, "connections": 1, "limits": LIMITS} | changes
    site = Site((HOST,), tuple(ROOT + start for start in starts), **settings)
    return await crawl_night(data, [site], Clock(at), asked=asked, connect=connect)


class Clock:
    """A clock that goes on a second with each look at it."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def __call__(self) -> datetime:
        self._now += timedelta(seconds=1)
        return self._now

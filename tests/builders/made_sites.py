"""Sites in memory, crawled without a socket. What each address answers is declared, and may change every night."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256

from builders.nights import assert_counted
from verdicts.fetch.model.site import Limits, Site
from verdicts.fetch.model.snapshot import Response
from verdicts.fetch.run.crawl import crawl
from verdicts.fetch.store.store import open_store

HOST = "a.example"
ROOT = f"http://{HOST}"
AGENT = "verdicts-test (test@example.org)"
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


def words(text: str, is_long: bool = True) -> str:
    """Sixty words that no other text has, or one."""
    return " ".join(f"{text}-{number}" for number in range(60 if is_long else 1)) if text else ""


@dataclass
class Night:
    """What one crawl asked for and found. `newest` is the body by address, `moved` the address that has it instead."""

    asked: Counter[str] = field(default_factory=Counter)
    outcomes: dict[str, list[str]] = field(default_factory=dict)
    newest: dict[str, bytes] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    url_status: dict[str, str] = field(default_factory=dict)
    skips: dict[str, int] = field(default_factory=dict)
    status: str = ""

    def holds(self, path: str, text: str, *, is_long: bool = True) -> bool:
        """Whether the words are stored under the address, or under the one that it leads to."""
        url = self.moved.get(ROOT + path, ROOT + path)
        return words(text, is_long).encode() in self.newest.get(url, b"")


class MadeClient:
    """A client for one site in memory; what is not declared is a 404."""

    def __init__(self, answers, asked):
        self._answers = answers
        self._asked = asked

    async def get(self, url, headers, *, cut_at=None):  # noqa: ARG002  no body here is long
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


async def made_night(data, answers, at: datetime, *, starts=("/",), **changes) -> Night:
    """One crawl of a site in memory. `changes` are fields of `Site`."""
    result = Night()

    @asynccontextmanager
    async def connect(_site, _user_agent):
        yield MadeClient(answers, result.asked)

    settings = {"delay_s": 0, "connections": 1, "limits": LIMITS} | changes
    site = Site((HOST,), tuple(ROOT + start for start in starts), **settings)
    with open_store(data, command="test") as store:
        run = await crawl(store, [site], user_agent=AGENT, clock=Clock(at), connect=connect)
        result.status = run.status
        assert_counted(store, run.crawl_id)
        for item in store.fetches():
            if item.crawl_id == run.crawl_id:
                result.outcomes.setdefault(item.url.removeprefix(ROOT) or "/", []).append(item.outcome)
        result.newest = {entry.url: store.read(entry.location).body for entry in store.index()}
        result.moved = store.moved_urls()
        rows = store.state.execute("SELECT url, url_status FROM urls")
        result.url_status = {url.removeprefix(ROOT): url_status for url, url_status in rows}
        result.skips = {skip.reason: skip.skipped for skip in store.skips(run.crawl_id)}
    return result


class Clock:
    """A clock that goes on a second with each look at it."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def __call__(self) -> datetime:
        self._now += timedelta(seconds=1)
        return self._now

"""A crawl of a host with faults beside an honest one, over one night or several, and what must be seen of it."""

import asyncio
import re
import resource
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from builders.fault_server import NEIGHBOUR, PAGE, Play, faults, html, page, status
from builders.nights import Night as Crawl
from builders.nights import crawl_night
from verdicts.corpus.rows.runs import FetchRow
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.site import Limits, Site
from verdicts.fetch.model.snapshot import Snapshot

HOST, BYSTANDER = "a.example", "b.example"
HOME = f"http://{HOST}"
AGENT = "verdicts-test (test@bot.example)"
START = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
LIMITS = Limits(connect_s=2, read_s=0.8, total_s=2.5, attempts=2, backoff_s=0, longest_wait_s=2)

SECONDS, CPU_SECONDS, LOOP_SECONDS, MEGABYTES = 60.0, 10.0, 0.5, 250
"""Bounds of a night: time, CPU time, CPU time in which the event loop serves nobody, memory more than before."""

HONEST: Mapping[str, Play] = {
    f"{BYSTANDER}/robots.txt": status("404 Not Found"),
    f"{BYSTANDER}/sitemap.xml": status("404 Not Found"),
    f"{BYSTANDER}/": page("/one", title="Bystander"),
    f"{BYSTANDER}/one": page(title="Bystander one"),
}

STORED = frozenset({"stored"})
GOT = frozenset({"stored", "unchanged"})
OURS = frozenset({"internal_error"})
"""A mistake of our own: the answer to nothing that a host may send."""
FAILED = frozenset(str(outcome) for outcome in Outcome if outcome.is_failure) - OURS
OTHER_ENDS = frozenset({"redirected", "not_a_page", "support", "alias"})
FILES = ("/robots.txt", "/sitemap.xml", "/.well-known/tdmrep.json")
NOT_KEPT = frozenset(map(str, Outcome)) - GOT - OURS
"""Any outcome that keeps no page."""


@dataclass(frozen=True)
class Night:
    """What the host does in a night and what must be seen.

    `expect`: by path (or whole address), outcomes that may be its last; none at all: it must not be requested.
    `held`: by path, the newest snapshot after the night; None: with any body. A path that must be `stored` holds PAGE
    unless said otherwise, and one that must not be holds nothing but what an earlier night left.
    `asked`: paths that must be requested, as the server sees them; `unasked`: that must not.
    `is_down`: nothing is expected of the neighbour on the same host. `days`: since the first night.
    """

    plays: Mapping[str, Play]
    expect: Mapping[str, frozenset[str | None]] = field(default_factory=dict)
    held: Mapping[str, bytes | None] = field(default_factory=dict)
    asked: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    is_down: bool = False
    days: float = 0
    address: tuple[str, int] | None = None


@dataclass(frozen=True)
class CrawlCase:
    name: str
    rule: str
    nights: tuple[Night, ...]
    starts: tuple[str, ...] = ("/page",)
    site: Mapping[str, object] = field(default_factory=dict)
    at_most: Mapping[str, int] = field(default_factory=dict)
    """Bounds on what the server counts each night: requests that start with this path."""
    kind: str = ""
    weight: int = 1
    """So many times the bounds of a night are what it may take."""


def find_stored_after(
    held: Mapping[str, bytes | None], expect: Mapping[str, frozenset[str]]
) -> dict[str, bytes | None]:
    certain = {path: PAGE for path, allowed in expect.items() if allowed == {"stored"}}
    return {**certain, **held}


async def fell(case: CrawlCase, data: Path) -> list[str]:
    """What was seen that the rule forbids, night by night; empty where the case survives."""
    before: set[tuple[str, str]] = set()
    for number, night in enumerate(case.nights, start=1):
        seen = await _fell_in(case, night, data, before)
        if seen:
            return [f"night {number}: {line}" if len(case.nights) > 1 else line for line in seen]
    return []


async def _fell_in(case: CrawlCase, night: Night, data: Path, before: set[tuple[str, str]]) -> list[str]:
    robots = {"/robots.txt": status("404 Not Found"), "/sitemap.xml": status("404 Not Found")}
    neighbour = {"/neighbour": status("200 OK", NEIGHBOUR)}
    memory, began, cpu = _peak(), time.monotonic(), time.process_time()
    try:
        async with (
            faults({**robots, **neighbour, **HONEST, **night.plays}) as server,
            asyncio.timeout(90 * case.weight),
        ):
            there = ("127.0.0.1", server.port)
            settings = {"allow_private": True, "delay_s": 0, "limits": LIMITS} | dict(case.site)
            resolve = {HOST: night.address or there, "c.example": there, f"www.{HOST}": there}
            starts = tuple(start if start.startswith("http") else HOME + start for start in case.starts)
            named = {"hosts": (HOST,), "resolve": resolve, "start_urls": (*starts, f"{HOME}/neighbour")}
            honest = Site((BYSTANDER,), (f"http://{BYSTANDER}/",), resolve={BYSTANDER: there}, allow_private=True,
                          delay_s=0)  # fmt: skip
            lag = asyncio.create_task(_longest_turn())
            moment = START + timedelta(days=night.days)
            crawl = await crawl_night(data, [Site(**{**named, **settings}), honest], lambda: moment, asked=server.asked)
            lag.cancel()
            turn = (await asyncio.gather(lag, return_exceptions=True))[0]
    except Exception as error:  # whatever ends the run is what is looked for
        return [f"the run ended with {in_words(error)}"]
    seen = [*_log_complaints(case, night, crawl), *_store_complaints(night, crawl.held, before)]
    before |= {(url, snapshot.sha256) for url, snapshot in crawl.held}
    if (took := time.monotonic() - began) > SECONDS * case.weight:
        seen.append(f"the night took {took:.0f} s")
    if (took := time.process_time() - cpu) > CPU_SECONDS * case.weight:
        seen.append(f"the night took {took:.0f} s of CPU")
    if isinstance(turn, float) and turn > LOOP_SECONDS * case.weight:
        seen.append(f"the event loop was held for {turn:.1f} s")
    if (grew := _peak() - memory) > MEGABYTES * case.weight:
        seen.append(f"{grew:.0f} MB more")
    return seen


def _log_complaints(case: CrawlCase, night: Night, crawl: Crawl) -> list[str]:
    log, asked = crawl.log, crawl.asked
    last = {item.url: str(item.outcome) for item in log}
    # Not every page is due on every night.
    fine = GOT if night.days == 0 else GOT | {None}
    seen = [f"the bystander's {url} ended {last.get(url)}" for url in _bystanders() if last.get(url) not in fine]
    expect = dict(night.expect) if night.is_down else {"/neighbour": fine, **night.expect}
    for path, allowed in expect.items():
        url = path if path.startswith("http") else HOME + path
        if (outcome := last.get(url)) not in (allowed or {None}):
            seen.append(f"{path} ended {outcome}, must be {describe_allowed(allowed)}")
    attempts = case.site.get("limits", LIMITS).attempts
    seen += attempt_complaints(log, attempts)
    missing = [path for path in night.asked if not asked[path]]
    seen += [f"{path} was not requested" for path in missing]
    seen += [f"{path} was requested" for path in night.unasked if asked[path]]
    seen += [f"{item.url} is a mistake of our own: {item.detail}"[:200] for item in log if item.outcome in OURS][:3]
    # A robots.txt that leads to no web address is unreadable, so its host is not asked.
    leads_away = any(end == "out_of_scope" for url, end in last.items() if url.endswith("/robots.txt"))
    wanted = {"partial"} if leads_away or set(last.values()) & (FAILED | OURS) else {"done"}
    # A first night that brought at most the neighbour is partial, too, if another page gave no answer with a page.
    pages = [ended for url, ended in last.items() if url.startswith(HOME) and not url.endswith(FILES)]
    if night.days == 0 and sum(ended in GOT for ended in pages) <= 1 and not set(pages) <= GOT | OTHER_ENDS:
        wanted = {"partial"}
    if crawl.run.status not in wanted:
        seen.append(f"the run is {crawl.run.status}, must be {describe_allowed(frozenset(wanted))}")
    for path, most in case.at_most.items():
        if (times := sum(count for key, count in asked.items() if key.startswith(path))) > most:
            seen.append(f"{path}... was requested {times} times, at most {most}")
    return seen


def attempt_complaints(log: list[FetchRow], attempts: int) -> list[str]:
    """A failure after which another attempt may succeed is repeated up to `attempts`, any other is not."""
    by_url: dict[str, list[FetchRow]] = {}
    for item in log:
        by_url.setdefault(item.url, []).append(item)
    seen = []
    for url, items in by_url.items():
        for item, following in zip(items, [*items[1:], None], strict=True):
            is_repeated = following is not None and following.attempt == item.attempt + 1
            is_due = Outcome(item.outcome).is_transient and item.attempt < attempts
            # A 304 that nobody asked for is a protocol error that is repeated; a refused page comes later.
            if is_repeated != is_due and item.status_code not in {304, 429, 503}:
                was = "was" if is_repeated else "was not"
                seen.append(f"{url} ended {item.outcome} in attempt {item.attempt} and {was} repeated")
    return seen[:3]


def _store_complaints(night: Night, held: list[tuple[str, Snapshot]], before: set[tuple[str, str]]) -> list[str]:
    newest = {url: snapshot.body for url, snapshot in held}
    stored = {(url, snapshot.sha256) for url, snapshot in held}
    seen = [f"the bystander's {url} is not held" for url in _bystanders() if url not in newest]
    seen += [f"{url} of an earlier night is lost" for url, _ in before - stored]
    for path, body in find_stored_after(night.held, night.expect).items():
        url = path if path.startswith("http") else HOME + path
        if url not in newest:
            seen.append(f"no snapshot of {path} is held")
        elif body is not None and newest[url] != body:
            seen.append(f"the snapshot of {path} is {newest[url][:60]!r}...")
    for path, allowed in night.expect.items():
        url = path if path.startswith("http") else HOME + path
        is_new = any(item == url and (url, digest) not in before for item, digest in stored)
        if is_new and not allowed & GOT and path not in night.held:
            seen.append(f"a snapshot of {path} was stored")
    return seen


def describe_allowed(allowed: frozenset[str]) -> str:
    named = {NOT_KEPT: "anything that keeps no page", FAILED: "a failure", frozenset(): "not asked for"}
    return named.get(allowed) or " or ".join(sorted(map(str, allowed)))


def _bystanders() -> tuple[str, str]:
    return f"http://{BYSTANDER}/", f"http://{BYSTANDER}/one"


async def _longest_turn() -> float:
    """The most CPU time between two turns of the event loop, until it is cancelled."""
    longest = 0.0
    try:
        while True:
            began = time.thread_time()
            await asyncio.sleep(0.01)
            longest = max(longest, time.thread_time() - began)
    except asyncio.CancelledError:
        return longest


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def in_words(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/src/" in frame.filename]
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}: {str(error)[:120]}{where}"


def alone(
    name: str,
    rule: str,
    play: Play,
    *outcomes: str | frozenset[str],
    body: bytes | None = PAGE,
    others: Mapping[str, Play] | None = None,
) -> CrawlCase:
    """A case of one address, `/page`, and one night. `others` are stored, as what it leads to."""
    others = others or {}
    allowed = frozenset().union(*({item} if isinstance(item, str) else item for item in outcomes))
    expect = {"/page": allowed, **dict.fromkeys(others, STORED)}
    held = {"/page": body} if allowed == STORED else {}
    return CrawlCase(name, rule, (Night({"/page": play, **others}, expect, held),))


def repeat_marked(text: str) -> str:
    """`«ab×3»` of a table of cases is ababab."""
    return re.sub(r"«(.*?)×(\d+)»", lambda found: found[1] * int(found[2]), text, flags=re.DOTALL)


def every(
    rule: str, outcomes: Sequence[str | frozenset[str]], play_of: Callable[[bytes], Play], rows: Mapping[str, bytes]
) -> tuple[CrawlCase, ...]:
    """A case for each row of a table: its name, and what `play_of` makes of the rest."""
    return tuple(alone(name, rule, play_of(row), *outcomes) for name, row in rows.items())


OLD, NEW = (
    html("/start", text="What every page said before."),
    html("/start", text="What every page says when its fault is over."),
)
"""With a link: the same few words at each address, without a menu, are a wall."""


def is_alone(case: CrawlCase) -> bool:
    """Whether it is one night of `/page` and nothing else."""
    night = case.nights[0]
    is_plain = len(case.nights) == 1 and set(night.plays) == set(night.expect) == {"/page"} and not case.site
    return is_plain and not (night.asked or night.unasked or night.is_down or case.at_most)


async def fell_together(cases: Sequence[CrawlCase], data: Path) -> list[str]:
    """What was seen that a rule forbids: a night of good pages, one in which each has its fault, and one without."""
    faulty = {
        f"/{number}-{re.sub(r'[^a-z0-9]+', '-', case.name.lower())}": case.nights[0]
        for number, case in enumerate(cases)
    }
    expect = {path: night.expect["/page"] for path, night in faulty.items()}
    held = {path: find_stored_after(night.held, night.expect).get("/page", None if "stored" in expect[path] else OLD)
            for path, night in faulty.items()}  # fmt: skip
    start = {"/start": status("200 OK", html(*faulty, "/last"))}
    old, new = (dict.fromkeys(faulty, status("200 OK", body)) for body in (OLD, NEW))
    plays = {path: night.plays["/page"] for path, night in faulty.items()} | {"/last": page(text="The last.")}
    nights = (
        Night({**old, **start}, dict.fromkeys(faulty, STORED), dict.fromkeys(faulty, OLD)),
        Night({**plays, **start}, {**expect, "/last": STORED}, {**held, "/last": None}, days=20),
        Night({**new, **start}, dict.fromkeys(faulty, STORED), dict.fromkeys(faulty, NEW), days=60),
    )
    limits = replace(LIMITS, breaker=10**6, read_s=2, total_s=6)
    together = CrawlCase("together", "", nights, ("/start",), {"connections": 12, "limits": limits}, weight=len(cases))
    return await fell(together, data)

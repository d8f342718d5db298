"""Cases of a single address put on one host: a whole kind in one crawl, each at a path of its own."""

from collections.abc import Sequence
from pathlib import Path

from builders.fault_server import faults
from builders.faults.crawl_case import (
    AGENT,
    HOME,
    HOST,
    LIMITS,
    START,
    CrawlCase,
    attempt_complaints,
    held_after,
    wanted_words,
)
from builders.faults.plays import html, page, status
from fetch.model.site import Limits, Site
from fetch.run.crawl import crawl
from fetch.store.store import open_store


def is_alone(case: CrawlCase) -> bool:
    """Whether it is one night of `/page` and nothing else, whose name it does not send itself."""
    night = case.nights[0]
    is_plain = len(case.nights) == 1 and set(night.plays) == set(night.expect) == {"/page"} and not case.site
    return is_plain and not (night.asked or night.unasked or night.logged or night.is_down or case.at_most)


async def fell(cases: Sequence[CrawlCase], data: Path) -> list[str]:
    """What was seen that a rule forbids, by name of the case; a good page is read after all of them."""
    names = {f"/p{number}": case for number, case in enumerate(cases)}
    plays = {path: case.nights[0].plays["/page"] for path, case in names.items()}
    start = {"/start": status("200 OK", html(*names, "/last")), "/last": page(text="The last.")}
    limits = Limits(**{field: getattr(LIMITS, field) for field in LIMITS.__slots__} | {"breaker": 10**6})
    async with faults({**plays, **start}) as server:
        site = Site((HOST,), (f"{HOME}/start",), resolve={HOST: ("127.0.0.1", server.port)}, allow_private=True, delay_s=0, connections=12,
                    limits=limits)  # fmt: skip
        with open_store(data, command="test") as store:
            run = await crawl(store, [site], user_agent=AGENT, clock=lambda: START)
            log = [item for item in store.fetches() if item.crawl_id == run.crawl_id]
            stored = {entry.url: store.read(entry.location).body for entry in store.index()}
    last = {item.url.removeprefix(HOME): str(item.outcome) for item in log}
    seen = [] if last.get("/last") == "stored" else [f"the last page ended {last.get('/last')}"]
    seen += attempt_complaints(log, limits.attempts)
    for path, case in names.items():
        allowed = case.nights[0].expect["/page"]
        if last.get(path) not in allowed:
            seen.append(f"{case.kind}: {case.name} ended {last.get(path)}, must be {wanted_words(allowed)}")
        body = stored.get(HOME + path)
        held = held_after(case.nights[0].held, case.nights[0].expect)
        if "stored" not in allowed and body is not None:
            seen.append(f"{case.kind}: {case.name} was stored")
        elif "/page" in held and held["/page"] is not None and body != held["/page"]:
            seen.append(f"{case.kind}: {case.name} is held as {str(body)[:60]}")
    return seen

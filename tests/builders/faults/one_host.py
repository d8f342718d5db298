"""Cases of a single address put on one host: whole kinds in two crawls, each case at a path of its own."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from builders.fault_server import Play, faults
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
from verdicts.fetch.model.site import Site
from verdicts.fetch.run.crawl import crawl
from verdicts.fetch.store.store import open_store

OLD, NEW = html(text="What every page said before."), html(text="What every page says when its fault is over.")


def is_alone(case: CrawlCase) -> bool:
    """Whether it is one night of `/page` and nothing else."""
    night = case.nights[0]
    is_plain = len(case.nights) == 1 and set(night.plays) == set(night.expect) == {"/page"} and not case.site
    return is_plain and not (night.asked or night.unasked or night.logged or night.is_down or case.at_most)


async def fell(cases: Sequence[CrawlCase], data: Path) -> list[str]:
    """What was seen that a rule forbids: a night of good pages, one in which each has its fault, and one without."""
    names = {f"/p{number}": case for number, case in enumerate(cases)}
    start = {"/start": status("200 OK", html(*names, "/last"))}
    before = dict.fromkeys(names, status("200 OK", OLD)) | {"/last": status("404 No")}
    after = {path: case.nights[0].plays["/page"] for path, case in names.items()} | {"/last": page(text="The last.")}
    await _night(data, before | start, 0)
    last, held, seen = await _night(data, after | start, 20)
    if last.get("/last") != "stored":
        seen.append(f"the last page ended {last.get('/last')}")
    for path, case in names.items():
        allowed = case.nights[0].expect["/page"]
        if last.get(path) not in allowed:
            seen.append(f"{case.kind}: {case.name} ended {last.get(path)}, must be {wanted_words(allowed)}")
        expected = held_after(case.nights[0].held, case.nights[0].expect).get(
            "/page", None if "stored" in allowed else OLD
        )
        if expected is not None and held.get(path) != expected:
            seen.append(f"{case.kind}: {case.name} is held as {str(held.get(path))[:60]}")
    healed, _, _ = await _night(data, dict.fromkeys([*names, "/last"], status("200 OK", NEW)) | start, 60)
    seen += [
        f"{case.kind}: {case.name} healed, {healed.get(path)}"
        for path, case in names.items()
        if healed.get(path) != "stored"
    ]
    return seen


async def _night(data: Path, plays: dict[str, Play], day: int) -> tuple[dict[str, str], dict[str, bytes], list[str]]:
    """The last outcome by path, the newest snapshot by path, and what is wrong with the attempts."""
    limits = replace(LIMITS, breaker=10**6)
    async with faults(plays) as server:
        there = {HOST: ("127.0.0.1", server.port)}
        site = Site(
            (HOST,), (f"{HOME}/start",), resolve=there, allow_private=True, delay_s=0, connections=12, limits=limits
        )
        with open_store(data, command="test") as store:
            moment = START + timedelta(days=day)
            run = await crawl(store, [site], user_agent=AGENT, clock=lambda: moment)
            log = [item for item in store.fetches() if item.crawl_id == run.crawl_id]
            held = {entry.url.removeprefix(HOME): store.read(entry.location).body for entry in store.index()}
    return (
        {item.url.removeprefix(HOME): str(item.outcome) for item in log},
        held,
        attempt_complaints(log, limits.attempts),
    )

"""The answer about one address, from the facts about it. Pure.

First comes the sentence that an operator asks for, then what to do, then each fact under its name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from verdicts.fetch.model.outcome import FAILURES, Outcome, SkipReason
from verdicts.fetch.model.url_state import UrlStatus
from verdicts.fetch.parse.robots import ALLOWED, Robots, deny_all, parse_robots
from verdicts.fetch.run.address_facts import AddressFacts, KnownPage
from verdicts.fetch.run.decision import Decision, decide
from verdicts.fetch.run.why import LEFT_OUT, Words, describe_address
from verdicts.fetch.store.frontier import TOMBSTONE_DAYS
from verdicts.inspection.address_lines import fact_lines, write_moment
from verdicts.inspection.reading_facts import ReadingFacts


@dataclass(frozen=True, slots=True)
class Explanation:
    """An answer with its facts.

    `state` is the answer in one word: an outcome, a reason to skip or to reject, or `new`, `unknown`, `ingested`,
    `absent`, `withheld`. `decision` is what a crawl would do now: `fetch`, or the outcome or reason that leaves it out;
    None if the config has no site for it. `due_at` is None for a page that was never asked for. `facts` are lines by
    name.
    """

    url: str
    address: str
    state: str
    answer: str
    todo: str | None
    decision: str | None
    decided_by: str | None
    fetched_at: datetime | None
    due_at: datetime | None
    page_id: str | None
    facts: Mapping[str, tuple[str, ...]]


def explain(facts: AddressFacts, reading: ReadingFacts, now: datetime) -> Explanation:
    """The answer about an address."""
    robots = _read_rules(facts)
    page = facts.page
    spellings = (facts.address,) if page is None else page.spellings
    decision = None if facts.rules is None else decide(facts.rules, facts.key, spellings, robots)
    state, words = _answer(facts, reading, decision, now)
    is_fetched = page is not None and page.state.fetched_at is not None
    return Explanation(
        url=facts.key,
        address=spellings[0],
        state=str(state),
        answer=f"{words.what[:1].upper()}{words.what[1:]}.",
        todo=words.todo or None,
        decision=None if decision is None else str(decision.reason or "fetch"),
        decided_by=None if decision is None else decision.detail,
        fetched_at=None if page is None else page.state.fetched_at,
        due_at=page.due_at if page is not None and is_fetched else None,
        page_id=reading.page_id,
        facts=fact_lines(facts, reading, robots, now),
    )


def _read_rules(facts: AddressFacts) -> Robots:
    """The rules as read last. A host that was never asked may allow everything: the next crawl will see."""
    stored = facts.host.robots
    if stored is None or facts.rules is None:
        return ALLOWED
    if stored.failure is not None:
        return deny_all(stored.failure)
    return ALLOWED if stored.response is None else parse_robots(stored.response, user_agent=facts.rules.user_agent)


def _answer(facts: AddressFacts, reading: ReadingFacts, decision: Decision | None, now: datetime) -> tuple[str, Words]:
    page = facts.page
    if page is None:
        return _answer_unknown(facts, decision)
    match page.state.url_status:
        case UrlStatus.HELD:
            return _answer_stored(facts, page, reading, decision, now)
        case UrlStatus.ALIAS:
            whose = f"its page is stored under {page.state.alias_of}, which it names as its own address"
            return Outcome.ALIAS, Words(whose)
        case UrlStatus.MOVED:
            is_far = page.holder not in (None, page.state.alias_of)
            holder = f"and on to {page.holder}, which has the page" if is_far else "which has the page"
            end = holder if page.holder is not None else "which has no page"
            return Outcome.REDIRECTED, Words(f"it leads to {page.state.alias_of}, {end}")
        case UrlStatus.NEW:
            return _answer_new(facts, decision)
    return _answer_absent(facts, page, decision, now)


def _answer_stored(
    facts: AddressFacts, page: KnownPage, reading: ReadingFacts, decision: Decision | None, now: datetime
) -> tuple[str, Words]:
    visit = facts.visits[0] if facts.visits else None
    is_same = visit is not None and visit.outcome == Outcome.UNCHANGED
    what = f"it was fetched {write_moment(page.state.fetched_at)}" + (", and is as it was" if is_same else "")
    if reading.withheld:
        withheld = f"{what}; a gate withholds what was read: {reading.withheld[0]}"
        return "withheld", Words(withheld, "'verdicts check' shows the pages and how to accept them")
    if reading.rejects and reading.page_id is None and reading.reader is None:
        reason, detail = reading.rejects[0]
        todo = "'verdicts build --all' reads all pages again, with the version and the recipes of today"
        return reason, Words(f"{what}, but could not be read: {detail}", todo)
    if decision is not None and decision.reason is not None:
        is_waiting = decision.reason is SkipReason.ROBOTS_UNREAD
        return _describe(
            f"{what}, and {'waits' if is_waiting else 'is no longer requested'}:", decision.reason, decision.detail
        )
    if reading.is_published and facts.stored is not None and not reading.is_loaded:
        todo = "'verdicts build', then 'verdicts publish' gives it to readers"
        return Outcome.STORED, Words(f"{what}, after the copy that readers have was built", todo)
    if page.due_at > now:
        return Outcome.UNCHANGED if is_same else Outcome.STORED, Words(f"{what}; it is due {write_moment(page.due_at)}")
    return Outcome.UNCHANGED if is_same else Outcome.STORED, Words(f"{what}, and is due now")


def _answer_absent(facts: AddressFacts, page: KnownPage, decision: Decision | None, now: datetime) -> tuple[str, Words]:
    """A page that gave nothing the last time."""
    visit = facts.visits[0] if facts.visits else None
    due = f"it is due {write_moment(page.due_at)}" if page.due_at > now else "it is due now"
    if decision is not None and decision.reason is not None:
        is_waiting = decision.reason is SkipReason.ROBOTS_UNREAD
        return _describe("it waits:" if is_waiting else "it is not requested:", decision.reason, decision.detail)
    if visit is None or visit.outcome in {Outcome.STORED, Outcome.UNCHANGED}:
        # A pattern that was in the config then left it out, and leaves no attempt.
        kept = "" if facts.stored is None else f", and what was fetched {write_moment(facts.stored.fetched_at)} stays"
        return "absent", Words(f"a crawl left it out by a config that differs from this one{kept}; {due}")
    words = describe_address(visit.outcome, visit.detail)
    gave = f"it was requested {write_moment(visit.at)} and returned no page: {words.what}"
    what = f"{gave}; {due}"
    if page.is_gone:
        what = f"it counts as gone, since {words.what}; {due}, as pages come back"
    elif page.not_found_nights and visit.outcome in {Outcome.NOT_FOUND, Outcome.SOFT_404}:
        nights = f"{page.not_found_nights} of {TOMBSTONE_DAYS} nights in a row, after which it counts as gone"
        what = f"{gave}, on {nights}; {due}"
    elif facts.stored is not None and visit.outcome in FAILURES:
        what = f"{what}; its last good reading of {write_moment(facts.stored.fetched_at)} stays"
    return visit.outcome, Words(what, words.todo)


def _answer_new(facts: AddressFacts, decision: Decision | None) -> tuple[str, Words]:
    """A known page that was never asked for."""
    if decision is not None and decision.reason is not None:
        return _describe("it was never requested:", decision.reason, decision.detail)
    unasked = next((ending for ending in facts.host.endings if ending.ending in LEFT_OUT), None)
    if unasked is not None:
        return _describe("it waits: in the last crawl of its host", unasked.ending, unasked.detail)
    if facts.rules is None:
        return _answer_outside(facts, "it was never requested")
    return "new", Words("it was never requested, and is due: the next crawl asks")


def _answer_unknown(facts: AddressFacts, decision: Decision | None) -> tuple[str, Words]:
    """A page that is not in the frontier."""
    if facts.stored is not None:
        as_of = f"{facts.stored.address} as of {write_moment(facts.stored.fetched_at)}"
        todo = "add it to start_urls if a crawl should fetch it"
        return "ingested", Words(f"it was ingested, from {as_of}; no crawl has found its address", todo)
    if facts.visits:
        return _describe("the crawl does not cover it:", facts.visits[0].outcome, facts.visits[0].detail)
    if facts.rules is None:
        return _answer_outside(facts, "it was never requested")
    if not facts.is_ours:
        whose = "it is not requested here: another fetcher's share has its site"
        return SkipReason.OTHER_SITE, Words(whose, "ask in the data folder of that fetcher")
    if decision is not None and decision.reason is not None:
        return _describe("it is not requested:", decision.reason, decision.detail)
    what = "it was never seen: no start URL, link or sitemap names it"
    todo = "add it to start_urls, name a sitemap that has it, or let 'include' match the pages that link to it"
    return "unknown", Words(what, todo)


def _describe(before: str, reason: str, detail: str | None) -> tuple[str, Words]:
    """The reason as the state, and its words after others."""
    words = describe_address(reason, detail)
    return reason, Words(f"{before} {words.what}", words.todo)


def _answer_outside(facts: AddressFacts, what: str) -> tuple[str, Words]:
    if facts.has_config:
        words = describe_address(SkipReason.OTHER_HOST, None)
        return SkipReason.OTHER_HOST, Words(f"{what}: {words.what} ({facts.host.host})", words.todo)
    return "unknown", Words(f"{what}, and there is no config that names {facts.host.host}", "name it with --config")

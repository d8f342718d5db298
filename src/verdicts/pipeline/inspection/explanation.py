"""The answer about one address, from the facts about it. Pure.

First comes the sentence that an operator asks for, then what to do, then each fact under its name.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from verdicts.fetch.model.outcome import FAILURES, Outcome, SkipReason
from verdicts.fetch.model.url_state import UrlStatus
from verdicts.fetch.parse.robots import ALLOWED, Robots, denied, parse_robots
from verdicts.fetch.run.address_facts import AddressFacts, KnownPage
from verdicts.fetch.run.decision import Decision, decide
from verdicts.fetch.run.endings import NOT_ASKED
from verdicts.fetch.run.why import LINKS, UNASKED, Words, describe_one
from verdicts.fetch.store.frontier import FROM_RAW, TOMBSTONE_DAYS
from verdicts.pipeline.inspection.reading_facts import ReadingFacts

HIDES_LINKS = (SkipReason.NOFOLLOW, SkipReason.TOO_DEEP, SkipReason.TOO_MANY, SkipReason.TRAP, SkipReason.OTHER_HOST)
"""Why a link to a page may have been passed over."""


@dataclass(frozen=True, slots=True)
class Fact:
    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """An answer with its facts.

    `state` is the answer in one word: an outcome, a reason to skip or to reject, or `new`, `unknown`, `ingested`,
    `absent`, `withheld`.
    `decision` is what a crawl would do now: `fetch`, or the outcome or reason that leaves the page out; None if the
    config has no site for it. `due_at` is None for a page that was never asked for.
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
    facts: tuple[Fact, ...]


def explain(facts: AddressFacts, reading: ReadingFacts, now: datetime) -> Explanation:
    """The answer about an address."""
    robots = _robots(facts)
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
        facts=tuple(Fact(name, tuple(lines)) for name, lines in _facts(facts, reading, decision, now) if lines),
    )


def _robots(facts: AddressFacts) -> Robots:
    """The rules as read last. A host that was never asked may allow everything: the next crawl will see."""
    stored = facts.host.robots
    if stored is None or facts.rules is None:
        return ALLOWED
    if stored.failure is not None:
        return denied(stored.failure)
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
            held = f"and on to {page.holder}, which has the page" if is_far else "which has the page"
            end = held if page.holder is not None else "which has no page"
            return Outcome.REDIRECTED, Words(f"it leads to {page.state.alias_of}, {end}")
        case UrlStatus.NEW:
            return _answer_new(facts, decision)
    return _answer_absent(facts, page, decision, now)


def _answer_stored(
    facts: AddressFacts, page: KnownPage, reading: ReadingFacts, decision: Decision | None, now: datetime
) -> tuple[str, Words]:
    visit = facts.visits[0] if facts.visits else None
    is_same = visit is not None and visit.outcome == Outcome.UNCHANGED
    what = f"it was fetched {_day(page.state.fetched_at)}" + (", and is as it was" if is_same else "")
    if reading.withheld:
        held = f"{what}; a gate withholds what was read: {reading.withheld[0]}"
        return "withheld", Words(held, "'verdicts check' shows the pages and how to accept them")
    if reading.rejects and reading.page_id is None and reading.reader is None:
        reason, detail = reading.rejects[0]
        todo = "'verdicts replay --dry-run' shows whether this version can read it"
        return reason, Words(f"{what}, but could not be read: {detail}", todo)
    if decision is not None and decision.reason is not None:
        words = describe_one(decision.reason, decision.detail)
        return decision.reason, Words(f"{what}, and is not asked for any more: {words.what}", words.todo)
    if reading.is_published and not reading.is_loaded:
        todo = "'verdicts build', then 'verdicts publish' gives it to readers"
        return Outcome.STORED, Words(f"{what}, after the copy that readers have was built", todo)
    if page.due_at > now:
        return Outcome.UNCHANGED if is_same else Outcome.STORED, Words(f"{what}; it is due {_day(page.due_at)}")
    return Outcome.UNCHANGED if is_same else Outcome.STORED, Words(f"{what}, and is due now")


def _answer_absent(facts: AddressFacts, page: KnownPage, decision: Decision | None, now: datetime) -> tuple[str, Words]:
    """A page that gave nothing the last time."""
    visit = facts.visits[0] if facts.visits else None
    due = f"it is due {_day(page.due_at)}" if page.due_at > now else "it is due now"
    if decision is not None and decision.reason is not None:
        words = describe_one(decision.reason, decision.detail)
        return decision.reason, Words(f"it is not asked for: {words.what}", words.todo)
    if visit is None or visit.crawl_id == "":
        return "absent", Words(f"no page of it is stored; {due}")
    words = describe_one(visit.outcome, visit.detail)
    gave = f"it was asked for {_day(visit.at)} and gave no page: {words.what}"
    what = f"{gave}; {due}"
    if page.is_gone:
        what = f"it counts as gone, since {words.what}; {due}, as pages come back"
    elif page.not_found_nights and visit.outcome in {Outcome.NOT_FOUND, Outcome.SOFT_404}:
        nights = f"{page.not_found_nights} of {TOMBSTONE_DAYS} nights in a row, after which it counts as gone"
        what = f"{gave}, on {nights}; {due}"
    elif facts.stored is not None and visit.outcome in FAILURES:
        what = f"{what}; its last good reading of {_day(facts.stored.fetched_at)} stays"
    return visit.outcome, Words(what, words.todo)


def _answer_new(facts: AddressFacts, decision: Decision | None) -> tuple[str, Words]:
    """A known page that was never asked for."""
    if decision is not None and decision.reason is not None:
        words = describe_one(decision.reason, decision.detail)
        return decision.reason, Words(f"it was never asked for: {words.what}", words.todo)
    left = next((ending for ending in facts.host.endings if ending.ending in UNASKED), None)
    if left is not None:
        words = describe_one(left.ending, left.detail)
        return left.ending, Words(f"it waits: in the last crawl of its host {words.what}", words.todo)
    if facts.rules is None:
        return _answer_outside(facts, "it was never asked for")
    return "new", Words("it was never asked for, and is due: the next crawl asks")


def _answer_unknown(facts: AddressFacts, decision: Decision | None) -> tuple[str, Words]:
    """A page that is not in the frontier."""
    if facts.stored is not None:
        return "ingested", Words(
            f"it was ingested, from {facts.stored.address} as of {_day(facts.stored.fetched_at)}; no crawl knows it",
            "name it in start_urls if a crawl is to ask for it",
        )
    if facts.visits:
        words = describe_one(facts.visits[0].outcome, facts.visits[0].detail)
        return facts.visits[0].outcome, Words(f"it is no page of the crawl: {words.what}", words.todo)
    if facts.rules is None:
        return _answer_outside(facts, "it was never asked for")
    if not facts.is_ours:
        whose = "it is not asked for here: the share of another fetcher has its site"
        return SkipReason.OTHER_SITE, Words(whose, "ask in the data folder of that fetcher")
    if decision is not None and decision.reason is not None:
        words = describe_one(decision.reason, decision.detail)
        return decision.reason, Words(f"it is not asked for: {words.what}", words.todo)
    what = "it was never seen: no start URL, link or sitemap names it"
    if facts.near:
        what = f"{what}, but {facts.near[0]} is known"
    todo = "add it to start_urls, name a sitemap that has it, or let 'include' match the pages that link to it"
    return "unknown", Words(what, todo)


def _answer_outside(facts: AddressFacts, what: str) -> tuple[str, Words]:
    if facts.has_config:
        words = describe_one(SkipReason.OTHER_HOST, None)
        return SkipReason.OTHER_HOST, Words(f"{what}: {words.what} ({facts.host.host})", words.todo)
    return "unknown", Words(f"{what}, and there is no config that names {facts.host.host}", "name it with --config")


def _facts(
    facts: AddressFacts, reading: ReadingFacts, decision: Decision | None, now: datetime
) -> Iterator[tuple[str, list[str]]]:
    yield "address", [*_address_lines(facts)]
    yield "known from", [*_origin_lines(facts)]
    yield "a crawl now", [*_decision_lines(facts, decision, now)]
    yield "robots.txt", [*_robots_lines(facts, _robots(facts))]
    yield "host", [*_host_lines(facts, now)]
    yield "last answers", [_visit_line(visit.at, visit.outcome, visit.status, visit.detail) for visit in facts.visits]
    yield "stored", [*_stored_lines(facts)]
    yield "read", [*_reading_lines(reading)]
    yield "withheld", [*reading.withheld]


def _address_lines(facts: AddressFacts) -> Iterator[str]:
    page = facts.page
    spellings = (facts.address,) if page is None else page.spellings
    yield f"{spellings[0]}" + (f", the page {facts.key}" if facts.key != spellings[0] else "")
    if page is not None and facts.address not in spellings:
        yield f"written here as {facts.address}, which is the same page"
    if spellings[1:]:
        yield f"also written {', '.join(spellings[1:])}"
    if facts.near:
        yield f"other pages with almost this address: {', '.join(facts.near)}"


def _origin_lines(facts: AddressFacts) -> Iterator[str]:
    page = facts.page
    if page is None:
        return
    where = {"start": "start_urls", FROM_RAW: "the raw store"}.get(page.found_on, page.found_on)
    run = f" in run {page.found_in}" if page.found_in else ""
    depth = f", {page.state.depth} link{'s' * (page.state.depth != 1)} from a start URL" if page.state.depth else ""
    yield f"{where}{run}{depth}"
    if page.pointing:
        yield f"these lead to it: {', '.join(page.pointing)}"


def _decision_lines(facts: AddressFacts, decision: Decision | None, now: datetime) -> Iterator[str]:
    page = facts.page
    if decision is None:
        yield "no [[site]] covers its host" if facts.has_config else "no config to judge it by"
    elif decision.reason is SkipReason.ROBOTS_UNREAD:
        yield "reads robots.txt again first"
    elif decision.reason is not None:
        yield f"leaves it out ({decision.reason}): {describe_one(decision.reason, decision.detail).what}"
    elif page is None and facts.visits:
        return
    elif not facts.is_ours:
        yield "does not ask: the share of another fetcher has the site"
    elif facts.host.paused_until is not None and facts.host.paused_until > now:
        yield f"does not ask: the host asks for a pause until {_day(facts.host.paused_until)}"
    elif page is None:
        yield "would ask for it if it knew it: no pattern and no robots.txt leaves it out"
    elif page.due_at > now:
        yield f"does not ask yet: it is due {_day(page.due_at)}; 'verdicts crawl --all' asks anyway"
    else:
        yield f"asks for {decision.spellings[0]}"


def _robots_lines(facts: AddressFacts, robots: Robots) -> Iterator[str]:
    stored = facts.host.robots
    if stored is None:
        yield "not read yet"
        return
    if stored.failure is not None:
        yield f"could not be read {_day(stored.failed_at)}: {stored.failure}"
    if stored.response is not None and not stored.response.is_success:
        yield f"there was none ({stored.response.status}) {_day(stored.read_at)}"
    elif stored.response is not None and facts.rules is not None and stored.failure is None:
        spellings = (facts.address,) if facts.page is None else facts.page.spellings
        refused = [address for address in spellings if not robots.allows(address, facts.rules.user_agent)]
        says = f"refuses {refused[0]}: {robots.refusal(refused[0])}" if refused else "allows it"
        yield f"{says}, as read {_day(stored.read_at)}"
    elif stored.response is not None:
        yield f"last read {_day(stored.read_at)}"


def _host_lines(facts: AddressFacts, now: datetime) -> Iterator[str]:
    host = facts.host
    yield f"{host.host}: {host.known:,} page{'s' * (host.known != 1)} known"
    if host.paused_until is not None and host.paused_until > now:
        yield f"asks for a pause until {_day(host.paused_until)} (Retry-After)"
    for ending in host.endings:
        if ending.ending in NOT_ASKED | UNASKED and ending.addresses:
            words = describe_one(ending.ending, ending.detail)
            yield f"run {host.crawl_id} left {ending.addresses:,} of its pages: {words.what}"
    for skip in host.skips if facts.page is None else ():
        if skip.reason in HIDES_LINKS and skip.reason in LINKS:
            line = LINKS[skip.reason].format(
                count=f"{skip.skipped:,} link{'s' * (skip.skipped != 1)}", detail=skip.detail, example=skip.example
            )
            yield f"run {host.crawl_id} passed over {line}"
        elif skip.reason in HIDES_LINKS:
            meaning = SkipReason(skip.reason).meaning
            yield f"run {host.crawl_id} passed over {meaning}: {skip.skipped:,}, such as {skip.example}"


def _visit_line(at: datetime, outcome: str, status: int | None, detail: str | None) -> str:
    code = "" if status is None else f" {status}"
    return f"{_day(at)}  {outcome}{code}" + (f": {detail}" if detail else "")


def _stored_lines(facts: AddressFacts) -> Iterator[str]:
    stored, page = facts.stored, facts.page
    if stored is not None:
        count = f"{stored.count:,} snapshot{'s' * (stored.count != 1)}"
        yield f"{count}, the newest of {_day(stored.fetched_at)} from {stored.address} ({stored.media_type})"
    if page is not None and page.state.url_status is UrlStatus.HELD and page.state.alias_of is not None:
        yield f"it names {page.state.alias_of} as its address, which does not have the page"
    if facts.stub_since is not None:
        yield f"it shows a stub since {facts.stub_since}"


def _reading_lines(reading: ReadingFacts) -> Iterator[str]:
    if reading.page_id is not None:
        yield f"comparison page {reading.page_id[:12]}, {reading.title}"
    if reading.reader is not None:
        claims = "" if reading.claim is None else f", which {reading.claim} tools"
        yield f"a document without a panel, read by {reading.reader}{claims}"
    if reading.rows:
        yield ", ".join(f"{number:,} {name}" for name, number in reading.rows)
    yield from (f"could not be read ({reason}): {detail}" for reason, detail in reading.rejects)


def _day(moment: datetime | None) -> str:
    return "never" if moment is None else f"{moment:%Y-%m-%d %H:%M} UTC"

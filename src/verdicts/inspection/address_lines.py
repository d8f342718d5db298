"""The facts behind the answer about an address, each under its name, in lines for a person. Pure."""

from collections.abc import Iterator
from datetime import datetime

from verdicts.fetch.model.outcome import SkipReason
from verdicts.fetch.model.url_state import UrlStatus
from verdicts.fetch.parse.rights import judge_rights
from verdicts.fetch.parse.robots import Robots
from verdicts.fetch.run.address_facts import AddressFacts, Visit
from verdicts.fetch.run.endings import NOT_ASKED
from verdicts.fetch.run.why import LEFT_OUT, LINKS, describe_address
from verdicts.fetch.store.rebuilt_pages import FROM_RAW
from verdicts.inspection.reading_facts import ReadingFacts

HIDES_LINKS = (SkipReason.NOFOLLOW, SkipReason.TOO_DEEP, SkipReason.TOO_MANY, SkipReason.TRAP, SkipReason.OTHER_HOST)
"""Why a link to a page may have been passed over."""


def fact_lines(facts: AddressFacts, reading: ReadingFacts, robots: Robots, now: datetime) -> dict[str, tuple[str, ...]]:
    """Lines by the name of their fact, in the order of showing; a fact without lines is left out."""
    lines = {
        "address": _write_address(facts),
        "known from": _write_origin(facts),
        "robots.txt": _write_robots(facts, robots),
        "host": _write_host(facts, now),
        "last answers": map(_write_visit, facts.visits),
        "stored": _write_snapshots(facts),
        "rights": _write_rights(facts, now),
        "read": _write_reading(reading),
        "withheld": iter(reading.withheld),
    }
    return {name: written for name, of_fact in lines.items() if (written := tuple(of_fact))}


def _write_address(facts: AddressFacts) -> Iterator[str]:
    page = facts.page
    spellings = (facts.address,) if page is None else page.spellings
    yield f"{spellings[0]}" + (f", the page {facts.key}" if facts.key != spellings[0] else "")
    if page is not None and facts.address not in spellings:
        yield f"written here as {facts.address}, which is the same page"
    if spellings[1:]:
        yield f"also written {', '.join(spellings[1:])}"


def _write_origin(facts: AddressFacts) -> Iterator[str]:
    page = facts.page
    if page is None:
        return
    origin = {"start": "start_urls", FROM_RAW: "the raw store"}.get(page.found_on, page.found_on)
    run = f" in run {page.found_in}" if page.found_in else ""
    depth = f", {page.state.depth} link{'s' * (page.state.depth != 1)} from a start URL" if page.state.depth else ""
    yield f"{origin}{run}{depth}"
    if page.pointing:
        yield f"these lead to it: {', '.join(page.pointing)}"


def _write_robots(facts: AddressFacts, robots: Robots) -> Iterator[str]:
    stored = facts.host.robots
    if stored is None:
        yield "not read yet"
        return
    if stored.failure is not None:
        yield f"could not be read {write_moment(stored.failed_at)}: {stored.failure}"
    if stored.response is not None and not stored.response.is_success:
        yield f"there was none ({stored.response.status}) {write_moment(stored.read_at)}"
    elif stored.response is not None and facts.rules is not None and stored.failure is None:
        spellings = (facts.address,) if facts.page is None else facts.page.spellings
        refused = [address for address in spellings if not robots.allows(address, facts.rules.user_agent)]
        says = f"refuses {refused[0]}: {robots.refusal(refused[0])}" if refused else "allows it"
        yield f"{says}, as read {write_moment(stored.read_at)}"
    elif stored.response is not None:
        yield f"last read {write_moment(stored.read_at)}"


def _write_host(facts: AddressFacts, now: datetime) -> Iterator[str]:
    host = facts.host
    yield f"{host.host}: {host.known:,} page{'s' * (host.known != 1)} known"
    if host.paused_until is not None and host.paused_until > now:
        yield f"asks for a pause until {write_moment(host.paused_until)} (Retry-After)"
    for ending in host.endings:
        if ending.ending in NOT_ASKED | LEFT_OUT and ending.addresses:
            words = describe_address(ending.ending, ending.detail)
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


def _write_visit(visit: Visit) -> str:
    code = "" if visit.status is None else f" {visit.status}"
    return f"{write_moment(visit.at)}  {visit.outcome}{code}" + (f": {visit.detail}" if visit.detail else "")


def _write_snapshots(facts: AddressFacts) -> Iterator[str]:
    stored, page = facts.stored, facts.page
    if stored is not None:
        count = f"{stored.count:,} snapshot{'s' * (stored.count != 1)}"
        yield f"{count}, the newest of {write_moment(stored.fetched_at)} from {stored.address} ({stored.media_type})"
    if page is not None and page.state.url_status is UrlStatus.HELD and page.state.alias_of is not None:
        yield f"it names {page.state.alias_of} as its address, which does not have the page"
    if facts.stub_since is not None:
        yield f"it shows a stub since {facts.stub_since}"


def _write_rights(facts: AddressFacts, now: datetime) -> Iterator[str]:
    rights = None
    if facts.stored is not None:
        rights = judge_rights(facts.rights, facts.host.rights, facts.stored.address, now)
    if rights is not None:
        is_left_out = "; reserved: a dataset has its texts only with 'export_reserved'" if rights.is_reserved else ""
        yield f"{rights.stated}{is_left_out}"


def _write_reading(reading: ReadingFacts) -> Iterator[str]:
    if reading.page_id is not None:
        yield f"comparison page {reading.page_id[:12]}, {reading.title}"
    if reading.reader is not None:
        yield f"a page of another site ({reading.kind}), read by {reading.reader}"
    if reading.rows:
        yield ", ".join(f"{number:,} {name}" for name, number in reading.rows)
    yield from (f"could not be read ({reason}): {detail}" for reason, detail in reading.rejects)


def write_moment(moment: datetime | None) -> str:
    """`2026-11-01 01:30 UTC`, or `never`."""
    return "never" if moment is None else f"{moment:%Y-%m-%d %H:%M} UTC"

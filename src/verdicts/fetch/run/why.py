"""Why a host gave no pages, or fewer than expected: one line with the cause and what to do. Pure."""

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from verdicts.fetch.model.outcome import Outcome, SkipReason, SkipRecord
from verdicts.fetch.run.endings import NOT_ASKED, Clock, CrawlReasons, Ending, HostCrawl, Slowdown


class Words(NamedTuple):
    """`what` is filled with `detail` and `example` from the log. `todo` may be empty."""

    what: str
    todo: str = ""


ASKED_AGAIN = "the next run asks again"

WORDS: dict[str, Words] = {
    Outcome.BLOCKED_ADDRESS: Words(
        "{detail}", "if that is your own network, set allow_private = true in its [[site]]; else check the name"
    ),
    Outcome.DNS_ERROR: Words("its name was not found: {detail}", "check how 'hosts' spells it, and this machine's DNS"),
    Outcome.CONNECT_ERROR: Words("no connection: {detail}", "check that it is up and the port is right"),
    Outcome.CONNECT_TIMEOUT: Words("it did not answer in time", ASKED_AGAIN),
    Outcome.READ_TIMEOUT: Words("it stopped sending, such as at {example}", ASKED_AGAIN),
    Outcome.DEADLINE: Words("it took too long, such as at {example}", ASKED_AGAIN),
    Outcome.SERVER_ERROR: Words("{detail}, such as at {example}", ASKED_AGAIN),
    Outcome.THROTTLED: Words("{detail} (429), such as at {example}", "raise delay_s, or lower connections"),
    Outcome.TLS_ERROR: Words("its certificate cannot be trusted: {detail}", "its owner must fix that"),
    Outcome.BLOCKED: Words("it refuses us, such as at {example}: {detail}", "ask its owner"),
    Outcome.WALL: Words("a wall hides {example}: {detail}", "ask its owner to let this crawler in"),
    Outcome.LOGIN: Words(
        "{example} leads to a login page", "choose addresses that need no login, or set the auth of its [[site]]"
    ),
    Outcome.SHELL: Words(
        "{example} shows nothing without JavaScript",
        "scripts are not run; save the page with a browser and 'verdicts ingest' it",
    ),
    Outcome.CLIENT_ERROR: Words(
        "{detail}, such as at {example}", "check the address, and the auth of its [[site]] if it needs a login"
    ),
    Outcome.NOT_FOUND: Words("there is no such page (404), such as {example}", "check start_urls and sitemaps"),
    Outcome.GONE: Words("it says that the page is gone (410), such as {example}", "check start_urls and sitemaps"),
    Outcome.SOFT_404: Words(
        "{detail}, which says that there is no such page: {example}", "check start_urls and sitemaps"
    ),
    Outcome.ROBOTS_DENIED: Words("{detail} refuses {example}", "ask its owner, or remove the host from the config"),
    Outcome.NOINDEX: Words(
        "the page asks not to be stored (noindex), such as {example}", "only its owner can change that"
    ),
    Outcome.REDIRECTED: Words("{example} leads to {detail}"),
    Outcome.OUT_OF_SCOPE: Words(
        "{example} {detail}, which its [[site]] does not cover",
        "add that host to its 'hosts', or let 'include' match it",
    ),
    Outcome.NOT_A_PAGE: Words("neither HTML nor text ({detail}), such as {example}", "check start_urls"),
    Outcome.INTERNAL_ERROR: Words("this program failed on it: {detail}", "please report it"),
    SkipReason.ROBOTS_UNREAD: Words("{detail}, and without its rules nothing may be requested", ASKED_AGAIN),
    SkipReason.HOST_DOWN: Words("given up after {detail}", ASKED_AGAIN),
    SkipReason.PAUSED: Words("{detail}", "a run after that asks again"),
    SkipReason.BUDGET: Words(
        "{detail} was reached, and due addresses are left",
        "they come first next time; a larger limit fetches more a night",
    ),
    SkipReason.INTERRUPTED: Words("the run was stopped before them", "the next run goes on"),
    SkipReason.OTHER_HOST: Words("no [[site]] of the config names it", "add it to 'hosts' if you want it"),
    SkipReason.EXCLUDED: Words("exclude {detail} matches {example}", "narrow that pattern"),
    SkipReason.FORGOTTEN: Words("'verdicts forget' erased it for ever, or its host"),
    SkipReason.NOT_INCLUDED: Words("no include pattern ({detail}) matches {example}", "add one"),
    SkipReason.TRAP: Words(
        "its address is shaped like a trap: repeated path segments, too many parts or parameters, such as {example}",
        "add it to start_urls if you want it",
    ),
    SkipReason.PARAMETER: Words("it has a parameter of ignore_parameters, and is asked for without it"),
    SkipReason.OTHER_SITE: Words("it is on a host of another [[site]]"),
    Outcome.STORED: Words("its page was stored"),
    Outcome.SUPPORT: Words("it is robots.txt, a sitemap or a feed, which is read and not kept"),
    Outcome.TOO_LARGE: Words("it is too large: {detail}, such as {example}", "raise max_page_mb of its [[site]]"),
}
"""Other endings use their own meaning."""

LINKS: dict[str, str] = {
    SkipReason.NOT_INCLUDED: "{count} that no include pattern ({detail}) matches, such as {example}",
    SkipReason.EXCLUDED: "{count} that exclude {detail} matches, such as {example}",
    SkipReason.NOFOLLOW: "{count} that the page asks not to follow (nofollow), on {example}",
    SkipReason.TOO_DEEP: "{count} beyond max_depth, such as {example}",
    SkipReason.TRAP: "{count} shaped like a trap, such as {example}",
}
"""Skipped links to the host itself."""

MEANINGS: dict[str, str] = {str(member): member.meaning for members in (Outcome, SkipReason) for member in members}

_CAUSE = re.compile(r"Cannot connect to host \S+ ssl:\S+ \[(.*)\]")
"""aiohttp's `Cannot connect to host a.example:80 ssl:default [Name or service not known]`."""


def describe_ending(ending: str, example: str, detail: str | None) -> Words:
    words = WORDS.get(ending)
    if words is None or (detail is None and "{detail}" in words.what):
        return Words(f"{MEANINGS.get(ending, ending)}, such as {example}", "" if words is None else words.todo)
    cause = _CAUSE.fullmatch(detail or "")
    what = words.what.format(detail=detail if cause is None else cause[1], example=example)
    return Words(what, words.todo)


_EXAMPLE = re.compile(r",? ?(such as( at)? |: )\{example\}")


def describe_address(ending: str, detail: str | None) -> Words:
    """The result for one address, called "it", and what to do."""
    meaning = MEANINGS.get(ending, ending)
    words = WORDS.get(ending)
    if words is None:
        return Words(meaning if detail is None else f"{meaning} ({detail})")
    if detail is None and "{detail}" in words.what:
        return Words(meaning, words.todo)
    return Words(_EXAMPLE.sub("", words.what).format(detail=detail, example="it"), words.todo)


GOT = frozenset({Outcome.STORED, Outcome.UNCHANGED, Outcome.ALIAS, "fetch"})
"""Endings of addresses with a held page; in a plan, of those to request."""

NO_MATTER = frozenset({SkipReason.NOT_DUE, SkipReason.PARAMETER, Outcome.REDIRECTED})
"""Endings that need no explanation if other addresses brought pages."""

MANY: dict[str, str] = {
    Outcome.WALL: "a wall hides {count} pages, such as {example}: {detail}",
    Outcome.LOGIN: "{count} addresses lead to a login page, such as {example}",
    Outcome.SHELL: "{count} pages show nothing without JavaScript, such as {example}",
}
"""Endings in the plural."""

LEFT_OUT = frozenset(
    {
        SkipReason.ROBOTS_UNREAD,
        SkipReason.HOST_DOWN,
        SkipReason.PAUSED,
        SkipReason.BUDGET,
        SkipReason.INTERRUPTED,
    }
)
"""Why due addresses of a host were left."""

ALWAYS_REPORTED = LEFT_OUT | {Outcome.WALL}
"""Always reported, however many pages the host brought."""

MISSED_SHARE = 0.5
"""The reason is reported if at least this share of the requested addresses returned no page."""

REASONS_MAX = 3
"""The most reasons per host, and the most linked hosts, to name."""


def explain_host(host: HostCrawl, *, is_plan: bool = False) -> str | None:
    """The line of a host; None if its pages were fetched or are of another fetcher, and nothing needs an explanation.

    `is_plan`: it is about what a crawl would do.
    """
    explanations = [
        _explain_host(host, is_plan=is_plan),
        None if host.slowed is None else _explain_slowdown(host.slowed),
    ]
    parts = [part for part in explanations if part is not None]
    return f"{host.host}: {'; '.join(parts)}" if parts else None


def explain_clock(clock: Clock | None) -> str | None:
    """`the last run lies 3 days in the future (2026-11-27 18:19 UTC): check this machine's clock`."""
    if clock is None:
        return None
    ahead_s = (clock.before - clock.at).total_seconds()
    ahead = f"{ahead_s / 86_400:.0f} days" if ahead_s >= 1.5 * 86_400 else f"{ahead_s / 3600:.2g} hours"
    line = f"the last run lies {ahead} in the future ({clock.before:%Y-%m-%d %H:%M} UTC): check this machine's clock"
    are = (
        "1 address that it asked for is" if clock.waiting == 1 else f"{clock.waiting:,} addresses that it asked for are"
    )
    return f"{line}; {are} not due, and 'verdicts run --all' asks anyway" if clock.waiting else line


def _explain_slowdown(slowed: Slowdown) -> str:
    refusals = f"{slowed.refusals:,} refusal{'s' * (slowed.refusals != 1)} ({slowed.answers})"
    return f"it slowed us down: {refusals}, the delay grew to {slowed.delay_s:.3g} s"


def reason_lines(reasons: CrawlReasons, *, is_plan: bool = False, is_demo: bool = False) -> list[str]:
    """The lines of a crawl: one for each host that needs an explanation, then one for all other hosts.

    The demo has no config that could name other hosts.
    """
    elsewhere = None if is_demo else describe_external(reasons.external)
    lines = [explain_clock(reasons.clock), *(explain_host(host, is_plan=is_plan) for host in reasons.hosts), elsewhere]
    return [line for line in lines if line is not None]


def describe_external(skips: Sequence[SkipRecord]) -> str | None:
    """The line about links to other hosts, if there were any."""
    if not skips:
        return None
    most = sorted(skips, key=lambda skip: (-skip.skipped, skip.host))
    names = ", ".join(f"{skip.host} ({skip.skipped:,})" for skip in most[:REASONS_MAX])
    more = f" and {len(most) - REASONS_MAX:,} more" if len(most) > REASONS_MAX else ""
    return f"other hosts: links lead to {names}{more}, which no [[site]] names; add one to 'hosts' if you want it"


def list_shortfalls(reasons: CrawlReasons) -> list[str]:
    """What a crawl could not fetch, each host once: `63 of 231 addresses of a.example: the host answers 500`."""
    lines = []
    for host in reasons.hosts:
        missed = [ending for ending in host.endings if _is_failure(ending.ending) or ending.ending in NOT_ASKED]
        if count := sum(ending.addresses for ending in missed):
            whats = [
                describe_ending(ending.ending, ending.example, ending.detail).what
                for ending in missed
                if ending.addresses
            ]
            lines.append(
                f"{count:,} of {host.address_count:,} addresses of {host.host}: {', '.join(whats[:REASONS_MAX])}"
            )
        elif has_brought_nothing(host):
            lines.append(str(explain_host(host)))
        elif failed := [file for file in host.files if _is_failure(file.outcome)]:
            more = f" and {len(failed) - 1:,} more files" if len(failed) > 1 else ""
            lines.append(
                f"{failed[0].url}: {describe_ending(failed[0].outcome, failed[0].url, failed[0].detail).what}{more}"
            )
    return lines


NO_PAGES = frozenset({Outcome.NOT_A_PAGE, Outcome.SUPPORT})
"""Endings of addresses that are no pages: files, feeds."""


def has_brought_nothing(host: HostCrawl) -> bool:
    """Whether a host brought nothing that its night should have: it is `partial`.

    That is a host that refuses every requested page, with a status such as 418; or a first night without a page, or
    with one page that has no content or only failing links. A spent budget and redirects to other hosts of the config
    are the operator's own decisions.
    """
    endings = {ending.ending for ending in host.endings if ending.addresses} - GOT
    if _count(host, GOT) == 0 and endings - NO_MATTER == {Outcome.CLIENT_ERROR}:
        return True
    is_own = (
        (endings <= NO_MATTER and host.starts > 1) or SkipReason.BUDGET in endings or endings == {Outcome.REDIRECTED}
    )
    if not host.is_first or is_own or _count(host, GOT) > 1 or explain_host(host) is None:
        return False
    has_failed = bool(endings - NO_MATTER - NO_PAGES)
    return has_failed or _count(host, GOT) == 0 or not host.has_content


def _explain_host(host: HostCrawl, *, is_plan: bool) -> str | None:
    if all(ending.ending == SkipReason.OTHER_SITE for ending in host.endings):
        return None
    got = _count(host, GOT)
    missed = [ending for ending in host.endings if ending.ending not in GOT | NO_MATTER and ending.addresses]
    nothing = "nothing would be fetched" if is_plan else "nothing fetched"
    if host.address_count == 0:
        return f"{nothing}; {_explain_no_address(host)}"
    if got == 0:
        return f"{nothing}; {_describe_reasons(host, missed) if missed else _explain_nothing_due(host)}"
    count = f"{got:,} of {host.address_count:,} known addresses {'would be fetched' if is_plan else 'returned a page'}"
    count_missed = sum(ending.addresses for ending in missed)
    if any(ending.ending in ALWAYS_REPORTED for ending in missed) or count_missed >= MISSED_SHARE * (
        got + count_missed
    ):
        return f"{count}; {_describe_reasons(host, missed)}"
    if host.address_count - _count(host, {Outcome.REDIRECTED}) <= host.starts and not is_plan:
        return f"{count}; {_explain_nothing_else(host)}"
    return None


def _count(host: HostCrawl, endings: Collection[str]) -> int:
    return sum(ending.addresses for ending in host.endings if ending.ending in endings)


def _describe_reasons(host: HostCrawl, endings: Sequence[Ending]) -> str:
    """The causes of the most frequent endings, and what to do about the first."""
    endings = sorted(endings, key=lambda ending: ending.ending != Outcome.WALL)
    described = [_describe_ending(host, ending) for ending in endings[:REASONS_MAX]]
    is_counted = sum(ending.addresses for ending in endings) > 1
    causes = [
        _format_ending(ending, words) if is_counted else words.what
        for ending, words in zip(endings, described, strict=False)
    ]
    rest = sum(ending.addresses for ending in endings[REASONS_MAX:])
    todo = next((words.todo for words in described if words.todo), "")
    return "; ".join([*causes, *([f"{rest:,} for other reasons"] if rest else []), *([todo] if todo else [])])


def _format_ending(ending: Ending, words: Words) -> str:
    if ending.addresses > 1 and ending.ending in MANY:
        return MANY[ending.ending].format(count=f"{ending.addresses:,}", example=ending.example, detail=ending.detail)
    return f"{ending.addresses:,}: {words.what}"


def _describe_ending(host: HostCrawl, ending: Ending) -> Words:
    """The cause of an ending. A host given up, or one without readable rules, has a failure behind it."""
    words = describe_ending(ending.ending, ending.example, ending.detail)
    failed = next((file for file in host.files if _is_failure(file.outcome)), None)
    if ending.ending == SkipReason.ROBOTS_UNREAD and failed is not None and failed.is_robots:
        cause = describe_ending(failed.outcome, failed.url, failed.detail)
        what = f"its robots.txt could not be read, so nothing may be requested: {cause.what}"
        return Words(what, cause.todo or words.todo)
    if ending.ending == SkipReason.HOST_DOWN:
        page = next((failure for failure in host.endings if _is_failure(failure.ending)), None)
        if page is not None:
            return Words(f"{words.what}: {describe_ending(page.ending, page.example, page.detail).what}", words.todo)
        if failed is not None:
            return Words(f"{words.what}: {describe_ending(failed.outcome, failed.url, failed.detail).what}", words.todo)
    return words


def _is_failure(ending: str) -> bool:
    return ending in set(Outcome) and Outcome(ending).is_failure


def _explain_nothing_due(host: HostCrawl) -> str:
    """For a host without requested addresses, or only with redirects elsewhere."""
    waiting = next((ending for ending in host.endings if ending.ending == SkipReason.NOT_DUE), None)
    if waiting is None or waiting.detail is None:
        return _describe_reasons(host, host.endings)
    moment, _, earlier = waiting.detail.partition(" ")
    outcome, _, detail = earlier.partition(" ")
    before = f" (last time: {describe_ending(outcome, waiting.example, detail or None).what})" if outcome else ""
    is_one = waiting.addresses == 1
    count = "its one known address is not" if is_one else f"none of its {waiting.addresses:,} addresses is"
    when = f"{datetime.fromisoformat(moment):%Y-%m-%d %H:%M} UTC"
    return f"{count} due before {when}, {waiting.example}{before}; 'verdicts crawl --all' asks anyway"


def _explain_no_address(host: HostCrawl) -> str:
    ending = host.endings[0]
    if _is_failure(ending.ending) or ending.ending in LEFT_OUT - {SkipReason.BUDGET}:
        return _describe_reasons(host, [ending])
    searched = f"no start URL is on it, no link leads to it, {_describe_sitemaps(host)}"
    return f"no address of it is known: {searched}; add one to start_urls"


def _explain_nothing_else(host: HostCrawl) -> str:
    moved = next((ending for ending in host.endings if ending.ending == Outcome.REDIRECTED), None)
    words = Words("") if moved is None else describe_ending(moved.ending, moved.example, moved.detail)
    links = [LINKS[skip.reason].format(count=skip.skipped, detail=skip.detail, example=skip.example)
             for skip in host.skips if skip.reason in LINKS]  # fmt: skip
    left_out = f"of the links on it, {', '.join(links)}" if links else "no new link to the host on it"
    parts = [words.what, f"nothing else is known: {_describe_sitemaps(host)}, {left_out}"]
    todo = words.todo or "add to start_urls, sitemaps or include"
    return "; ".join([*filter(None, parts), todo])


def _describe_sitemaps(host: HostCrawl) -> str:
    files = [file for file in host.files if file.is_sitemap]
    read = [file for file in files if file.outcome == Outcome.SUPPORT]
    if read:
        return f"no page of it in {read[0].url}"
    if not files:
        return "no sitemap"
    last = files[-1]
    return f"no sitemap ({last.url}: {last.detail or Outcome(last.outcome).meaning})"

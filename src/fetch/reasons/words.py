"""What is said of addresses that brought no page, by how they ended: what decided it, and what can be done."""

import re
from typing import NamedTuple

from verdicts.fetch.model.addresses.web_address import web_address
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.skips import SkipReason


class Words(NamedTuple):
    """`what` is filled with `detail` and `example`, as they stand in the log. `todo` may be empty."""

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
    Outcome.THROTTLED: Words("it asks for a pause (429), such as at {example}", "raise delay_s, or lower connections"),
    Outcome.TLS_ERROR: Words("its certificate cannot be trusted: {detail}", "its owner must mend that"),
    Outcome.BLOCKED: Words("it refuses us, such as at {example}: {detail}", "ask its owner"),
    Outcome.CLIENT_ERROR: Words("{detail}, such as at {example}", "check the address; a login is never sent"),
    Outcome.NOT_FOUND: Words("there is no such page (404), such as {example}", "check start_urls and sitemaps"),
    Outcome.GONE: Words("it says that the page is gone (410), such as {example}", "check start_urls and sitemaps"),
    Outcome.SOFT_404: Words("{detail}, which says that there is none: {example}", "check start_urls and sitemaps"),
    Outcome.ROBOTS_DENIED: Words("{detail} refuses {example}", "ask its owner, or take the host out of the config"),
    Outcome.NOINDEX: Words("the page asks not to be kept (noindex), such as {example}", "only its owner changes that"),
    Outcome.REDIRECTED: Words("{example} leads to {detail}"),
    Outcome.OUT_OF_SCOPE: Words(
        "{example} {detail}, which the config does not cover", "name that host in 'hosts', or let 'include' match it"
    ),
    Outcome.NOT_A_PAGE: Words("neither HTML nor text ({detail}), such as {example}", "check start_urls"),
    Outcome.INTERNAL_ERROR: Words("this program failed on it: {detail}", "please report it"),
    SkipReason.ROBOTS_UNREAD: Words("{detail}, and without its rules nothing may be asked", ASKED_AGAIN),
    SkipReason.HOST_DOWN: Words("given up after {detail}", ASKED_AGAIN),
    SkipReason.BUDGET: Words(
        "{detail} was reached, and due addresses are left", "they come first next time; a larger one takes more a night"
    ),
    SkipReason.INTERRUPTED: Words("the run was ended before them", "the next run goes on"),
    SkipReason.OTHER_HOST: Words("no [[site]] of the config names it", "name it in 'hosts' if it is wanted"),
    SkipReason.EXCLUDED: Words("exclude {detail} matches {example}", "narrow that pattern"),
    SkipReason.NOT_INCLUDED: Words("no include pattern ({detail}) matches {example}", "add one"),
}
"""Endings that have no words here are said by their meaning."""

LINKS: dict[str, str] = {
    SkipReason.NOT_INCLUDED: "{count} that no include pattern ({detail}) matches, such as {example}",
    SkipReason.EXCLUDED: "{count} that exclude {detail} matches, such as {example}",
    SkipReason.NOFOLLOW: "{count} that the page asks not to follow (nofollow), on {example}",
    SkipReason.TOO_DEEP: "{count} beyond max_depth, such as {example}",
    SkipReason.TRAP: "{count} shaped like a trap, such as {example}",
}
"""Links to the host itself that were left out."""

MEANINGS: dict[str, str] = {str(member): member.meaning for members in (Outcome, SkipReason) for member in members}

_CAUSE = re.compile(r"Cannot connect to host \S+ ssl:\S+ \[(.*)\]")
"""`Cannot connect to host a.example:80 ssl:default [Name or service not known]`, as aiohttp says it."""

_LOGIN = re.compile(r"(^|[/._-])(log-?in|sign-?in|log-?on|sso|auth)([/._?-]|$)", re.IGNORECASE)
"""`/login?next=%2F`, `/users/sign_in`, `/auth/realms/x`."""


def phrase(ending: str, example: str, detail: str | None) -> Words:
    """What is said of addresses that ended so."""
    words = WORDS.get(ending)
    if words is None or (detail is None and "{detail}" in words.what):
        return Words(f"{MEANINGS.get(ending, ending)}, such as {example}", "" if words is None else words.todo)
    cause = _CAUSE.fullmatch(detail or "")
    what = words.what.format(detail=detail if cause is None else cause[1], example=example)
    if ending in {Outcome.REDIRECTED, Outcome.OUT_OF_SCOPE} and _LOGIN.search(_path(detail or "")):
        return Words(f"{what}, which looks like a login", "a login is never sent; name addresses that need none")
    return Words(what, words.todo)


def _path(detail: str) -> str:
    """Of `http://a.example/login`, or `leads to http://a.example/login`."""
    address = web_address(detail.rpartition(" ")[2])
    return "" if address is None else address.path

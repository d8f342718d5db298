"""Decides whether a run requests a known page, and by which address. Pure; a dry run decides by the same function."""

from collections.abc import Mapping
from typing import NamedTuple

from verdicts.fetch.model.outcome import Outcome, SkipReason
from verdicts.fetch.parse.robots import Robots
from verdicts.fetch.run.site_rules import Scope, SiteRules

NONE_JUDGED: Mapping[str, Scope] = {}


class Decision(NamedTuple):
    """`reason` is None for a page to ask for, by the first of `spellings` that the host has.

    `detail` is the pattern or the line of robots.txt that decided.
    """

    spellings: tuple[str, ...]
    reason: Outcome | SkipReason | None = None
    detail: str | None = None


def decide(
    rules: SiteRules, key: str, spellings: tuple[str, ...], robots: Robots, judged: Mapping[str, Scope] = NONE_JUDGED
) -> Decision:
    """Judges a page by its spellings: every one must be allowed, and at least one included.

    `judged` are addresses that were checked before.
    """
    site = rules.site
    if rules.forgotten.has_page(key):
        return Decision(spellings, SkipReason.FORGOTTEN)
    if key not in rules.start_keys:
        # The config may have been narrowed since the page was discovered.
        if site.drop_parameters(key) != key:
            return Decision(spellings, SkipReason.PARAMETER)
        scopes = [(address, judged.get(address) or rules.judge(address)) for address in spellings]
        reasons = {scope.reason: address for address, scope in scopes}
        left_out = {reason for reason in reasons if reason is not None and reason is not SkipReason.NOT_INCLUDED}
        if None not in reasons or left_out:
            reason = min(left_out, default=SkipReason.NOT_INCLUDED)
            return Decision(spellings, reason, site.find_pattern(reasons[reason]))
    if robots.is_denied:
        return Decision(spellings, SkipReason.ROBOTS_UNREAD, robots.reason)
    for address in spellings:
        if not robots.allows(address, rules.user_agent):
            return Decision(spellings, Outcome.ROBOTS_DENIED, robots.refusal(address))
    return Decision(spellings)

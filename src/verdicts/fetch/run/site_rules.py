"""Applies the config to an address: the key of its page, the spelling that its site prefers, a reason to skip. Pure."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from verdicts.fetch.model.addresses import BadUrl, canonicalize, find_host, resolve_address
from verdicts.fetch.model.outcome import SkipReason
from verdicts.fetch.model.site import Site
from verdicts.fetch.store.forgotten import NOTHING_FORGOTTEN, Forgotten


class Scope(NamedTuple):
    """An address as its site prefers it, the key of its page, and why it is skipped; None if it is in scope."""

    key: str
    address: str
    reason: SkipReason | None


@dataclass(frozen=True, slots=True)
class SiteRules:
    """One site among those of the config, which `sites` has by host, also those of other fetchers.

    `start_keys` are the keys of its start URLs, which are in scope whatever the patterns say.
    """

    site: Site
    sites: Mapping[str, Site]
    user_agent: str
    forgotten: Forgotten = NOTHING_FORGOTTEN
    start_keys: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "start_keys", frozenset(_list_start_keys(self.site)))

    def judge(self, written: str) -> Scope:
        """The scope of an address on this site."""
        address = self.site.prefer_address(written)
        try:
            key = canonicalize(address)
        except BadUrl:
            # Escaped, it is longer than any address may be.
            return Scope(address, address, SkipReason.TRAP)
        if self.forgotten.has_page(key):
            return Scope(key, address, SkipReason.FORGOTTEN)
        reason = self.site.skip_reason(address)
        return Scope(key, address, self.outside(address) if reason is SkipReason.OTHER_HOST else reason)

    def outside(self, url: str) -> SkipReason:
        """Why an address on no host of the site is skipped: it is on one of another site, or on none of the config."""
        site = self.sites.get(find_host(url))
        return SkipReason.OTHER_HOST if site is None or not site.has_host(url) else SkipReason.OTHER_SITE


def _list_start_keys(site: Site) -> Iterator[str]:
    for start in site.start_urls:
        with suppress(BadUrl):
            address = site.prefer_address(resolve_address(start))
            if site.has_host(address):
                yield canonicalize(address)

"""Pages of few words on their first visit, kept back until the other pages of their host were asked for.

A wall without a known marker shows the same words at each address. Then these pages are a wall; otherwise all are
settled like any page at the end of the host's night. A killed run leaves them due.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from verdicts.fetch.model.addresses import find_host

SAME_LEAST = 3
"""So many addresses with the same words are a wall. Two may be a page and its print."""

KEPT_MAX = 20
"""The most pages of a host that are kept back: a host with more has honest pages of few words."""

Settle = Callable[[str | None], None]
"""Settles a page that was kept back: as a wall for the given reason, or as any page for None."""


@dataclass(slots=True)
class FirstStubs:
    """The first stubs of one run, by host. `urls` are the pages that are kept back."""

    urls: set[str] = field(default_factory=set)
    _words: dict[str, str] = field(default_factory=dict)
    _counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    _settle: dict[str, dict[str, Settle]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, url: str, words: str) -> bool:
        """Notes that a page shows a stub with this digest of its words. Returns whether it is a wall."""
        host = find_host(url)
        if self._words.setdefault(url, words) != words:
            return False
        self._counts[host, words] += 1
        return self._counts[host, words] >= SAME_LEAST

    def keep_back(self, url: str, settle: Settle) -> bool:
        """Keeps a page back if it was noted and there is room. Returns whether it did."""
        if url not in self._words or len(kept := self._settle[find_host(url)]) >= KEPT_MAX:
            return False
        kept[url] = settle
        self.urls.add(url)
        return True

    def settle(self, host: str) -> None:
        """Settles the pages of a host that were kept back."""
        for url, settle in self._settle.pop(host, {}).items():
            count = self._counts[host, self._words[url]]
            self.urls.discard(url)
            settle(None if count < SAME_LEAST else f"{count - 1:,} other pages of the host show the same few words")

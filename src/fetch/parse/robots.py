"""robots.txt by RFC 9309, read with Protego. Pure: an answer in, rules out."""

import math
import re
from dataclasses import dataclass

from protego import Protego

from fetch.http.client import Answer

SIZE_LIMIT = 512_000
"""RFC 9309, 2.5: at least 500 KiB are parsed; the rest is ignored."""

CRAWL_DELAY_MAX_S = 60.0
"""A longer wish is taken for a mistake: 3600 would stretch a night over years."""

_PRODUCT = re.compile(r"[A-Za-z_-]+")


@dataclass(frozen=True, slots=True)
class Robots:
    """What a host allows for this run. `rules` is None where everything, or nothing, is allowed."""

    rules: Protego | None
    is_denied: bool
    reason: str

    def allows(self, url: str, user_agent: str) -> bool:
        """Whether an address may be fetched."""
        return not self.is_denied and (self.rules is None or self.rules.can_fetch(url, product_token(user_agent)))

    def crawl_delay_s(self, user_agent: str) -> float:
        """Seconds the host wants between requests; 0 where it says nothing that makes sense."""
        wish = None if self.rules is None else self.rules.crawl_delay(product_token(user_agent))
        if wish is None or not math.isfinite(wish):
            return 0.0
        return min(max(float(wish), 0.0), CRAWL_DELAY_MAX_S)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps it names."""
        return () if self.rules is None else tuple(self.rules.sitemaps)


def product_token(user_agent: str) -> str:
    """The name a robots.txt knows us by: `verdicts` of `verdicts/0.1 (+https://example.org/bot)`.

    Protego looks for a group's name anywhere in the agent, so a group for `bot` would match the contact's address.
    """
    match = _PRODUCT.match(user_agent.strip())
    return match[0] if match else user_agent


def robots_of(answer: Answer) -> Robots:
    """4xx allows everything (2.3.1.3), as does any other answer that is no file."""
    if answer.status != 200:
        return Robots(None, is_denied=False, reason=f"no robots.txt ({answer.status})")
    body = answer.body
    if len(body) > SIZE_LIMIT:
        # Half a line must not become a rule of its own.
        body = body[:SIZE_LIMIT].rpartition(b"\n")[0]
    text = body.decode("utf-8", errors="replace").removeprefix("\ufeff")
    return Robots(Protego.parse(text), is_denied=False, reason="robots.txt")


def denied(why: str) -> Robots:
    """5xx, 429, time-outs and network errors forbid the host for this run (2.3.1.4)."""
    return Robots(None, is_denied=True, reason=f"robots.txt could not be read: {why}")


ALLOWED = Robots(None, is_denied=False, reason="robots.txt only redirects")
"""After five redirects the file counts as unavailable (2.3.1.2)."""

"""robots.txt by RFC 9309, read with Protego."""

from dataclasses import dataclass

from protego import Protego

from fetch.client import Answer, Client
from fetch.errors import FetchError

SIZE_LIMIT = 512_000
"""RFC 9309, 2.5: at least 500 KiB are parsed; the rest is ignored."""

CRAWL_DELAY_MAX_S = 60.0
"""A longer wish is taken for a mistake: 3600 would stretch a night over years."""


@dataclass(frozen=True, slots=True)
class Robots:
    """What a host allows for this run. `rules` is None where everything, or nothing, is allowed."""

    rules: Protego | None
    is_denied: bool
    reason: str

    def allows(self, url: str, user_agent: str) -> bool:
        """Whether an address may be fetched."""
        return not self.is_denied and (self.rules is None or self.rules.can_fetch(url, user_agent))

    def crawl_delay_s(self, user_agent: str) -> float:
        """Seconds the host wants between requests; 0 where it says nothing."""
        wish = None if self.rules is None else self.rules.crawl_delay(user_agent)
        return min(max(float(wish), 0.0), CRAWL_DELAY_MAX_S) if wish is not None else 0.0

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps it names."""
        return () if self.rules is None else tuple(self.rules.sitemaps)


async def read_robots(client: Client, origin: str) -> tuple[Robots, Answer | FetchError]:
    """4xx allows everything (2.3.1.3); 5xx, 429, time-outs, network errors forbid the host for this run (2.3.1.4)."""
    try:
        answer = await client.get(f"{origin}/robots.txt", {})
    except FetchError as error:
        return Robots(None, is_denied=True, reason=f"robots.txt could not be read: {error.detail}"), error
    if answer.status >= 500 or answer.status == 429:
        return Robots(None, is_denied=True, reason=f"robots.txt answers {answer.status}"), answer
    if answer.status >= 400 or answer.status != 200:
        return Robots(None, is_denied=False, reason=f"no robots.txt ({answer.status})"), answer
    text = answer.body[:SIZE_LIMIT].decode("utf-8", errors="replace").removeprefix("\ufeff")
    return Robots(Protego.parse(text), is_denied=False, reason="robots.txt"), answer

"""One look at a site: its robots.txt and one page, for a first config."""

import asyncio
import re
from collections import Counter
from dataclasses import dataclass

from verdicts.fetch.http.client import HttpClient, is_public
from verdicts.fetch.model.addresses import parse_ip_address, resolve_address, split_address
from verdicts.fetch.model.fetch_errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.site import Site, check_contact
from verdicts.fetch.parse.content import classify
from verdicts.fetch.parse.page_head import read_head
from verdicts.fetch.parse.page_links import read_page_links
from verdicts.fetch.parse.robots import parse_robots
from verdicts.fetch.run.request import read_redirect_target

REDIRECTS_MAX = 5
SECTIONS_MAX = 8
"""The most first parts of paths that are named."""
DELAY_S = 1.0
"""As in the template."""


@dataclass(frozen=True, slots=True)
class FirstLook:
    """`url` is the page that answered, `hosts` its host and the one that led there. `sections` count its links."""

    url: str
    hosts: tuple[str, ...]
    delay_s: float
    sitemaps: tuple[str, ...]
    sections: tuple[tuple[str, int], ...]

    @property
    def include(self) -> list[str]:
        """The part of the site that the page is in, if the page links to more of it."""
        section = _find_section(self.url)
        is_of_many = section != "/" and section in dict(self.sections)
        return [f"^{re.escape(section)}".replace("\\-", "-")] if is_of_many else []

    @property
    def is_private(self) -> bool:
        """Whether the host is an address of this machine or of a private network."""
        address = parse_ip_address(self.hosts[0].rpartition(":")[0] or self.hosts[0])
        return address is not None and not is_public(address)

    @property
    def in_words(self) -> str:
        links = (
            ", ".join(f"{section} ({count})" for section, count in self.sections) or "none; does it need JavaScript?"
        )
        sitemaps = f"{len(self.sitemaps)} in robots.txt" if self.sitemaps else "none in robots.txt"
        return f"{self.url}: links to its host by the first part of their path: {links}; sitemaps: {sitemaps}"


def look_at(url: str, user_agent: str) -> FirstLook:
    """Asks for robots.txt and the page, through up to five redirects.

    Raises `BadUrl`, `ContactMissing`, and `AttemptFailed` if no page answers.
    """
    return asyncio.run(_look_at(resolve_address(url), user_agent))


async def _look_at(url: str, user_agent: str) -> FirstLook:
    hosts: list[str] = []
    for _ in range(REDIRECTS_MAX + 1):
        parts = split_address(url)
        assert parts is not None
        hosts.insert(0, parts.netloc)
        # An operator who names loopback means it; a name or a redirect does not lead there.
        site = Site((parts.netloc,), (url,), allow_private=parts.netloc == hosts[-1])
        check_contact([site], user_agent)
        async with HttpClient(site, user_agent) as client:
            robots = parse_robots(
                await client.get(f"{site.origin(parts.netloc)}/robots.txt", {}), user_agent=user_agent
            )
            if not robots.allows(url, user_agent):
                raise AttemptFailed(Outcome.ROBOTS_DENIED, f"{robots.refusal(url)} refuses it")
            response = await client.get(url, {})
        if response.is_redirect:
            url = read_redirect_target(url, response)
            continue
        outcome, detail = classify(response)
        if outcome is not Outcome.STORED:
            raise AttemptFailed(outcome, detail or outcome.meaning)
        links = read_page_links(response, url, read_head(response.head, "")).links
        sections = Counter(_find_section(link) for link in links if site.has_host(link))
        passed = tuple(dict.fromkeys(hosts))
        site_hosts = tuple(host for host in passed if host.removeprefix("www.") == parts.netloc.removeprefix("www."))
        delay_s = max(DELAY_S, robots.crawl_delay_s(user_agent))
        return FirstLook(url, site_hosts, delay_s, tuple(robots.sitemaps), tuple(sections.most_common(SECTIONS_MAX)))
    raise AttemptFailed(Outcome.REDIRECT_LIMIT, f"more than {REDIRECTS_MAX} redirects")


def _find_section(url: str) -> str:
    """`/compare/` of `https://a.example/compare/x?y`, and `/` of `https://a.example/about`."""
    address = split_address(url)
    first, slash, _ = ("" if address is None else address.path.removeprefix("/")).partition("/")
    return f"/{first}/" if slash else "/"

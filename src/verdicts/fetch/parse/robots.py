"""robots.txt by RFC 9309, parsed with Protego. Pure: a response in, rules out."""

import math
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple
from urllib.parse import quote

from protego import Protego

from verdicts.fetch.model.charset import decode, find_encoding
from verdicts.fetch.model.snapshot import Response
from verdicts.fetch.parse.rights import Signals, parse_signals

RULES_MAX = 500
"""The most lines tried for an address; in a longer file the deciding line is not named."""

_RULE = re.compile(r"\s*+d(?:is|ias)\w*+\s*+:?", re.IGNORECASE)
"""`Disallow: /x`, also in the spellings that Protego accepts, such as `Dissalow`."""

SIZE_LIMIT = 512_000
"""RFC 9309, 2.5: at least 500 KiB are parsed; the rest is ignored."""

OTHERS = "User-agent: (another robot)"
EVERYONE = ""
"""The group of lines before the first group."""
_USER_AGENT = re.compile(r"\s*+user[- ]?agent\b[\s:]*+([^#]*+)", re.IGNORECASE)
_SIGNAL = re.compile(r"\s*+content-signal\s*+:([^#]*+)", re.IGNORECASE)
_SITE_WIDE = re.compile(r"\s*+(site-?map|host)", re.IGNORECASE)
"""Lines outside groups, which end no group."""

_LINE_END = re.compile(r"\r\n?+|\n")
_NO_LINE_END = re.compile("[\v\f\x1c-\x1e\x85\u2028\u2029]")
"""RFC 9309, 2.2, has three line ends; Python, and so Protego, also splits lines at each of these."""

_PRODUCT = re.compile(r"[A-Za-z_-]+")


class RuleLine(NamedTuple):
    """A line of robots.txt that may refuse addresses: its number, from 1, its text, and the line of its group."""

    number: int
    text: str
    group: str

    def __str__(self) -> str:
        return f"line {self.number}, {self.text!r} for {self.group!r}"


@dataclass(frozen=True)
class Robots:
    """What a host allows in this run. `rules` is None if everything is allowed, or with `is_denied` nothing.

    `reason` is the source of that. `lines` are those of our group that may refuse, `signals` its content signals.
    """

    rules: Protego | None
    is_denied: bool
    reason: str
    lines: tuple[RuleLine, ...] = ()
    signals: Signals = ()

    def allows(self, url: str, user_agent: str) -> bool:
        return not self.is_denied and (self.rules is None or self.rules.can_fetch(url, find_product_token(user_agent)))

    def refusal(self, url: str) -> str:
        """Why a URL is refused: `robots.txt line 5, 'Disallow: /' for 'User-agent: *'`.

        The longest line that refuses decides (RFC 9309, 2.2.2).
        """
        line = next((line for line, alone in self._alone if not alone.can_fetch(url, "*")), None)
        return self.reason if line is None else f"{self.reason} {line}"

    @cached_property
    def _alone(self) -> list[tuple[RuleLine, Protego]]:
        """Each line, the longest first, and what it says by itself."""
        lines = sorted(self.lines, key=lambda line: -len(line.text)) if len(self.lines) <= RULES_MAX else []
        return [(line, Protego.parse(f"User-agent: *\n{line.text}")) for line in lines]

    def crawl_delay_s(self, user_agent: str) -> float:
        """Seconds between requests that the host asks for; 0 for none, or for a value that is not finite."""
        delay = None if self.rules is None else self.rules.crawl_delay(find_product_token(user_agent))
        if delay is None or not math.isfinite(delay):
            return 0.0
        return max(float(delay), 0.0)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        return () if self.rules is None else tuple(self.rules.sitemaps)


@lru_cache(maxsize=10)
def find_product_token(user_agent: str) -> str:
    """The product token: `verdicts` from `verdicts/0.1 (+https://example.org/bot)`.

    Protego searches a group's name in the whole agent, so a group for `bot` would match the contact's address.
    """
    match = _PRODUCT.match(user_agent.strip())
    return match[0] if match else user_agent


def parse_robots(response: Response, *, user_agent: str) -> Robots:
    """The rules in a response below 500: a 2xx brings them (2.3.1.1), a 4xx allows everything (2.3.1.3).

    Rules for other robots are dropped. A 3xx that is not a redirect cannot be read.
    """
    if 300 <= response.status < 400:
        return deny_all(f"the host answers {response.status}")
    if not response.is_success:
        return Robots(None, is_denied=False, reason=f"no robots.txt ({response.status})")
    body = response.body
    if len(body) > SIZE_LIMIT:
        # Drop the cut last line: `Disallow: /a` of `Disallow: /admin` would be another rule.
        body = body[:SIZE_LIMIT].rpartition(b"\n")[0]
    # RFC 9309, 2.2: UTF-8. Only a byte-order mark changes that: editors save UTF-16 and servers label it anyhow.
    text = decode(body, find_encoding(body, is_html=False).encoding)
    token = find_product_token(user_agent).lower()
    plain, lines, signals = _read_groups(text, token)
    return Robots(Protego.parse(plain), is_denied=False, reason="robots.txt", lines=lines, signals=signals)


def _read_groups(text: str, token: str) -> tuple[str, tuple[RuleLine, ...], Signals]:
    """The file with one name for all other robots, the lines that may refuse our robot, and its content signals.

    Protego stores each rule of a group for each of its robots: 500 KB with 16,000 robots and 16,000 rules would hold up
    every host for minutes. It also reads a group for `v` as one for `verdicts`, and ignores one for `verdicts/1.0`.
    Without a group for our robot those for all robots count. A content signal before the first group is for everyone.
    """
    kept: list[str] = []
    lines_by_group: dict[str, list[RuleLine]] = {}
    signals: dict[str, list[str]] = {}
    groups: dict[str, str] = {EVERYONE: ""}
    is_open = False
    for number, line in enumerate(_LINE_END.split(text), start=1):
        written = line.partition("#")[0].strip()
        match = _USER_AGENT.match(line)
        if match is not None and (agent := match[1].strip()):
            groups = groups if is_open else {}
            is_open = True
            line = _name_group(agent, token)
            if line != OTHERS:
                groups.setdefault(line, written)
                lines_by_group.setdefault(line, [])
        elif written and not _SITE_WIDE.match(line):
            is_open = False
            if (signal := _SIGNAL.match(line)) is not None:
                for group in groups:
                    signals.setdefault(group, []).append(signal[1])
            if _RULE.match(line):
                for group, name in groups.items():
                    lines_by_group.setdefault(group, []).append(RuleLine(number, written, name))
        if line != OTHERS or kept[-1:] != [OTHERS]:
            kept.append(_NO_LINE_END.sub(lambda end: quote(end[0]), line))
    our_group = f"User-agent: {token}"
    ours = our_group if our_group in lines_by_group else "User-agent: *"
    stated = parse_signals((*signals.get(EVERYONE, ()), *signals.get(ours, ())))
    return "\n".join(kept), tuple(lines_by_group.get(ours, ())), stated


def _name_group(agent: str, token: str) -> str:
    """The line that begins a group, by its product token (2.2.1): the whole token must match, in any case."""
    if agent.split(maxsplit=1)[0] == "*":
        return "User-agent: *"
    return f"User-agent: {token}" if find_product_token(agent).lower() == token else OTHERS


def deny_all(detail: str) -> Robots:
    """No access in this run: after 5xx, 429, time-outs and network errors (2.3.1.4)."""
    return Robots(None, is_denied=True, reason=f"robots.txt could not be read: {detail}")


ALLOWED = Robots(None, is_denied=False, reason="robots.txt only redirects")
"""After five redirects the file counts as unavailable, which allows everything (2.3.1.2)."""

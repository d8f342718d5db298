"""Reads the rights that a page and its host reserve, and judges whether its texts may be passed on. Pure.

A page speaks by `X-Robots-Tag`, robots meta, TDM reservation and `Content-Signal`; its host by `Content-Signal` in
robots.txt and by `tdmrep.json`. A page without statements reserves nothing. If two statements of one kind disagree, the
stricter one counts; TDM reservations have their own order.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from verdicts.fetch.model.snapshot import Headers, read_header
from verdicts.fetch.parse.page_head import NO_DIRECTIVES, Directives, PageHead, read_header_directives
from verdicts.fetch.parse.tdm import FILE, NO_TDM, Tdm, TdmRule, find_rule, read_tdm

Signals: TypeAlias = tuple[tuple[str, str], ...]
"""Names and values of content signals (contentsignals.org), by name."""

RESTRICTIONS: dict[str, tuple[str, ...]] = {
    "ai-train": ("no",),
    "ai-input": ("no",),
    "use": ("immediate", "reference"),
}
"""Values with which a signal reserves the texts, strictest first. `search=no` speaks of search engines.

`use` is the most that may be done with a text: answer a request, refer to it, or all (`full`). Cloudflare's managed
robots.txt has `search=yes,ai-train=no,use=reference`.
"""

_SIGNAL = re.compile(r"(?<![a-z-])([a-z][a-z-]*+)\s*+=\s*+([a-z]++)", re.IGNORECASE)


class Rights(NamedTuple):
    """The statements about a page, in words, and whether its texts are reserved."""

    stated: str
    is_reserved: bool


UNSTATED = Rights("", is_reserved=False)


class Statement(NamedTuple):
    """A word, such as `noarchive` or `ai-train=no`, and where it stands."""

    word: str
    place: str


@dataclass(frozen=True, slots=True)
class PageRights:
    """What a response states. `not_after` is the moment from which the page must not be stored, if it names one."""

    statements: tuple[Statement, ...] = ()
    tdm: Tdm = NO_TDM
    tdm_place: str = ""
    not_after: datetime | None = None

    def __or__(self, older: "PageRights") -> "PageRights":
        """With what an older response said: a 304 repeats few headers."""
        tdm_place = older.tdm_place if self.tdm.is_reserved is None else self.tdm_place
        moments = [moment for moment in (self.not_after, older.not_after) if moment is not None]
        statements = tuple(dict.fromkeys((*self.statements, *older.statements)))
        return PageRights(statements, self.tdm.before(older.tdm), tdm_place, min(moments, default=None))

    def is_noindex(self, now: datetime) -> bool:
        """Whether the page must not be stored at this moment."""
        is_over = self.not_after is not None and self.not_after <= now
        return is_over or any(statement.word == "noindex" for statement in self.statements)


SILENT = PageRights()
"""Most pages state nothing."""

SPEAKING = frozenset({"x-robots-tag", "content-signal", "tdm-reservation", "tdm-policy"})
"""Headers about rights."""


class HostRights(NamedTuple):
    """What a host states: signals of our group in robots.txt, and the rules of its `tdmrep.json`."""

    signals: Signals = ()
    tdm_rules: tuple[TdmRule, ...] = ()


def read_rights(headers: Headers, head: PageHead | None, token: str) -> PageRights:
    """What a response states to everyone and to `token`, our product token in lower case."""
    in_head = NO_TDM if head is None else head.tdm
    by_meta = NO_DIRECTIVES if head is None else head.directives
    if by_meta is NO_DIRECTIVES and in_head == NO_TDM and SPEAKING.isdisjoint(name for name, _ in headers):
        return SILENT
    by_header = read_header_directives(headers, token)
    statements = [
        *_list_directives(by_header, "X-Robots-Tag"),
        *_list_directives(by_meta, "meta robots"),
        *_list_signals(parse_signals(value for name, value in headers if name == "content-signal"), "Content-Signal"),
    ]
    names = ("tdm-reservation", "tdm-policy")
    in_headers = read_tdm({name: value for name in names if (value := read_header(headers, name)) is not None})
    tdm_place = "" if in_headers.is_reserved is None else "header"
    tdm_place = tdm_place if in_head.is_reserved is None else "meta element"
    not_after = (by_header | by_meta).unavailable_after
    return PageRights(tuple(statements), in_head.before(in_headers), tdm_place, not_after)


def _list_directives(directives: Directives, place: str) -> list[Statement]:
    words = sorted(directives.reserving | ({"noindex"} if directives.is_noindex else set()))
    return [Statement(word, place) for word in words]


def _list_signals(signals: Signals, place: str) -> list[Statement]:
    return [Statement(f"{name}={value}", place) for name, value in signals]


def parse_signals(lines: Iterable[str]) -> Signals:
    """The signals of several lines. A value that reserves counts before one that does not."""
    signals: dict[str, str] = {}
    for line in lines:
        for name, value in ((name.lower(), value.lower()) for name, value in _SIGNAL.findall(line)):
            strict = RESTRICTIONS.get(name, ("no",))
            strictest = [word for word in strict if word in {value, signals.get(name)}]
            signals[name] = strictest[0] if strictest else value
    return tuple(sorted(signals.items()))


def judge_rights(page: PageRights | None, host: HostRights | None, address: str, now: datetime) -> Rights | None:
    """The rights that page and host state about an address; None if they state nothing."""
    page, host = page or PageRights(), host or HostRights()
    statements = [*page.statements, *_list_signals(host.signals, "robots.txt")]
    if page.not_after is not None:
        statements.append(Statement(f"unavailable_after {page.not_after:%Y-%m-%d}", "robots directives"))
    tdm = page.tdm.before(find_rule(host.tdm_rules, address))
    if tdm.is_reserved is not None:
        policy = f", policy {tdm.policy}" if tdm.is_reserved and tdm.policy else ""
        place = FILE if page.tdm.is_reserved is None else page.tdm_place
        statements.append(Statement(f"tdm-reservation={tdm.is_reserved:d}{policy}", place))
    if not statements:
        return None
    is_reserved = (
        tdm.is_reserved is True or page.is_noindex(now) or any(_is_reserving(statement) for statement in statements)
    )
    parts = [
        f"{', '.join(statement.word for statement in group)} ({place})"
        for place, group in groupby(statements, key=itemgetter(1))
    ]
    return Rights("; ".join(parts), is_reserved)


def _is_reserving(statement: Statement) -> bool:
    """Words of robots directives are stored only if they reserve."""
    name, is_signal, value = statement.word.partition("=")
    is_dated = name.startswith("unavailable_after")
    return value in RESTRICTIONS.get(name, ()) if is_signal else not is_dated

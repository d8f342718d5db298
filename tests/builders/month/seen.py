"""What the nights saw: which page showed what on which night, as the site's own log of requests has it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from builders.month.site import HOST, MIRROR, MonthTool, Shown, Site

ToolKey = tuple[str, str]
"""Host and slug of a tool, the first one that it was seen with: a mirror's tools are its own."""


class Sight(NamedTuple):
    """A page as a night saw it. `day` is that of the night's clock."""

    night: int
    day: date
    host: str
    url: str
    shown: Shown

    @property
    def tools(self) -> tuple[MonthTool, MonthTool]:
        return self.shown.a, self.shown.b


@dataclass
class Seen:
    """All that the nights saw so far. Addresses are whole URLs."""

    sights: list[Sight] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    """Addresses of pages that were seen."""
    redirects: dict[str, str] = field(default_factory=dict)
    missing: dict[str, list[tuple[date, int]]] = field(default_factory=dict)
    """Days on which an address was asked for and had no page, each with the status."""
    numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    """Host and slug to the number of the tool, for every slug that a tool ever had."""
    takes: dict[str, int] = field(default_factory=dict)
    """Every text that was seen, to the number of its take."""

    def look(self, night: int, day: date, site: Site, asked: Collection[str], mirror_asked: Collection[str]) -> None:
        """A night that asked the site, which was up, and its mirror for these paths."""
        if site.condition == "up":
            shown = site.shown()
            self._see(night, day, HOST, {path: shown[path] for path in sorted(asked) if path in shown})
            for path in asked:
                if path in site.removed:
                    self.missing.setdefault(address(HOST, path), []).append((day, site.removed[path]))
                elif path in site.redirects and path not in shown:
                    self.redirects[address(HOST, path)] = address(HOST, site.redirects[path])
        mirrored = copied(site)
        self._see(night, day, MIRROR, {path: mirrored[path] for path in sorted(mirror_asked) if path in mirrored})
        for url in sorted(address(MIRROR, path) for path in mirror_asked if path not in mirrored):
            # It copied again, and the page had another address by then.
            if url in self.held:
                self.missing.setdefault(url, []).append((day, 404))

    def _see(self, night: int, day: date, host: str, pages: dict[str, Shown]) -> None:
        for path, shown in pages.items():
            sight = Sight(night, day, host, address(host, path), shown)
            self.sights.append(sight)
            self.held.add(sight.url)
            self.missing.pop(sight.url, None)
            for tool in sight.tools:
                self.numbers[host, tool.slug] = tool.number
                self.takes |= {take.text: take.number for take in tool.takes}

    def page_of(self, url: str) -> str:
        """The address that a page has now, as far as nights were led there and saw a page."""
        end = url
        for _ in self.redirects:
            if end not in self.redirects:
                break
            end = self.redirects[end]
        return end if end in self.held else url

    def tools(self) -> dict[ToolKey, ToolKey]:
        """Host and slug to the slug that the tool was seen with first, as far as redirects said that they are one."""
        slugs: dict[str, dict[int, ToolKey]] = {}
        first: dict[ToolKey, ToolKey] = {}
        for sight in self.sights:
            for tool in sight.tools:
                slugs.setdefault(sight.url, {})[tool.number] = (sight.host, tool.slug)
                first.setdefault((sight.host, tool.slug), (sight.host, tool.slug))
        order = [*first]
        for url in self.redirects:
            for number, before in slugs.get(url, {}).items():
                after = slugs.get(self.page_of(url), {}).get(number, before)
                older, newer = sorted((first[before], first[after]), key=order.index)
                first = {slug: older if of == newer else of for slug, of in first.items()}
        return first

    def by_page(self) -> Iterator[tuple[str, list[Sight]]]:
        """Every page by its present address, with its sights, oldest first."""
        pages: dict[str, list[Sight]] = {}
        ends = {url: self.page_of(url) for url in self.held}
        for sight in self.sights:
            pages.setdefault(ends[sight.url], []).append(sight)
        yield from pages.items()


def copied(site: Site) -> dict[str, Shown]:
    """What the mirror's pages show, by path."""
    facts = site.mirrored_facts
    if facts is None:
        return {}
    return {
        path: Shown(facts.tools[pair.a], facts.tools[pair.b], pair.dom != "html_lite", has_taglines=True)  # type: ignore[arg-type]
        for path, pair in site.mirrored.items()
    }


def address(host: str, path: str) -> str:
    return f"http://{host}{path}"

"""Ordinary nights of made-up hosts, in numbers alone: pages change, lose and regain things, and nothing is wrong."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from builders.gate_world import Seen
from pipeline.gates.measures import PAGE_MEASURES

SERIES = len(PAGE_MEASURES)


@dataclass(frozen=True)
class Roughness:
    """How a site behaves, in shares of its pages a night. `present`: how many pages show a measure to begin with."""

    lost: float = 0.001
    regained: float = 0.05
    changed: float = 0.10
    unanswered: float = 0.02
    present: float = 0.98
    tool_edits: float = 0.05
    """Nights on which the site takes a measure of one tool from all its pages."""


@dataclass
class OrdinaryHost:
    """Pages that compare two of some tools each; every measure of a page is there or not."""

    random: Random
    pages: int
    rough: Roughness = Roughness()
    shown: list[list[float]] = field(default_factory=list)
    tools: list[tuple[int, int]] = field(default_factory=list)
    versions: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        cast = max(6, self.pages // 3)
        self.tools = [tuple(self.random.sample(range(cast), 2)) for _ in range(self.pages)]
        self.shown = [
            [float(place == 0 or self.random.random() < self.rough.present) for place in range(SERIES)]
            for _ in range(self.pages)
        ]
        self.versions = [0] * self.pages

    def live(self) -> None:
        """What happens on the site between two nights."""
        rough, random = self.rough, self.random
        for page, shown in enumerate(self.shown):
            if random.random() < rough.changed:
                self.versions[page] += 1
            for place in range(1, SERIES):
                if random.random() < (rough.lost if shown[place] else rough.regained):
                    shown[place] = 0.0 if shown[place] else 1.0
        if random.random() < rough.tool_edits:
            place = random.randrange(1, SERIES)
            for page, pair in enumerate(self.tools):
                if 0 in pair:
                    self.shown[page][place] /= 2

    def lose(self, place: int, pages: list[int]) -> None:
        for page in pages:
            self.shown[page][place] = 0.0

    def seen(self) -> dict[str, Seen]:
        """What a crawl reads: of the pages that answer."""
        answering = (page for page in range(self.pages) if self.random.random() >= self.rough.unanswered)
        return {f"page-{page:03}": self._reading(page) for page in answering}

    def _reading(self, page: int) -> Seen:
        return Seen(tuple(self.shown[page]), self.tools[page], version=self.versions[page])


def nights(host: OrdinaryHost) -> Iterator[dict[str, Seen]]:
    while True:
        yield host.seen()
        host.live()

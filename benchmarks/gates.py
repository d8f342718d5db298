"""What the gates hold back on ordinary nights, and how soon they see what is wrong.

uv run python -m benchmarks.gates [--worlds 20] [--pages 20 130] [--only WORD ...]
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from multiprocessing import Pool
from random import Random
from statistics import median

from msgspec.structs import replace as with_state

from benchmarks.measuring import make_options, markdown_table
from builders.gate_worlds import LOSSES as CARD_LOSSES
from builders.gate_worlds import Seen, World, find_withheld, read_seen, without_on_cards
from builders.normalize_pages import REVIEWERS, Tool, page, prose, tool
from verdicts.corpus.rows.runs import GateAcceptRow
from verdicts.extract.model.records import Comparison
from verdicts.pipeline.gates.thresholds import FALSE_ALARMS_A_YEAR, GateSettings

NIGHTS, HOSTS = 60, 3
"""Ordinary nights of a world, and its hosts."""

SITES = {130: 43, 20: 7}
"""Pages to tools of a host."""

PRICINGS = (
    "Free + Pro ${0}/mo",
    "Free · Contact sales",
    "Free tier / ${0}/mo Pro",
    "Contact sales",
    "Open source (MIT)",
    "Pro ${0}/mo / Business ${1}/mo",
    "Pay-as-you-go API tokens; no separate tier required",
    "Free",
    "Research preview, on request",
    "${0}/mo",
)
"""Whatever a page may say of a price: with an amount or without one."""

ENTRIES = ("Free", "Free trial", "$9/mo", "Contact sales", "Open source")
CATEGORIES = ("Developer Tools", "Writing", "Search", "Video", "Agents")


EDITS = (0, 1, 1, 2, 3)
"""How many facts of tools people edit on a night, each number as likely as the others."""

LEFT_OUT, LOST, REGAINED, PRESENT, UNANSWERED, MOVED = 0.04, 0.001, 0.05, 0.98, 0.02, 0.2
"""Shares: of edits, those that leave the fact out until another one fills it in; of parts of pages on a night, those
that are lost, and of the lost ones those that come back; of parts, those that are there to begin with; of pages, those
that do not answer; of nights, those on which a page comes, and those on which one goes.
"""


def _decisions(change: Mapping[str, object]) -> Callable[[Comparison], Comparison]:
    return lambda shown: replace(shown, decisions=tuple(replace(column, **change) for column in shown.decisions))


def _takes(change: Mapping[str, object]) -> Callable[[Comparison], Comparison]:
    return lambda shown: replace(shown, takes=tuple(replace(take, **change) for take in shown.takes))


LOSSES: Mapping[str, Callable[[Comparison], Comparison]] = {
    **CARD_LOSSES,
    **{part: without_on_cards(part) for part in ("tagline", "community")},
    **{part: _takes({part: None}) for part in ("side", "reviewer", "score", "verdict")},
    "decision": _decisions({"verdict": None}),
    "amount": _decisions({"pricing": "Free"}),
}
"""What a page is without a part."""


@dataclass
class OrdinaryHost:
    """Pages that compare two of some tools each. `lacks` are the parts that each of the pages does not show."""

    random: Random
    pages: int
    cast: int
    tools: dict[int, Tool] = field(default_factory=dict)
    shown: dict[tuple[int, int], tuple[Tool, Tool]] = field(default_factory=dict)
    lacks: dict[tuple[int, int], set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        random, cast = self.random, self.cast
        self.tools = {
            number: self._edit_tool(tool(f"tool-{number:02}", REVIEWERS), "pricing") for number in range(cast)
        }
        for number in self.tools:
            self.tools[number] = self._edit_tool(self.tools[number], "community")
        for pair in random.sample([*combinations(range(cast), 2)], self.pages):
            self._add(pair)
            self.lacks[pair] = {part for part in LOSSES if random.random() >= PRESENT}

    def live(self) -> None:
        """What happens on the site between two nights."""
        random = self.random
        for _ in range(random.choice(EDITS)):
            number = random.randrange(len(self.tools))
            self.tools[number] = self._edit_tool(self.tools[number], random.choice(FACTS))
        for lacks in self.lacks.values():
            for part in LOSSES:
                if random.random() < (REGAINED if part in lacks else LOST):
                    lacks ^= {part}
        self.render()
        if random.random() < MOVED and len(self.shown) > self.pages * 0.8:
            gone = random.choice([*self.shown])
            del self.shown[gone], self.lacks[gone]
        free = [pair for pair in combinations(self.tools, 2) if pair not in self.shown]
        if random.random() < MOVED and free and len(self.shown) < self.pages * 1.2:
            self._add(random.choice(free))

    def render(self) -> None:
        """Pages show what their tools say now."""
        self.shown = {pair: self._now(pair) for pair in self.shown}

    def lose(self, part: str, pairs: Iterable[tuple[int, int]]) -> None:
        for pair in pairs:
            self.lacks[pair].add(part)

    def some(self, share: float) -> list[tuple[int, int]]:
        """Pages at random."""
        return self.random.sample([*self.shown], round(share * len(self.shown)))

    def crawl_pages(self) -> dict[str, Seen]:
        """What a crawl reads of the pages that answer."""
        answered = [pair for pair in self.shown if self.random.random() >= UNANSWERED]
        return {f"{a}-vs-{b}": self._read_page((a, b)) for a, b in answered}

    def _read_page(self, pair: tuple[int, int]) -> Seen:
        shown = page(*self.shown[pair])
        for part in sorted(self.lacks[pair]):
            shown = LOSSES[part](shown)
        return read_seen(shown)

    def _add(self, pair: tuple[int, int]) -> None:
        self.shown[pair], self.lacks[pair] = self._now(pair), set()

    def _now(self, pair: tuple[int, int]) -> tuple[Tool, Tool]:
        return self.tools[pair[0]], self.tools[pair[1]]

    def _edit_tool(self, of: Tool, fact: str) -> Tool:
        random = self.random
        low, reviewer = random.randrange(5, 60), random.choice([*of.takes])
        text, score, verdict = of.takes[reviewer]
        without = {other: take for other, take in of.takes.items() if other != reviewer}
        edit: Mapping[str, object] = {
            "pricing": random.choice(PRICINGS).format(low, low + 20),
            "tagline": f"{of.name}, edition {low}",
            "category": random.choice(CATEGORIES),
            "entry": random.choice(ENTRIES),
            "community": f"{low + 30}%",
            "text": {**of.takes, reviewer: (prose(f"{of.slug} {reviewer} {low}"), score, verdict)},
            "votes": {**of.takes, reviewer: (text, low + 20, {"ship": "skip", "skip": "ship"}[verdict])},
            "reviewers": without if len(without) > 2 else {**of.takes, **tool(of.slug, REVIEWERS).takes},
        }
        is_left_out = fact in MAY_BE_LEFT_OUT and random.random() < LEFT_OUT
        name = "takes" if fact in {"text", "votes", "reviewers"} else fact
        return replace(of, **{name: None if is_left_out else edit[fact]})  # type: ignore[arg-type]


MAY_BE_LEFT_OUT = ("pricing", "tagline", "category", "community")
FACTS = (*MAY_BE_LEFT_OUT, "pricing", "entry", "text", "votes", "reviewers")
"""What people edit of a tool; prices most."""


def count_alarms(pages: int, seed: int) -> int:
    """Nights of a host that were held in NIGHTS ordinary ones of HOSTS hosts; each is accepted the next morning."""
    world, alarms = World(), 0
    hosts = {f"host-{n}": OrdinaryHost(Random(f"{seed} {pages} {n}"), pages, SITES[pages]) for n in range(HOSTS)}
    for _ in range(NIGHTS):
        withheld = find_withheld(world.night({name: host.crawl_pages() for name, host in hosts.items()}))
        alarms += len({host for host, _ in withheld})
        accept(world, withheld)
        for host in hosts.values():
            host.live()
    return alarms


def accept(world: World, withheld: set[tuple[str, str]]) -> None:
    run = world.runs[-1]
    world.accepts += [GateAcceptRow(host, measure, run, None, "operator", "ordinary") for host, measure in withheld]  # type: ignore[arg-type]
    world.rows = [
        with_state(row, state="accepted") if row.crawl_id == run and (row.host, row.measure) in withheld else row
        for row in world.rows
    ]


Fault = Callable[[OrdinaryHost, int], None]
"""What becomes of a host on the given night of the fault, from 0."""


def drop(part: str, share: float) -> Fault:
    """From all pages that show it at present to a share of them, in one night, over pages at random."""

    def at(host: OrdinaryHost, night: int) -> None:
        if night == 0:
            host.lose(part, host.some(1 - share))

    return at


def drop_by_tool(part: str, share: float) -> Fault:
    """A share of the tools shows it on none of its pages any more, from one night on."""

    def at(host: OrdinaryHost, night: int) -> None:
        if night == 0:
            gone = set(host.random.sample([*host.tools], round((1 - share) * len(host.tools))))
            host.tools |= {number: replace(host.tools[number], **{part: None}) for number in gone}
            host.render()

    return at


def trickle(part: str, share: float) -> Fault:
    """A share of the pages loses it every night, and does not get it back."""

    def at(host: OrdinaryHost, night: int) -> None:
        whole, rest = divmod(share * len(host.shown), 1)
        left = [pair for pair, lacks in host.lacks.items() if part not in lacks]
        count = int(whole) + (host.random.random() < rest)
        host.lose(part, host.random.sample(left, min(count, len(left))))

    return at


def lose_one_price(host: OrdinaryHost, night: int) -> None:
    """One more tool is without a price every night, on all of its pages."""
    left = [number for number, tool in host.tools.items() if tool.pricing is not None] or [0]
    number = host.random.choice(left)
    host.tools[number] = replace(host.tools[number], pricing=None)
    host.render()


FAULTS: dict[str, tuple[int, Fault]] = {
    "prices 0.98 to 0.50": (30, drop("price", 0.51)),
    "prices of half of the tools": (30, drop_by_tool("pricing", 0.5)),
    "amounts of all prices": (30, drop("amount", 0.0)),
    "taglines of all tools": (30, drop_by_tool("tagline", 0.0)),
    "descriptions of all tools": (30, drop("description", 0.0)),
    "categories of all tools": (30, drop_by_tool("category", 0.0)),
    "reviews vanish": (30, drop("reviews", 0.0)),
    "reviews vanish on night 4 of a new store": (3, drop("reviews", 0.0)),
    "2 % of prices a night": (30, trickle("price", 0.02)),
    "0.7 % of reviews a night": (30, trickle("reviews", 0.007)),
    "one tool's price a night": (30, lose_one_price),
}
"""Name to the night it begins on, and what happens."""


def count_nights(name: str, pages: int, seed: int) -> int | None:
    """The night of a fault on which its host is held, from 1; None where it is not within 20."""
    begins, fault = FAULTS[name]
    host = OrdinaryHost(Random(seed), pages, SITES[pages])
    # As strict as where there are other hosts.
    world = World(settings=GateSettings(false_alarms_a_year=FALSE_ALARMS_A_YEAR / HOSTS))
    for night in range(begins + 20):
        if night:
            host.live()
        if night >= begins:
            fault(host, night - begins)
        withheld = find_withheld(world.night({"host": host.crawl_pages()}))
        if night >= begins and withheld:
            return night - begins + 1
        accept(world, withheld)
    return None


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--worlds", type=int, default=20)
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--pages", type=int, nargs="+", choices=SITES, default=[*SITES], help="of a host")
    options.add_argument("--only", nargs="+", default=[""], help="parts of the names of faults")
    chosen = options.parse_args()
    worlds, rows = range(1, chosen.worlds + 1), []
    with Pool(chosen.processes) as pool:
        for pages in chosen.pages:
            alarms = pool.starmap(count_alarms, [(pages, seed) for seed in worlds], chunksize=1)
            print(f"{sum(alarms)} of {NIGHTS * HOSTS * len(worlds):,} ordinary nights of hosts of {pages} pages held")
            for name in (name for name in FAULTS if any(part in name for part in chosen.only)):
                after = pool.starmap(count_nights, [(name, pages, seed) for seed in worlds], chunksize=1)
                shares = [sum(night is not None and night <= most for night in after) for most in (1, 5, 20)]
                middle = median(night or 99 for night in after)
                cells = [f"{share / len(after):.0%}" for share in shares]
                rows.append([f"{name}, {pages} pages", *cells, "-" if middle == 99 else f"{middle:g}"])
    print(markdown_table(["fault", "held on night 1", "within 5", "within 20", "median night"], rows))


if __name__ == "__main__":
    main()

"""What the gates hold back on ordinary nights, and how soon they see what is wrong.

uv run python -m benchmarks.gates [--worlds 20]         ordinary nights and faults in memory
uv run python -m benchmarks.gates --served 20 130       faults on whole nights over sockets, by pages of the site
"""

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from multiprocessing import Pool
from pathlib import Path
from random import Random
from statistics import median

from msgspec.structs import replace as with_state

from benchmarks.gate_hosts import OrdinaryHost, Roughness, nights
from benchmarks.gate_sites import CAPTCHA, MadeSite, site
from benchmarks.measuring import make_options
from builders.command import read_tables
from builders.gate_worlds import Seen, World, find_withheld
from verdicts.corpus.rows.runs import GateAcceptRow
from verdicts.demo_site.responses import SITE_HOST, SITE_URL
from verdicts.demo_site.server import serve
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.url_state import Revisit
from verdicts.fetch.run.crawl import crawl
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline import steps
from verdicts.pipeline.build.build import BuildReport, build
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.gates.thresholds import FALSE_ALARMS_A_YEAR, GateSettings

NIGHTS, HOSTS = 60, 3

Nights = Iterator[dict[str, Seen]]

SITES = {130: 43, 20: 7}
"""Pages to tools of the hosts that faults come over."""

SMALL_SITES = ((20, 10), (20, 40), (30, 22), (56, 22), (60, 14), (60, 40))
"""Pages and tools of small sites."""


def ordinary(seed: int, pages: int, tools: int, rough: Roughness) -> Nights:
    return nights(OrdinaryHost(Random(f"{seed} {pages} {tools}"), pages, rough, tools))


def false_alarms(make: Callable[[int], Nights], seed: int) -> int:
    """Nights of a host that were held in NIGHTS ordinary ones of HOSTS hosts; each is accepted the next morning."""
    world = World()
    hosts = {f"host-{number}": make(seed * HOSTS + number) for number in range(HOSTS)}
    alarms = 0
    for _ in range(NIGHTS):
        rows = world.night({host: next(of_host) for host, of_host in hosts.items()})
        found = find_withheld(rows)
        alarms += len({host for host, _ in found})
        accept(world, found)
    return alarms


def accept(world: World, found: set[tuple[str, str]]) -> None:
    run = world.runs[-1]
    world.accepts += [GateAcceptRow(host, measure, run, None, "operator", "ordinary") for host, measure in found]  # type: ignore[arg-type]
    world.rows = [
        with_state(row, state="accepted") if row.crawl_id == run and (row.host, row.measure) in found else row
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


def redesign(host: OrdinaryHost, night: int) -> None:
    """A new design without prices reaches the pages that are rendered anew, a tenth of them a night."""
    host.lose("price", host.some(0.1))


FAULTS: dict[str, tuple[int, Fault]] = {
    "prices 0.98 to 0.90": (30, drop("price", 0.92)),
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
    "prices of a fifth of the tools": (30, drop_by_tool("pricing", 0.8)),
    "one tool's price a night": (30, lose_one_price),
    "redesign of a tenth a night": (30, redesign),
}
"""Name to the night it begins on, and what happens."""


def count_nights(name: str, pages: int, seed: int) -> int | None:
    """The night of a fault on which its host is held, from 1; None where it is not within 20."""
    begins, fault = FAULTS[name]
    host = OrdinaryHost(Random(seed), pages, cast=SITES[pages])
    # As strict as where there are other hosts.
    world = World(settings=GateSettings(false_alarms_a_year=FALSE_ALARMS_A_YEAR / HOSTS))
    for night in range(begins + 20):
        if night:
            host.live()
        if night >= begins:
            fault(host, night - begins)
        found = find_withheld(world.night({"host": host.crawl_pages()}))
        if night >= begins and found:
            return night - begins + 1
        accept(world, found)
    return None


WORLDS: dict[str, Roughness] = {
    "a few edits a night": Roughness(),
    "three to six edits a night": Roughness(edits=(3, 4, 5, 6)),
    "nothing is ever left out": Roughness(edits=(3, 4, 5, 6), left_out=0.0),
    "a tenth of edits leave the fact out": Roughness(edits=(2, 3, 4), left_out=0.1),
    "a third of the pages is asked for": Roughness(edits=(2, 3, 4), asked=0.35),
    "edits reach pages over days": Roughness(edits=(2, 3, 4), rendered=0.4),
    "pages lose twice as much": Roughness(lost=0.002),
    "pages lose five times as much": Roughness(lost=0.005),
}


START, DAY = datetime(2026, 11, 1, 1, 30, tzinfo=UTC), timedelta(days=1)


def rewritten(made: MadeSite, change: Callable[[str], str]) -> MadeSite:
    return replace(made, pages={path: change(body.decode()).encode() for path, body in made.pages.items()})


def rename_links(made: MadeSite) -> MadeSite:
    return rewritten(made, lambda body: body.replace('href="/tool/', 'href="/directory/'))


def without_chapter(made: MadeSite) -> MadeSite:
    """The scorecard is loaded by a script now."""
    return rewritten(
        made, lambda body: body.partition("<section><h2>Reviewer scorecard")[0] + body[body.rindex("</main>") :]
    )


SITE_FAULTS: dict[str, Callable[[int], Iterator[MadeSite | None]]] = {
    "the site is down": lambda _: iter([None]),
    "captchas with 200": lambda count: iter([replace(site(count), pages=dict.fromkeys(site(count).pages, CAPTCHA))]),
    "an empty sitemap": lambda count: iter([replace(site(count), listed=())]),
    "an empty sitemap, the pages gone": lambda count: iter([replace(site(count), listed=(), pages={})]),
    "a redesign that loses taglines": lambda count: iter([site(count, lambda tool: replace(tool, tagline=""))]),
    "a redesign that loses all reviews": lambda count: iter([without_chapter(site(count))]),
    "prices all zero": lambda count: iter([site(count, lambda tool: replace(tool, pricing="$0"))]),
    "tool pages renamed": lambda count: iter([rename_links(site(count))]),
    "2 % of prices a night": lambda count: (
        site(count, lambda tool: replace(tool, pricing="—"), share=0.02 * night) for night in range(1, 21)
    ),
}


def night(store: Store, folder: DataFolder, made: MadeSite | None, at: datetime) -> BuildReport:
    """A night of the site, which is down where there is none."""
    with serve({} if made is None else made.responses()) as address:
        asked = Site(
            hosts=(SITE_HOST,),
            start_urls=(SITE_URL,),
            # Nothing listens at port 9.
            resolve={SITE_HOST: ("127.0.0.1", 9) if made is None else address},
            allow_private=True,
            delay_s=0,
            connections=8,
            revisit=Revisit(least=timedelta(), most=timedelta()),
        )
        crawled = crawl(store, [asked], user_agent="verdicts-test (test@bot.example)", clock=lambda: at)
        asyncio.run(crawled)
    report = build(store, folder, now=at)
    steps.publish_corpus(folder)
    return report


def serve_fault(name: str, count: int) -> str:
    """When and by what a fault over sockets is held, and whether the rows stay as they were."""
    quiet = 8 if "night" in name else 2
    with tempfile.TemporaryDirectory() as root:
        folder = DataFolder(Path(root) / "data")
        with open_store(folder.root, command="benchmark") as store:
            before: object = None
            good = [site(count)] * quiet
            for number, made in enumerate([*good, *SITE_FAULTS[name](count)]):
                report = night(store, folder, made, START + number * DAY)
                found = {row.measure: row.test for row in report.gates if row.state == "held"}
                rows = read_tables(folder.warehouse)
                if found:
                    words = ", ".join(f"{measure} ({test})" for measure, test in found.items())
                    kept = "rows as they were" if rows == before else "ROWS CHANGED"
                    return f"night {number - quiet + 1}: {words}; {kept}"
                before = rows
    return "not held"


def _alarms(job: tuple[str, int, int, int]) -> int:
    name, pages, tools, seed = job
    return false_alarms(lambda of_host: ordinary(of_host, pages, tools, WORLDS[name]), seed)


def _after(job: tuple[str, int, int]) -> int | None:
    return count_nights(*job)


def main() -> None:
    parser = make_options(__doc__)
    parser.add_argument("--worlds", type=int, default=20)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--pages", type=int, nargs="+", default=[20, 30, 56, 60, 130], help="of a host")
    parser.add_argument("--only", nargs="+", default=[""], help="parts of the names of worlds and faults")
    parser.add_argument("--served", type=int, nargs="+", metavar="PAGES", help="over sockets, with so many pages")
    given = parser.parse_args()
    for name in SITE_FAULTS if given.served else ():
        if any(part in name for part in given.only):
            print(
                *(f"{name:34} {count:4} pages  {serve_fault(name, count)}" for count in given.served),
                sep="\n",
                flush=True,
            )
    if given.served:
        return
    ordinary_worlds, faults = (
        [name for name in of if any(part in name for part in given.only)] for of in (WORLDS, FAULTS)
    )
    worlds = range(1, given.worlds + 1)
    with Pool(given.processes) as pool:
        print(f"held in {NIGHTS} ordinary nights of {HOSTS} hosts: mean, most, of {len(worlds)} worlds")
        for name in ordinary_worlds:
            for pages, tools in (size for size in (*SMALL_SITES, (130, 43)) if size[0] in given.pages):
                counts = pool.map(_alarms, [(name, pages, tools, seed) for seed in worlds], chunksize=1)
                size = f"{pages:4} pages {tools:3} tools"
                print(f"  {name:36} {size}  {sum(counts) / len(counts):6.2f} {max(counts):4}", flush=True)
        print(f"night on which a fault holds its host: first, within 5, within 20; median of {len(worlds)}")
        for name in faults:
            for pages in (pages for pages in SITES if pages in given.pages):
                after = pool.map(_after, [(name, pages, seed) for seed in worlds], chunksize=1)
                shares = [sum(night is not None and night <= until for night in after) for until in (1, 5, 20)]
                middle = median(night or 99 for night in after)
                words = " ".join(f"{share / len(after):5.0%}" for share in shares)
                print(f"  {name:40} {pages:4} pages  {words}  {'-' if middle == 99 else middle}", flush=True)


if __name__ == "__main__":
    main()

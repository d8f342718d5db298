"""What the gates hold back on ordinary nights, and how soon they see what is wrong.

`uv run python -m benchmarks.gates`: both generators and the faults, 20 worlds each. `--worlds N` for another number.
"""

import argparse
from collections.abc import Callable, Iterator
from multiprocessing import Pool
from random import Random
from statistics import median
from time import process_time

from msgspec.structs import replace

from benchmarks.gates_editors import editorial_nights
from builders.gate_world import Seen, World, held
from builders.ordinary_nights import OrdinaryHost, Roughness, nights
from corpus.rows.gates import GateAcceptRow
from pipeline.gates.measures import PAGE_MEASURES

NIGHTS, HOSTS = 60, 3
PRICE, TAKES = PAGE_MEASURES.index("price"), PAGE_MEASURES.index("takes")

Nights = Iterator[dict[str, Seen]]


def ordinary(seed: int, pages: int, rough: Roughness) -> Nights:
    return nights(OrdinaryHost(Random(seed), pages, rough))


def false_alarms(make: Callable[[int], Nights], seed: int) -> int:
    """Nights of a host that were held in NIGHTS ordinary ones of HOSTS hosts; each is accepted the next morning."""
    world = World()
    hosts = {f"host-{number}": make(seed * HOSTS + number) for number in range(HOSTS)}
    alarms = 0
    for _ in range(NIGHTS):
        rows = world.night({host: next(of_host) for host, of_host in hosts.items()})
        found = held(rows)
        alarms += len({host for host, _ in found})
        accept(world, found)
    return alarms


def accept(world: World, found: set[tuple[str, str]]) -> None:
    run = world.runs[-1]
    world.accepts += [GateAcceptRow(host, measure, run, None, "operator", "ordinary") for host, measure in found]  # type: ignore[arg-type]
    world.rows = [
        replace(row, state="accepted") if row.crawl_id == run and (row.host, row.measure) in found else row
        for row in world.rows
    ]


Fault = Callable[[OrdinaryHost, int], None]
"""What becomes of a host on the given night of the fault, from 0."""


def drop(place: int, share: float) -> Fault:
    """From all pages that show it at present to a share of them, in one night, over pages at random."""

    def at(host: OrdinaryHost, night: int) -> None:
        if night == 0:
            host.lose(place, host.random.sample(range(host.pages), round((1 - share) * host.pages)))

    return at


def trickle(host: OrdinaryHost, night: int) -> None:
    """Two pages of a hundred lose their prices every night, and do not get them back."""
    whole, part = divmod(0.02 * host.pages, 1)
    left = [page for page in range(host.pages) if host.shown[page][PRICE]]
    count = int(whole) + (host.random.random() < part)
    host.lose(PRICE, host.random.sample(left, min(count, len(left))))


def redesign(host: OrdinaryHost, night: int) -> None:
    """A new design without prices reaches the pages that are rendered anew, a tenth of them a night."""
    for page in host.random.sample(range(host.pages), max(1, round(0.1 * host.pages))):
        host.versions[page] += 1
        host.lose(PRICE, [page])


FAULTS: dict[str, tuple[int, Fault]] = {
    "prices 0.98 to 0.90": (30, drop(PRICE, 0.92)),
    "prices 0.98 to 0.50": (30, drop(PRICE, 0.51)),
    "takes vanish": (30, drop(TAKES, 0.0)),
    "takes vanish on night 4 of a new store": (3, drop(TAKES, 0.0)),
    "2 % of prices a night": (30, trickle),
    "redesign of a tenth a night": (30, redesign),
}
"""Name to the night it begins on, and what happens."""


def seen_after(name: str, pages: int, seed: int) -> int | None:
    """The night of a fault on which its host is held, from 1; None where it is not within 20."""
    begins, fault = FAULTS[name]
    host = OrdinaryHost(Random(seed), pages, Roughness())
    others = [ordinary(1000 * seed + number, pages, Roughness()) for number in range(HOSTS - 1)]
    world = World()
    for night in range(begins + 20):
        if night:
            host.live()
        if night >= begins:
            fault(host, night - begins)
        read = {"host": host.seen()} | {f"other-{number}": next(other) for number, other in enumerate(others)}
        found = held(world.night(read))
        if night >= begins and any(of == "host" for of, _ in found):
            return night - begins + 1
        accept(world, found)
    return None


WORLDS: dict[str, Callable[[int, int], Nights]] = {
    "pages": lambda seed, pages: ordinary(seed, pages, Roughness()),
    "pages, twice as rough": lambda seed, pages: ordinary(seed, pages, Roughness(lost=0.002)),
    "pages, five times rougher": lambda seed, pages: ordinary(seed, pages, Roughness(lost=0.005)),
    "pages, hardly ever changed": lambda seed, pages: ordinary(seed, pages, Roughness(changed=0.01)),
    "editors": editorial_nights,
}


def _alarms(job: tuple[str, int, int]) -> int:
    name, pages, seed = job
    return false_alarms(lambda of_host: WORLDS[name](of_host, pages), seed)


def _after(job: tuple[str, int, int]) -> int | None:
    return seen_after(*job)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=20)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--pages", type=int, nargs="+", default=[130, 20], help="of a host")
    parser.add_argument("--only", nargs="+", default=[""], help="parts of the names of worlds and faults")
    given = parser.parse_args()
    worlds_of, faults = ([name for name in of if any(part in name for part in given.only)] for of in (WORLDS, FAULTS))
    worlds = range(1, given.worlds + 1)
    with Pool(given.processes) as pool:
        print(f"held in {NIGHTS} ordinary nights of {HOSTS} hosts: mean, most, of {len(worlds)} worlds")
        for name in worlds_of:
            for pages in given.pages:
                counts = pool.map(_alarms, [(name, pages, seed) for seed in worlds], chunksize=1)
                print(f"  {name:30} {pages:4} pages  {sum(counts) / len(counts):6.2f} {max(counts):4}", flush=True)
        print(
            f"night on which a fault holds its host: share on the first, within 5, within 20; median of {len(worlds)}"
        )
        for name in faults:
            for pages in given.pages:
                after = pool.map(_after, [(name, pages, seed) for seed in worlds], chunksize=1)
                shares = [
                    sum(night is not None and night <= until for night in after) / len(after) for until in (1, 5, 20)
                ]
                middle = median(night or 99 for night in after)
                words = " ".join(f"{share:5.0%}" for share in shares)
                print(f"  {name:40} {pages:4} pages  {words}  {'-' if middle == 99 else middle}", flush=True)
    print(f"{process_time():.0f} s of this process")


if __name__ == "__main__":
    main()

"""What a night of few new pages costs beside a build of everything from nothing, by size, density and labels.

    uv run python -m benchmarks.night --appearances 20000 100000 --takes 27 5 --labelled 0 0.2 0.5 0.95 1

Night and rebuild each run in a process of its own, on the same record files. Both extract pages of real size as well:
the night as many as are new, the build from nothing a sample, counted up to all its pages. Ends with 1 where the rows
of a night are not those of the rebuild.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.extract_pages import pages, snapshot
from benchmarks.measuring import in_own_process, keep_pages, markdown_table, measured, options_of
from builders.built_nights import build_night, differing_rows, keep_night
from builders.made_corpora import make_pages
from builders.made_observations import FIRST_NIGHT, observations
from builders.warehouse_files import publish
from fetch.store.store import open_store
from pipeline.build.extract_segments import bring_records_up_to_date
from pipeline.data_folder import DataFolder
from pipeline.failure_log import FailureLog

FEW, MANY = 200, 1200
"""Pages extracted to see what one more costs a build from nothing, its worker processes once started."""

LAST, REBUILT = "20261102T013000Z-0001-00001.parquet", "rebuilt"


@dataclass(frozen=True)
class World:
    """`takes` are appearances a tool: with 27 most tools are on many pages, with 5 on one or two."""

    appearances: int
    takes: int
    labelled: float

    def __str__(self) -> str:
        return f"{self.appearances:,}, {self.takes} a tool, {self.labelled:.0%} labelled"


class Meter:
    """CPU seconds of each step, its worker processes and threads included, and the most memory until its end, in MB."""

    def __init__(self) -> None:
        self.cpu: dict[str, float] = {}
        self.mb: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        with measured() as cost:
            yield
        self.cpu[name], self.mb[name] = cost.cpu_s, cost.peak_mb


def make_world(root: Path, world: World, new: int) -> int:
    """Record files of all pages but the new ones, and of these; gives how many pages there are."""
    made = list(make_pages(world.appearances, seed=1, labelled=world.labelled, takes_a_tool=world.takes))
    folder = DataFolder(root)
    for first, some in ((1, made[:-new]), (2, made[-new:])):
        night = list(observations(some, first=first))
        keep_night(folder.records, night)
    return len(made)


def build_before(root: Path) -> None:
    """The warehouse and its published copy before the night, whose records are put aside meanwhile."""
    folder = DataFolder(root)
    last = (folder.records / LAST).rename(root / LAST)
    build_night(folder, FIRST_NIGHT)
    publish(folder.warehouse, folder.serve, at=FIRST_NIGHT)
    last.rename(folder.records / LAST)


def build_measured(root: Path, name: str, extracted: int) -> dict[str, Any]:
    """A night after what is in the folder, or the rebuild of the same records elsewhere; with its figures."""
    folder = DataFolder(root if name == "night" else root / REBUILT)
    meter = Meter()
    night = FIRST_NIGHT.replace(day=2)
    built = build_night(folder, night, records=root / "records", step=meter.step)
    with meter.step("publish"):
        publish(folder.warehouse, folder.serve, at=night)
    few, many = (extracted, extracted) if extracted < FEW else (FEW, MANY)
    extract(root / "extract", few, meter)
    if many > few:
        of_few = meter.cpu["extract"]
        extract(root / "extract", many, meter)
        meter.cpu["extract"] = of_few + (extracted - few) * (meter.cpu["extract"] - of_few) / (many - few)
    return {"cpu": meter.cpu, "mb": meter.mb, "normalized": built.normalized, "changed": built.changed}


def extract(root: Path, count: int, meter: Meter) -> None:
    """So many pages of 60 to 100 KB, from a raw segment to a record file."""
    with open_store(root, command="benchmark") as store:
        given = enumerate(pages(count))
        keep_pages(store, [snapshot(pair, f"{html}<!-- {number} -->") for number, (pair, html) in given])
        with meter.step("extract"):
            bring_records_up_to_date(store.index(), store.raw, root / "records", lambda *_: None, FailureLog())
    shutil.rmtree(root)


def measure(world: World, new: int) -> dict[str, Any]:
    """Both builds of one world; ends the program where their rows differ."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        count = in_own_process(make_world, root, world, new)
        in_own_process(build_before, root)
        figures = {
            build: in_own_process(build_measured, root, build, extracted)
            for build, extracted in (("night", new), (REBUILT, count))
        }
        differing = differing_rows(DataFolder(root).warehouse, DataFolder(root / REBUILT).warehouse)
    if differing:
        sys.exit(f"{world}: other rows than a rebuild: {json.dumps(differing, indent=1)}")
    print(f"{world}: same rows; {json.dumps(figures)}", file=sys.stderr, flush=True)
    return {"pages": count, **figures}


HEAD = [
    "appearances",
    "pages normalized",
    "normalize: CPU s",
    "of a rebuild",
    "MB",
    "to the copy: CPU s",
    "of a rebuild",
    "MB",
    "with extraction: CPU s",
    "of a rebuild",
]


def line(world: World, found: dict[str, Any]) -> list[str]:
    """Night / rebuild."""
    night, rebuilt = found["night"], found[REBUILT]
    whole, all_of_it = sum(night["cpu"].values()), sum(rebuilt["cpu"].values())
    made, all_made = whole - night["cpu"]["extract"], all_of_it - rebuilt["cpu"]["extract"]
    spent, anew = night["cpu"]["normalize"], rebuilt["cpu"]["normalize"]
    return [
        str(world),
        f"{night['normalized']:,} / {found['pages']:,}",
        f"{spent:.2f} / {anew:.1f}",
        f"{spent / anew:.1%}",
        f"{night['mb']['normalize']:.0f} / {rebuilt['mb']['normalize']:.0f}",
        f"{made:.1f} / {all_made:.1f}",
        f"{made / all_made:.1%}",
        f"{night['mb']['publish']:.0f} / {rebuilt['mb']['publish']:.0f}",
        f"{whole:.1f} / {all_of_it:.1f}",
        f"{whole / all_of_it:.1%}",
    ]


def growth(found: dict[World, dict[str, Any]], sizes: Sequence[int]) -> list[list[str]]:
    """How many times as much a night takes in the larger of two sizes."""
    lines = []
    for less, more in pairwise(sorted(sizes)):
        for world in (world for world in found if world.appearances == less):
            one, other = (found[World(size, world.takes, world.labelled)]["night"] for size in (less, more))
            whole = sum(other["cpu"].values()) / sum(one["cpu"].values())
            lines.append(
                [
                    f"{less:,} to {more:,}, {world.takes} a tool, {world.labelled:.0%} labelled",
                    f"{other['cpu']['normalize'] / one['cpu']['normalize']:.2f}",
                    f"{whole:.2f}",
                    f"{other['mb']['normalize'] / one['mb']['normalize']:.2f}",
                ]
            )
    return lines


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--appearances", type=int, nargs="+", default=[20_000, 100_000])
    options.add_argument("--takes", type=int, nargs="+", default=[27, 5], help="appearances a tool")
    options.add_argument("--labelled", type=float, nargs="+", default=[0.0, 0.2, 0.5, 0.95, 1.0])
    options.add_argument("--pages", type=int, default=50, help="new pages of the night")
    chosen = options.parse_args()
    worlds = [
        World(size, takes, share) for takes in chosen.takes for share in chosen.labelled for size in chosen.appearances
    ]
    found = {world: measure(world, chosen.pages) for world in worlds}
    print(markdown_table(HEAD, [line(world, of) for world, of in found.items()]))
    if len(chosen.appearances) > 1:
        print("\nThe night, times as much:\n")
        print(markdown_table(["", "normalize: CPU", "whole: CPU", "MB"], growth(found, chosen.appearances)))
    print("\nsame rows")


if __name__ == "__main__":
    main()

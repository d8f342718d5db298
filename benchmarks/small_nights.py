"""A year of small nights from record files to tables: rows as a rebuild makes them, bytes kept, CPU seconds a night.

    uv run python -m benchmarks.small_nights --appearances 200000 --nights 365 --rebuild-every 73

The nights are those of `builders.small_nights`: pages that are new, changed, labelled late, renamed, gone, archived.
`benchmarks.month` goes through HTTP and knows the site's facts; here a night is compared with a rebuild of its records.
Ends with 1 where any row is another, and says which first.
"""

import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import markdown_table, options_of
from builders.built_nights import Built, build_night, differing_rows, keep_night
from builders.small_nights import Night, SmallNights, small_nights
from pipeline.build import rounds
from pipeline.data_folder import DataFolder

MB = 1_000_000
TOLD_EVERY = 10
"""Nights."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What one night took: CPU seconds by step, and the bytes that are kept after it, by part."""

    night: Night
    built: Built
    cpu: dict[str, float]
    kept: dict[str, int]

    @property
    def seconds(self) -> float:
        return sum(self.cpu.values())


def kept_bytes(root: Path) -> dict[str, int]:
    """What lies in a data folder, by its first part: the records, the warehouse, and what else a night finds again."""
    kept: Counter[str] = Counter()
    for path in root.rglob("*"):
        if path.is_file():
            kept[path.relative_to(root).parts[0]] += path.stat().st_size
    return dict(kept)


def run(folder: DataFolder, night: Night) -> Spent:
    cpu: dict[str, float] = {}

    @contextmanager
    def step(name: str) -> Iterator[None]:
        began = time.process_time()
        yield
        cpu[name] = time.process_time() - began

    keep_night(folder.records, night.observations)
    built = build_night(folder, night.at, night.gone, night.moved, step=step)
    return Spent(night, built, cpu, kept_bytes(folder.root))


def other_rows(folder: DataFolder, night: Night) -> dict[str, list[str]]:
    """What a rebuild of the same records has otherwise, by table."""
    with tempfile.TemporaryDirectory() as name:
        rebuilt = DataFolder(Path(name))
        build_night(rebuilt, night.at, night.gone, night.moved, records=folder.records)
        return differing_rows(folder.warehouse, rebuilt.warehouse)


def tell(spent: Spent) -> None:
    night, kept = spent.night, sum(spent.kept.values()) / MB
    print(
        f"night {night.number}: {len(night.observations)} pages, {spent.built.normalized:,} normalized, "
        f"{spent.built.changed:,} rows changed, {spent.seconds:.2f} s CPU, {kept:.1f} MB kept",
        file=sys.stderr,
        flush=True,
    )


def figures(first: Spent, nights: Sequence[Spent]) -> list[list[str]]:
    seconds = [night.seconds for night in nights]
    quarter = max(len(nights) // 4, 1)
    events = Counter(event for night in nights for event in night.night.events)
    lines = [
        ["pages that nights brought", f"{sum(len(night.night.observations) for night in nights):,}"],
        *([f"of these: {event}", f"{count:,}"] for event, count in sorted(events.items())),
        ["observations normalized a night, median", f"{statistics.median(n.built.normalized for n in nights):,.0f}"],
        ["nights that were built whole", str(sum(night.built.is_whole for night in nights))],
        ["CPU s, the first load", f"{first.seconds:.1f}"],
        ["CPU s a night, median", f"{statistics.median(seconds):.2f}"],
        ["CPU s a night, of 95 in 100 at most", f"{sorted(seconds)[int(0.95 * (len(seconds) - 1))]:.2f}"],
        ["CPU s a night, median of the first quarter", f"{statistics.median(seconds[:quarter]):.2f}"],
        ["CPU s a night, median of the last quarter", f"{statistics.median(seconds[-quarter:]):.2f}"],
    ]
    for part, size in sorted(nights[-1].kept.items()):
        grown = (size - first.kept.get(part, 0)) / len(nights)
        lines.append([f"{part}: MB at the end, KB more a night", f"{size / MB:.1f}, {grown / 1000:.0f}"])
    return lines


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--appearances", type=int, default=200_000)
    options.add_argument("--nights", type=int, default=365)
    options.add_argument("--pages", type=int, nargs=2, default=(5, 60), help="of a night, at least and at most")
    options.add_argument("--labelled", type=float, default=0.6, help="share of the pages of the world at first")
    options.add_argument("--ambiguous-from", type=int, default=1, metavar="NIGHT")
    options.add_argument("--rebuild-every", type=int, default=73, metavar="NIGHTS")
    options.add_argument("--keep", type=Path, help="where the data folder stays if rows differ")
    options.add_argument("--partial", action="store_true", help="build no night whole, however much of all it touches")
    chosen = options.parse_args()
    if chosen.partial:
        rounds.WHOLE_SHARE = 1.0
    plan = SmallNights(
        seed=chosen.seed,
        appearances=chosen.appearances,
        nights=chosen.nights,
        pages=tuple(chosen.pages),
        labelled=chosen.labelled,
        ambiguous_from=chosen.ambiguous_from,
    )
    with tempfile.TemporaryDirectory() as name:
        folder = DataFolder(Path(name))
        nights = []
        for night in small_nights(plan):
            nights.append(run(folder, night))
            if night.number % TOLD_EVERY == 0 or night.number == plan.nights:
                tell(nights[-1])
            if night.number and (night.number % chosen.rebuild_every == 0 or night.number == plan.nights):
                _check(folder, night, chosen.keep)
    head = [f"seed {plan.seed}, {plan.nights} nights on {plan.appearances:,} appearances", ""]
    print(markdown_table(head, figures(nights[0], nights[1:])))
    print("\n0 differences from a rebuild")


def _check(folder: DataFolder, night: Night, keep: Path | None) -> None:
    """Ends the program where a rebuild gives other rows."""
    found = other_rows(folder, night)
    for table, lines in found.items():
        print(table, *lines, sep="\n    ")
    if found and keep:
        shutil.copytree(folder.root, keep)
    if found:
        sys.exit(f"night {night.number}: rows of {len(found)} tables are not those of a rebuild")
    print(f"night {night.number}: same rows as a rebuild", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

"""Nights killed at chosen points and resumed, compared with a night that nobody disturbed."""

import json
import random
import re
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from builders.command import published_file, tables_of
from verdicts.fetch.store.store import open_store

NIGHT = Path(__file__).with_name("night_to_kill.py")

STAGES = ("fetch", "segment", "commit", "extract", "load", "publish", "export")

BOOKKEEPING = frozenset({"load_id", "segment", "segment_offset"})
"""Columns that say where and in which load a row was written: a night in two parts writes two segments."""

FILES = re.compile(
    r"lock|state\.sqlite(-wal|-shm|\.sha256)?|raw/.*\.warc\.zst|dataset/[^.].*"
    r"|(records/[^.]+\.v\d+-\d+-\d+\.n\d+\.parquet|warehouse/(corpus\.duckdb|built\.txt)"
    r"|serve/(current|corpus-[^/]+\.duckdb))(\.sha256)?"
    r"|(logs/verdicts\.jsonl|metrics/verdicts\.prom|reports/(nights\.jsonl|incidents\.json|[^/]+\.(html|md)))(\.sha256)?"
)
"""What a data folder may hold once a night is over."""


@dataclass(frozen=True)
class Point:
    """Where a night is killed: at a tick of a stage, or so long after the stage began."""

    stage: str
    tick: int | None
    delay_s: float = 0

    def __str__(self) -> str:
        return f"{self.stage} " + (f"at tick {self.tick}" if self.tick else f"after {self.delay_s:.3f} s")


def call(data: Path, *args: object) -> list[str]:
    return [sys.executable, str(NIGHT), str(data), *map(str, args)]


def undisturbed(data: Path) -> tuple[dict[str, int], dict[str, float]]:
    """A whole night. Gives the ticks and the seconds of each stage."""
    began, name, lasted = time.monotonic(), "", {}
    with subprocess.Popen(call(data), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as night:
        assert night.stdout is not None
        for line in night.stdout:
            if line.startswith("{"):
                return json.loads(line), lasted
            now = time.monotonic()
            lasted[name], began, name = now - began, now, line.strip()
    raise AssertionError("the night did not come to its end")


def spread(ticks: dict[str, int], lasted: dict[str, float], count: int, seed: int) -> list[Point]:
    """Points over all stages, by seed: two thirds at ticks, the rest at any moment."""
    chance = random.Random(seed)
    points = []
    for number in range(count):
        stage = STAGES[number % len(STAGES)]
        if stage in ticks and number % 3:
            points.append(Point(stage, chance.randint(1, ticks[stage])))
        else:
            timed = {"segment": "fetch", "commit": "fetch", "load": "extract"}.get(stage, stage)
            points.append(Point(timed, None, chance.uniform(0, lasted[timed])))
    return points


def kill(data: Path, point: Point) -> bool:
    """A night killed at a point; false where it was over before."""
    if point.tick is not None:
        done = subprocess.run(call(data, f"{point.stage}:{point.tick}"), capture_output=True, timeout=120, check=False)
        assert done.returncode in {0, -9}, done.stderr
        return done.returncode == -9
    with subprocess.Popen(call(data), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as night:
        assert night.stdout is not None
        for line in night.stdout:
            if line.strip() == point.stage:
                time.sleep(point.delay_s)
                break
        night.kill()
    return night.returncode == -9


def killed_in_turn(data: Path, points: list[Point]) -> dict[str, int]:
    """Nights that go on where the one before was killed, and one to its end; gives the ticks of that one."""
    ticks = [f"{point.stage}:{point.tick}" for point in points]
    done = subprocess.run(call(data, *ticks, "none"), capture_output=True, text=True, timeout=240, check=False)
    *said, last = done.stdout.splitlines()
    assert last.startswith("{"), f"a night failed: {done.stderr[-2000:]}"
    assert not any(line.startswith("{") for line in said), f"a night was not killed: {ticks}, {done.stdout}"
    return json.loads(last)


def resume(data: Path) -> None:
    done = subprocess.run(call(data), capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def state_of(data: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table of the published corpus, without the bookkeeping."""
    return tables_of(published_file(data), without_columns=BOOKKEEPING)


def strays(data: Path) -> list[str]:
    """Files that no night leaves behind."""
    names = [path.relative_to(data).as_posix() for path in data.rglob("*") if path.is_file()]
    return [name for name in names if not FILES.fullmatch(name)]


def stored_twice(data: Path) -> list[str]:
    """Addresses that the log says were stored more than once."""
    with open_store(data, command="test", read_only=True) as store:
        stored = Counter(item.url for item in store.fetches() if item.outcome == "stored")
    return [url for url, times in stored.items() if times > 1]

"""Extraction on Dask workers that are killed and stopped, beside one machine: the same record files, byte for byte.

    uv run python -m benchmarks.scale_kills [--seeds 50] [--first 0]

Each seed has nights of its own. Two workers are killed by SIGKILL and stopped for up to four seconds (after three they
count as dead) at moments of the seed, and each batch is given twice. Even seeds have a folder as store, odd ones a
bucket of which one request in fifty fails. Ends with 1 where any file differs.
"""

import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from unittest.mock import patch

from benchmarks.measuring import markdown_table, options_of
from builders.cluster_trouble import trouble
from builders.dask_cluster import SETTINGS, DaskCluster, dask_cluster
from builders.s3_server import S3Server, s3_server
from builders.shipped_pages import Twice, read_alone, store_pages
from verdicts.fetch.objects.opening import open_objects
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.dask import DaskEngine
from verdicts.pipeline.failure_log import FailureLog
from verdicts.pipeline.scale.extraction import extract_at_scale
from verdicts.pipeline.scale.shipping import ship

WORKERS = "ab"


def differing(home: Path, cluster: DaskCluster, url: str, seed: int, nights: int, counts: Counter[str]) -> int:
    """How many record files of a seed are not those of one machine."""
    folder = DataFolder(home / "data")
    store_pages(folder, seed=seed, nights=nights)
    began = time.monotonic()
    expected = read_alone(folder)
    counts["alone, s"] += time.monotonic() - began
    objects = open_objects(url)
    with open_store(folder.root, command="benchmark", read_only=True) as store:
        ship(store, folder, objects, lambda *_: None)
    began = time.monotonic()
    with trouble(cluster, WORKERS, seed) as made:
        extract_at_scale(objects, Twice(DaskEngine(cluster.address)), FailureLog(), made.advance)
        counts["on workers, s"] += time.monotonic() - began
    found = {name: objects.read(name) for name in objects.names("records/")}
    counts["files"] += len(expected)
    counts.update(made.happened)
    wrong = sum(expected.get(name) != found.get(name) for name in {*expected, *found})
    happened = f"{made.happened['killed']} killed, {made.happened['stopped']} stopped"
    print(f"seed {seed}, {url}: {len(expected)} files, {wrong} differ; {happened}", file=sys.stderr, flush=True)
    return wrong


def seeds(numbers: range, nights: int, cluster: DaskCluster, server: S3Server, home: Path) -> list[list[str]]:
    """A line for each kind of store."""
    tallies: dict[str, Counter[str]] = {"folder": Counter(), "bucket": Counter()}
    for seed in numbers:
        kind = "bucket" if seed % 2 else "folder"
        of_seed = home / str(seed)
        (of_seed / "store").mkdir(parents=True)
        url = f"s3://bucket/{seed}" if kind == "bucket" else str(of_seed / "store")
        wrong = differing(of_seed, cluster, url, seed, nights, tallies[kind])
        tallies[kind].update(seeds=1, differing=wrong)
        shutil.rmtree(of_seed)
        server.objects.clear()
    tallies["bucket"]["failed requests"] = server.failed.total()
    tallies["bucket"]["requests"] = server.requests.total()
    return [[kind, *(f"{tally[name]:,.0f}" for name in COLUMNS)] for kind, tally in tallies.items()]


COLUMNS = (
    "seeds",
    "files",
    "differing",
    "killed",
    "stopped",
    "requests",
    "failed requests",
    "alone, s",
    "on workers, s",
)


def main() -> None:
    parser = options_of(__doc__)
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--dead-after", type=int, default=3, help="seconds after which a stopped worker counts as dead")
    parser.add_argument("--nights", type=int, default=3, help="of each seed")
    asked = parser.parse_args()
    ttl = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": f"{asked.dead_after}s"}
    numbers = range(asked.first, asked.first + asked.seeds)
    with tempfile.TemporaryDirectory() as home, s3_server(one_in=50, seed=asked.first) as server:
        (Path(home) / "dask").mkdir()
        with (
            patch.dict(os.environ, server.environment),
            patch.dict(SETTINGS, ttl),
            dask_cluster(Path(home) / "dask", *WORKERS) as cluster,
        ):
            lines = seeds(numbers, asked.nights, cluster, server, Path(home))
    print(markdown_table(["store", *COLUMNS], lines))
    sys.exit(any(line[3] != "0" for line in lines))


if __name__ == "__main__":
    main()

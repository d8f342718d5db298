"""Files of a public crawl as they are: what a run over one costs by its size, and after a kill in its middle.

`python -m benchmarks.crawl_files FOLDER --gigabytes 0.1 0.3 1.0`: each file is made, taken in whole, and taken in again
by a fresh store with `--include` for one host in seven; then whole, killed in its middle, and gone on with.
"""

import gzip
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import psutil

from benchmarks.measuring import options_of
from builders.public_crawl import crawled_pages, warc

TAKE_IN = """
import re, sys
from datetime import UTC, datetime
from pathlib import Path
from verdicts.fetch.intake.ingest import ingest
from verdicts.fetch.intake.ingest import Source
from verdicts.fetch.store.store import open_store
data, archive, include = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
def said(number, byte):
    print("-" if byte is None else byte, flush=True)
with open_store(data, command="ingest") as store:
    run = ingest(store, [Source(archive, None)], clock=lambda: datetime.now(UTC),
                 include=re.compile(include) if include else None, on_progress=said)
    print(run.fetched, run.failed, flush=True)
"""
PAGES_A_PART, PAGE_BYTES = 200, 60_000


def made(folder: Path, gigabytes: float) -> Path:
    """An archive of about so many packed bytes, a gzip member a record."""
    path = folder / f"crawl-{gigabytes}.warc.gz"
    part = 0
    with path.open("wb") as file:
        while file.tell() < gigabytes * 1e9:
            pages = crawled_pages(PAGES_A_PART, size=PAGE_BYTES, seed=part)
            named = [replace(page, url=page.url.replace(".example/", f".example/{part}/")) for page in pages]
            for record in warc(named):
                file.write(gzip.compress(record, 1, mtime=0))
            part += 1
    return path


def measured(data: Path, archive: Path, include: str = "", kill_at: int | None = None) -> dict[str, float]:
    """Seconds, CPU seconds, peak of memory in MB, and the pages of one run; killed once it said that it came so far."""
    began = time.monotonic()
    call = [sys.executable, "-c", TAKE_IN, str(data), str(archive), include]
    process = subprocess.Popen(call, stdout=subprocess.PIPE, text=True)
    watched = psutil.Process(process.pid)
    peak, cpu, first, last = 0, 0.0, None, ""
    assert process.stdout is not None
    for line in process.stdout:
        last = line.strip()
        if first is None and last.isdigit():
            first = int(last)
        if process.poll() is None:
            peak = max(peak, watched.memory_info().rss)
            times = watched.cpu_times()
            cpu = times.user + times.system
        if kill_at is not None and last.isdigit() and int(last) >= kill_at:
            process.send_signal(signal.SIGKILL)
    process.wait()
    pages = int(last.split()[0]) if " " in last else 0
    seconds = time.monotonic() - began
    return {"s": seconds, "cpu_s": cpu, "peak_mb": peak / 1e6, "pages": pages, "from_mb": (first or 0) / 1e6}


def main() -> None:
    parser = options_of(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--gigabytes", type=float, nargs="+", default=[0.1, 0.3, 1.0])
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    print("| file | run | pages | s | CPU s | peak MB | first commit at MB |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for gigabytes in asked.gigabytes:
        archive = made(asked.folder, gigabytes)
        size = archive.stat().st_size
        name = f"{size / 1e9:.1f} GB"
        runs = {
            "whole": measured(asked.folder / f"whole-{gigabytes}", archive),
            "`--include site3`": measured(asked.folder / f"some-{gigabytes}", archive, "site3"),
            "killed in its middle": measured(asked.folder / f"killed-{gigabytes}", archive, kill_at=size // 2),
        }
        runs["gone on with"] = measured(asked.folder / f"killed-{gigabytes}", archive)
        for run, found in runs.items():
            print(
                f"| {name} | {run} | {found['pages']:,.0f} | {found['s']:.1f} | {found['cpu_s']:.1f} |"
                f" {found['peak_mb']:.0f} | {found['from_mb']:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()

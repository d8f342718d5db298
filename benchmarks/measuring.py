"""What the benchmarks share: options, contenders that are installed, what work costs in its own process, tables."""

import argparse
import multiprocessing
import re
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


def make_options(doc: str) -> argparse.ArgumentParser:
    """The options of a benchmark, whose help is its docstring."""
    return argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)


def select_installed(contenders: Iterable[str], needs: Mapping[str, str]) -> list[str]:
    """The contenders whose module of `needs` can be imported. Says which others are left out."""
    there, missing = [], []
    for name in contenders:
        (there if find_spec(needs.get(name, "sys")) else missing).append(name)
    if missing:
        print(f"left out, not installed: {', '.join(missing)} (uv sync --group peers)\n", flush=True)
    return there


@dataclass
class Cost:
    """Seconds by the clock and of CPU, children that have ended and all threads included; the peak of memory in MB."""

    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_mb: float = 0.0


@contextmanager
def measure_body() -> Iterator[Cost]:
    """What the body costs. The peak is that of this process since it began."""
    cost, began, spent = Cost(), time.perf_counter(), cpu_seconds()
    yield cost
    cost.wall_s, cost.cpu_s = time.perf_counter() - began, cpu_seconds() - spent
    cost.peak_mb = peak_bytes() / 1024 / 1024


def cpu_seconds() -> float:
    """What this process and its children that have ended have used."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in spent)


def peak_bytes(process: int | str = "self") -> int:
    """The most memory that a process has held. Its ru_maxrss would be that of the process that started it."""
    (peak,) = re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{process}/status").read_text(encoding="utf-8"))
    return int(peak) * 1024


IN_THIS_PROCESS: list[bool] = []
"""Set by `benchmarks.smallest`, whose figures mean nothing: it spares the imports of a new interpreter."""


def in_own_process(work: Callable[..., T], *given: Any) -> T:
    """What the work gives in a new interpreter. An error in it is raised here."""
    if IN_THIS_PROCESS:
        return work(*given)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        return process.submit(work, *given).result()


@contextmanager
def serve_elsewhere(serve: Callable[..., None], *given: object) -> Iterator[int]:
    """The port of a server in a process of its own. `serve` gets a connection, to which it sends the port."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    server = spawn.Process(target=serve, args=(there, *given), daemon=True)
    server.start()
    try:
        yield here.recv()
    finally:
        server.kill()
        server.join()


def measure_cost(work: Callable[..., object], *given: Any) -> Cost:
    """What the work costs in a new interpreter, whose start is not counted."""
    return in_own_process(_measure_cost, work, *given)


def _measure_cost(work: Callable[..., object], *given: Any) -> Cost:
    with measure_body() as cost:
        work(*given)
    return cost


def in_turns(rounds: int, names: Sequence[str], run: Callable[[str], T]) -> dict[str, list[T]]:
    """What every contender gives in every round. Within a round they take turns: other load meets all of them."""
    results: dict[str, list[T]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            results[name].append(run(name))
            print(name, results[name][-1], file=sys.stderr, flush=True)
    return results


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; all columns but the first are numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def spread(values: Sequence[float]) -> str:
    """Least and most: `0.41 to 0.47`."""
    return f"{min(values):.2f} to {max(values):.2f}"


def ratio(values: Sequence[float], beside: Sequence[float]) -> str:
    """How many times as much, round by round: the median and the spread, `0.44 (0.41 to 0.47)`."""
    ratios = [value / reference for value, reference in zip(values, beside, strict=True)]
    return f"{statistics.median(ratios):.2f} ({spread(ratios)})"

"""Progress for a person: bars on a terminal, plain lines elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

console = Console(stderr=True)


class Advance(Protocol):
    """Told how far a step is. `total` may grow while the step runs."""

    def __call__(self, done: int, total: int) -> None: ...


@contextmanager
def step(name: str, unit: str) -> Iterator[Advance]:
    """Shows one step of the night. Off a terminal it is one line when the step is done."""
    if not console.is_terminal:
        seen = [0]

        def remember(done: int, total: int) -> None:  # noqa: ARG001  a line at the end needs no total
            seen[0] = done

        yield remember
        print(f"{name}: {seen[0]} {unit}", file=sys.stderr, flush=True)
        return
    columns = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(name, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)

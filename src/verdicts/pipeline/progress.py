"""Progress for a person on standard error: bars on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import IO, TypeAlias

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from verdicts.pipeline.logs import LOGGER as PROGRAM
from verdicts.pipeline.terminal import SafeStream, escape_controls, escape_line


class SafeConsole(Console):
    """A console that prints text literally: no markup, emoji names or guessed colours, only `shown` characters."""

    def __init__(self, *, width_elsewhere: int, stderr: bool = False, file: IO[str] | None = None) -> None:
        """`width_elsewhere`: width in characters if the output is no terminal."""
        super().__init__(stderr=stderr, file=file, markup=False, emoji=False, highlight=False)
        if not self.is_terminal:
            self.width = width_elsewhere

    @property
    def file(self) -> IO[str]:
        """The raw stream: its text has already passed `render`."""
        stream = self._file or (sys.stderr if self.stderr else sys.stdout)
        return stream.unguarded if isinstance(stream, SafeStream) else stream

    @file.setter
    def file(self, new_file: IO[str]) -> None:
        self._file = new_file

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=escape_controls(segment.text))


console = SafeConsole(stderr=True, width_elsewhere=80)

LOGGER = PROGRAM.getChild("progress")
"""The same lines for a log, such as that of a flow run."""

step_seconds: dict[str, float] = {}
"""Seconds of the newest run of each step in this process."""

Advance: TypeAlias = Callable[[float, int], None]
"""Reports how far a step is, including fractions, and its total, which may grow during the step."""


def say(line: str, event: str = "message", **values: object) -> None:
    """Prints one line, above the bar if there is one. `event` and `values` go to the log."""
    LOGGER.info("%s", line, extra={"event": event, "fields": values})
    if console.is_terminal:
        console.print(escape_line(line), soft_wrap=True)
    else:
        print(escape_line(line), file=sys.stderr, flush=True)


@contextmanager
def step(name: str, unit: str) -> Iterator[Advance]:
    """Shows a step: a bar on a terminal, elsewhere one line when the step is done."""
    began, count = time.monotonic(), 0
    with _show_bar(name, unit) if console.is_terminal else nullcontext() as show:

        def advance(done: float, total: int) -> None:
            nonlocal count
            count = int(done)
            if show is not None:
                show(done, total)

        yield advance
    seconds = step_seconds[name] = time.monotonic() - began
    line, values = (
        f"{name}, {unit}: {count}",
        {"step": name, "count": count, "unit": unit, "seconds": round(seconds, 3)},
    )
    if console.is_terminal:
        LOGGER.info("%s", line, extra={"event": "step", "fields": values})
    else:
        say(line, "step", **values)


@contextmanager
def _show_bar(name: str, unit: str) -> Iterator[Advance]:
    from rich.progress import (  # noqa: PLC0415  only a terminal has bars
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
    )
    # rich would interpret escapes in redirected text, including colours and links.
    with Progress(*columns, console=console, redirect_stdout=False, redirect_stderr=False) as progress:
        bar = progress.add_task(name, total=None)
        yield lambda done, total: progress.update(bar, completed=done, total=total)

"""Progress for a person, on standard error: bars on a terminal, plain lines elsewhere."""

import logging
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Protocol

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.segment import Segment

from verdicts.pipeline.logs import fields, stderr_format
from verdicts.pipeline.terminal import SafeStream, shown, shown_line


class SafeConsole(Console):
    """A console that shows text as it is: no markup, no emoji names, no colours by guess, `shown` characters only."""

    def __init__(self, *, width_elsewhere: int, stderr: bool = False, file: IO[str] | None = None) -> None:
        """`width_elsewhere`: characters of a line where it is no terminal."""
        super().__init__(stderr=stderr, file=file, markup=False, emoji=False, highlight=False)
        if not self.is_terminal:
            self.width = width_elsewhere

    @property
    def file(self) -> IO[str]:
        """The stream itself: what is written to it has passed `render`."""
        stream = self._file or (sys.stderr if self.stderr else sys.stdout)
        return stream.unguarded if isinstance(stream, SafeStream) else stream

    @file.setter
    def file(self, new_file: IO[str]) -> None:
        self._file = new_file

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Segments of `renderable`; those that are text are `shown`."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=shown(segment.text))


console = SafeConsole(stderr=True, width_elsewhere=80)

LOGGER = logging.getLogger("verdicts.progress")
"""The same lines for whoever keeps a log: a flow run."""


step_seconds: dict[str, float] = {}
"""How long the steps of this process took, each when it was last done."""


class Advance(Protocol):
    """Called with how far a step is, a part of the next one included. `total` may grow while the step runs."""

    def __call__(self, done: float, total: int) -> None: ...


def say(line: str, event: str = "message", **values: object) -> None:
    """One line for whoever waits, above the bar where one is shown. `event` and `values` are for the log."""
    LOGGER.info("%s", line, extra=fields(event, **values))
    if console.is_terminal:
        console.print(shown_line(line), soft_wrap=True)
    elif stderr_format() == "text":
        print(shown_line(line), file=sys.stderr, flush=True)


@contextmanager
def step(name: str, unit: str) -> Iterator[Advance]:
    """Shows one step of the night: a bar on a terminal, elsewhere one line when the step is done."""
    began = time.monotonic()
    if console.is_terminal:
        with _bar(name, unit) as advance:
            yield advance
        seconds = step_seconds[name] = time.monotonic() - began
        LOGGER.info("%s: done", name, extra=fields("step", step=name, seconds=round(seconds, 3)))
        return
    counts = [0]

    def remember(done: float, total: int) -> None:  # noqa: ARG001  a line at the end needs no total
        counts[0] = int(done)

    yield remember
    seconds = step_seconds[name] = time.monotonic() - began
    say(f"{name}: {counts[0]} {unit}", "step", step=name, count=counts[0], unit=unit, seconds=round(seconds, 3))


@contextmanager
def _bar(name: str, unit: str) -> Iterator[Advance]:
    columns = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
    )
    # Redirected, what others write would be read for escapes, and those of colours and links obeyed.
    with Progress(*columns, console=console, redirect_stdout=False, redirect_stderr=False) as progress:
        bar = progress.add_task(name, total=None)
        yield lambda done, total: progress.update(bar, completed=done, total=total)

"""Tables and bars of rich, whose own escapes reach the terminal and nobody else's."""

import sys
from collections.abc import Iterable
from typing import IO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from verdicts.pipeline.terminal.streams import SafeStream, shown


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

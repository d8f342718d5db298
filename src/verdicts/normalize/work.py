"""The inputs that the steps of normalization share, and the place for their rows."""

import ctypes
import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.fetch.model.url_state import Absences
from verdicts.fetch.parse.rights import Rights
from verdicts.normalize.corrections import NO_CORRECTIONS, Corrections, Outcome
from verdicts.normalize.isolation import LeftOut

Keep: TypeAlias = Callable[[str, Sequence[Any]], None]
"""Takes rows of a table."""


@dataclass(frozen=True, slots=True)
class RunInputs:
    """The inputs of a run beside its observations.

    `gone` says when pages were gone, by address; `moved` are addresses with their page under another address, `rights`
    are statements about addresses.
    """

    gone: Mapping[str, Absences] = field(default_factory=lambda: MappingProxyType({}))
    moved: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    profiles: Profiles = field(default_factory=lambda: SHIPPED)
    corrections: Corrections = NO_CORRECTIONS
    rights: Mapping[str, Rights] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(slots=True)
class Output:
    """Results that no later step needs: rows, outcomes of corrections, and observations that made a step fail."""

    keep: Keep
    """Takes rows of a table as they are made."""
    corrections: Corrections
    outcomes: list[Outcome] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    def keep_corrected(self, table: str, rows: Iterable[Any]) -> None:
        """Keeps rows with corrected values."""
        self.keep(table, self.correct(table, rows))

    def correct(self, table: str, rows: Iterable[Any]) -> list[Any]:
        """Rows with corrected values."""
        corrected, outcomes = self.corrections.correct_rows(table, rows)
        self.outcomes += outcomes
        return corrected


@contextmanager
def pause_collector() -> Iterator[None]:
    """Switches off the cyclic garbage collector, which would walk millions of living objects again and again.

    That saves a fifth of normalization's CPU. Objects without cycles are freed all the same.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def return_freed_memory() -> None:
    """Returns freed memory to the system: glibc keeps half a gigabyte after the pages of a million takes are read."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)

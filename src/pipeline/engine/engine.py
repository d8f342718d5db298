"""One function over many batches, wherever there is room for it: on the cores of this machine, or on a cluster."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TYPE_CHECKING, Protocol, TypeVar

from verdicts.pipeline.errors import ConfigError, EngineFailed
from verdicts.pipeline.workers.pool import cores

if TYPE_CHECKING:
    from verdicts.pipeline.sources.config_sections import ScaleConfig

B = TypeVar("B")
R = TypeVar("R")


class Engine(Protocol):
    """Where batches are worked on."""

    def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        """What a module's function gives of each batch, in any order, as soon as it is there.

        Batches and results are small and can be pickled; `str` of a batch is what a person calls it. A batch may be
        worked on more than once, also at the same time, and its result is given once. Raises what `function` raises,
        and `EngineFailed` where a batch kills its worker again and again.
        """


def engine_of(scale: "ScaleConfig") -> Engine:
    """The workers of the scheduler in `[scale]`, without one the cores of this machine. Raises `ConfigError`."""
    if scale.scheduler is None:
        return LocalEngine(cores())
    check_dask()
    from verdicts.pipeline.engine.dask import DaskEngine

    return DaskEngine(scale.scheduler)


def check_dask() -> None:
    """Raises `ConfigError` where the packages of the extra are not there."""
    try:
        import distributed  # noqa: F401
    except ModuleNotFoundError as error:
        raise ConfigError("the scheduler of [scale] needs more packages; run pip install 'verdicts[scale]'") from error


class LocalEngine:
    """See `Engine`. One worker is this process; several are processes that stay until the engine is let go."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        """See `Engine.run`."""
        if self._workers == 1:
            yield from map(function, batches)
            return
        if self._pool is None:
            # Forked, a process would hold the locks of the threads that polars has in this one.
            self._pool = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"))
        futures = [self._pool.submit(function, batch) for batch in batches]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BrokenProcessPool as error:
            self._pool = None
            raise EngineFailed("a process ended while it worked on a batch: out of memory, or killed") from error
        finally:
            for future in futures:
                future.cancel()

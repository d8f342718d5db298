"""The engine that a config names."""

from typing import TYPE_CHECKING

from verdicts.pipeline.engine.engine import Engine
from verdicts.pipeline.engine.local import LocalEngine
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.workers.pool import cores

if TYPE_CHECKING:
    from verdicts.pipeline.sources.config_sections import ScaleConfig


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

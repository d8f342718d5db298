"""One machine more for a build past one."""

from pathlib import Path

import click

from verdicts.commands.options import config_option
from verdicts.commands.signals import allow_to_end
from verdicts.pipeline import exit_codes

ENDS_WITHIN_S = 20.0
"""Seconds for the process that works on batches to end."""


@click.command()
@config_option
@click.option("--scheduler", help="Its address. [default: that of [scale] in the config]", metavar="tcp://HOST:PORT")
def worker(config: Path | None, scheduler: str | None) -> int:
    """Work on batches of a Dask scheduler, until it is ended."""
    from verdicts.pipeline.engine.engine import check_dask
    from verdicts.pipeline.errors import ConfigError
    from verdicts.pipeline.sources.config import load_config

    address = scheduler or load_config(config).scale.scheduler
    if address is None:
        raise ConfigError("no scheduler to join: name one in [scale] of the config, or with --scheduler")
    check_dask()
    allow_to_end(ENDS_WITHIN_S)
    from verdicts.pipeline.engine.cluster import join

    join(address, click.echo)
    return exit_codes.DONE


COMMANDS = (worker,)

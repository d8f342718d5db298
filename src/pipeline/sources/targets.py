"""The sites to crawl: those of a config, or the demo site."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from verdicts.demo_site.responses import SITE_HOST, SITE_URL
from verdicts.demo_site.server import serve
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.url_state import Revisit
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.sources.config import Config

if TYPE_CHECKING:
    from verdicts.fetch.run.shared_frontier import SharedFrontier

DEMO_CONNECTIONS = 4


@contextmanager
def open_sites(config: Config) -> Iterator[tuple[Site, ...]]:
    """The sites of a config. Without any, serves the demo site on loopback while the context is open."""
    if config.site:
        yield tuple(site.site() for site in config.site)
        return
    # Always due, so that a second run of the demo crawls again.
    with serve() as (host, port):
        demo = Site(
            hosts=(SITE_HOST,),
            start_urls=(SITE_URL,),
            resolve={SITE_HOST: (host, port)},
            allow_private=True,
            delay_s=0,
            connections=DEMO_CONNECTIONS,
            revisit=Revisit(least=timedelta(), most=timedelta()),
        )
        yield (demo,)


def shared_frontier(config: Config) -> "SharedFrontier | None":
    """The frontier that several fetchers share, if any. Raises `ConfigError` if its packages are missing."""
    if config.scale.frontier is None:
        return None
    try:
        from verdicts.fetch.run.shared_frontier import SharedFrontier  # noqa: PLC0415  who shares none need not have psycopg
    except ModuleNotFoundError as missing:
        if missing.name != "psycopg":
            raise
        raise ConfigError("the frontier of [scale] needs more packages; run pip install 'verdicts[scale]'") from None
    return SharedFrontier(config.scale.frontier)

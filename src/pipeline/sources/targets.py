"""What a crawl goes to, and as whom: the sites of a config, or the bundled demo site."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from verdicts.demo_site.responses import SITE_HOST, SITE_URL
from verdicts.demo_site.server import serve
from verdicts.fetch.model.revisit import Revisit
from verdicts.fetch.model.site import Site
from verdicts.fetch.shared.leases import Shared
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.gates.thresholds import GateSettings
from verdicts.pipeline.sources import DEFAULT_CONFIG
from verdicts.pipeline.sources.alerts_config import AlertsConfig, check_addresses
from verdicts.pipeline.sources.care_config import DEMO, CareConfig
from verdicts.pipeline.sources.config import read_config
from verdicts.pipeline.sources.scale_config import ScaleConfig

DEMO_USER_AGENT = "verdicts/0.1 (demo on loopback)"
DEMO_CONNECTIONS = 4


@dataclass(frozen=True, slots=True)
class Target:
    """The sites to crawl, and the User-Agent to send."""

    sites: tuple[Site, ...]
    user_agent: str


def check_config(config: Path | None) -> None:
    """Raises `ConfigError` for a config that cannot be used, before anything is made or opened."""
    chosen = chosen_config(config)
    if chosen is not None:
        check_addresses(read_config(chosen).alerts)


def describe_target(config: Path | None) -> str:
    """The target in words: `demo site http://demo.verdicts.example/`, `a.example, b.example`. Raises `ConfigError`."""
    chosen = chosen_config(config)
    if chosen is None:
        return f"demo site {SITE_URL}"
    return ", ".join(host for site in read_config(chosen).site for host in site.hosts)


def care_of(config: Path | None) -> CareConfig:
    """How the data folder is cared for. Raises `ConfigError`."""
    chosen = chosen_config(config)
    return DEMO if chosen is None else read_config(chosen).care


def alerts_of(config: Path | None) -> AlertsConfig:
    """Who is told of the nights; of those of the demo nobody. Raises `ConfigError`."""
    chosen = chosen_config(config)
    return AlertsConfig() if chosen is None else read_config(chosen).alerts


def shared_frontier(address: str | None) -> Shared | None:
    """The frontier of the config that several fetchers share. Raises `ConfigError` where its packages are missing."""
    if address is None:
        return None
    try:
        from verdicts.fetch.shared.shared_frontier import SharedFrontier  # noqa: PLC0415  who shares none need not have psycopg
    except ModuleNotFoundError as missing:
        if missing.name != "psycopg":
            raise
        raise ConfigError("the frontier of [scale] needs more packages; run pip install 'verdicts[scale]'") from None
    return SharedFrontier(address)


def metrics_file(config: Path | None) -> Path | None:
    """Where the config wants the numbers of a night. Raises `ConfigError`."""
    chosen = chosen_config(config)
    return None if chosen is None else read_config(chosen).metrics.file


def gate_settings(config: Path | None) -> GateSettings:
    """How the gates are set. Raises `ConfigError`."""
    chosen = chosen_config(config)
    if chosen is None:
        return GateSettings()
    settings = read_config(chosen)
    return GateSettings(settings.gates, settings.false_alarms_a_year)


def scale_of(config: Path | None) -> ScaleConfig:
    """What is past one machine; without a config nothing. Raises `ConfigError`."""
    chosen = chosen_config(config)
    return (None if chosen is None else read_config(chosen).scale) or ScaleConfig()


@contextmanager
def open_target(config: Path | None) -> Iterator[Target]:
    """The sites of a config; without one, the demo site, served on loopback while the context is open."""
    chosen = chosen_config(config)
    if chosen is not None:
        settings = read_config(chosen)
        yield Target(tuple(site.site() for site in settings.site), settings.user_agent)
        return
    # Always due: whoever runs the demo twice wants to see it crawl twice.
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
        yield Target((demo,), DEMO_USER_AGENT)


def chosen_config(config: Path | None) -> Path | None:
    """The config that was named, else `verdicts.toml` where there is one."""
    return config if config is not None or not DEFAULT_CONFIG.exists() else DEFAULT_CONFIG

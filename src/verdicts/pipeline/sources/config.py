"""`verdicts.toml`: what to crawl, how politely, and how the corpus is kept. A command reads it once.

The environment overrides the file: `VERDICTS_USER_AGENT` overrides `user_agent`, and `VERDICTS_SHARE` the `share` of
`[scale]`, so that all fetchers can have the same file.
"""

import json
import os
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, Field, ValidationError, model_validator

from verdicts.corpus.text import TOML_LIMIT, BrokenDocument, parse_toml
from verdicts.demo_site.responses import SITE_URL
from verdicts.demo_site.site_pages import INVENTED
from verdicts.fetch.input_files import read_file
from verdicts.fetch.model.fetch_errors import ContactMissing, SettingUnusable
from verdicts.fetch.model.share import WHOLE, Share
from verdicts.fetch.model.site import check_contact
from verdicts.pipeline.data_folder import DEFAULT_CONFIG
from verdicts.pipeline.gates.thresholds import GateMode, GateSettings
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.pipeline.sources.config_mistakes import describe_mistakes, find_line
from verdicts.pipeline.sources.config_sections import (
    DEMO_CARE,
    AlertsConfig,
    CareConfig,
    DatasetConfig,
    MetricsConfig,
    ScaleConfig,
    Section,
    check_addresses,
)
from verdicts.pipeline.sources.config_sites import SiteConfig
from verdicts.warehouse.exporting.contents import DatasetSettings

FROM_ENVIRONMENT = {"user_agent": None, "gates": None, "share": "scale"}
"""Keys that `VERDICTS_<KEY>` overrides, each with its table."""


def _check_user_agent(text: str) -> str:
    # RFC 9110, 5.5: other characters end the header, or depend on the host.
    if not (text.isascii() and text.isprintable()):
        raise ValueError("it may contain only printable ASCII, as a header")
    return text


class Config(Section):
    """The whole file. `DEMO` is used without one."""

    user_agent: Annotated[str, AfterValidator(_check_user_agent)] = Field(min_length=1)
    """Sent with every request; must name a page or a mailbox, unless only this machine is asked."""
    gates: GateMode = "hold"
    """`hold`, or `shadow`: report what would be held and hold nothing; see [gates](gates.md)."""
    site: tuple[SiteConfig, ...] = Field(min_length=1)
    dataset: DatasetConfig = DatasetConfig()
    care: CareConfig = CareConfig()
    alerts: AlertsConfig = AlertsConfig()
    metrics: MetricsConfig = MetricsConfig()
    scale: ScaleConfig = ScaleConfig()

    @model_validator(mode="after")
    def _check_hosts(self) -> Self:
        counts = Counter(host for site in self.site for host in site.site().hosts)
        for host, count in counts.items():
            if count > 1:
                raise ValueError(f"{host} is in {count} [[site]] tables; put it into one, with all its start_urls")
        return self

    @property
    def gate_settings(self) -> GateSettings:
        return GateSettings(self.gates)

    @property
    def share(self) -> Share:
        return self.scale.share or WHOLE

    @property
    def dataset_settings(self) -> DatasetSettings:
        permitted = (host for site in self.site if site.export_reserved for host in site.site().hosts)
        return DatasetSettings(**self.dataset.model_dump(exclude_defaults=True), permitted=frozenset(permitted))

    @property
    def in_words(self) -> str:
        """The hosts of a crawl, `a.example, b.example`, or the demo site."""
        if not self.site:
            return f"demo site {SITE_URL}"
        hosts = [host for site in self.site if self.share.has(site.site().home) for host in site.hosts]
        return ", ".join(hosts) or f"no host of the share {self.share}"

    @property
    def share_line(self) -> str | None:
        """What this fetcher asks: `share 2/4: 1 of 3 sites are asked here`."""
        if self.share == WHOLE or not self.site:
            return None
        count = sum(self.share.has(site.site().home) for site in self.site)
        return f"share {self.share}: {count:,} of {len(self.site):,} sites are asked here"


DEMO = Config.model_construct(
    user_agent="verdicts/0.1 (demo on loopback)",
    site=(),
    dataset=DatasetConfig(title="The demo site of verdicts", description=INVENTED, creator="The verdicts maintainers"),
    care=DEMO_CARE,
)
"""Used without a config: the demo site, without `[[site]]`."""


def choose_config(named: Path | None) -> Path | None:
    """The named config, or `verdicts.toml` if it exists."""
    return named if named is not None or not DEFAULT_CONFIG.exists() else DEFAULT_CONFIG


def load_config(named: Path | None, *, for_night: bool = False) -> Config:
    """The named config, or `verdicts.toml`, or `DEMO`. Raises `ConfigError`.

    `for_night` also checks the addresses of `[alerts]` and the environment that sites need, before they are needed.
    """
    path = choose_config(named)
    config = DEMO if path is None else read_config(path)
    if for_night:
        check_addresses(config.alerts)
        check_identities(config)
    return config


def check_identities(config: Config) -> None:
    """Raises `ConfigError` if a site of this fetcher names a variable or a file that is not there."""
    # Loads aiohttp.
    from verdicts.fetch.http.identity import open_identity

    for site in (written.site() for written in config.site):
        if config.share.has(site.home):
            try:
                open_identity(site)
            except SettingUnusable as error:
                raise ConfigError(str(error)) from None


def read_config(path: Path) -> Config:
    """Reads a config. Raises `ConfigError` with file, line and key of every mistake."""
    try:
        content = read_file(path, TOML_LIMIT)
        tables = parse_toml(content, path)
    except FileNotFoundError:
        raise ConfigError(
            f"{path} does not exist; write one with 'verdicts init', or leave --config out for the demo"
        ) from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except BrokenDocument as error:
        raise ConfigError(str(error)) from None
    for key, table in FROM_ENVIRONMENT.items():
        section = tables if table is None else tables.setdefault(table, {})
        if (value := os.environ.get(f"VERDICTS_{key.upper()}")) is not None and isinstance(section, dict):
            section[key] = value
    text = content.decode("utf-8-sig")
    try:
        config = Config.model_validate(tables)
        check_contact([site.site() for site in config.site], config.user_agent)
    except ValidationError as error:
        raise ConfigError(describe_mistakes(path, text, error.errors(), Config)) from None
    except ContactMissing as error:
        raise ConfigError(f"{path}:{find_line(text, ('user_agent',))}: user_agent: {error}") from None
    return config


def salvage_alerts(named: Path | None) -> AlertsConfig:
    """The valid part of `[alerts]` in an invalid config: these addresses hear of a night that a mistake prevents."""
    path, kept = choose_config(named), AlertsConfig()
    with suppress(OSError, tomllib.TOMLDecodeError):
        text = "" if path is None else read_file(path, TOML_LIMIT).decode("utf-8-sig", errors="replace")
        table = _ALERTS.search(text)
        for key, value in tomllib.loads("" if table is None else table[1]).items():
            with suppress(ValidationError):
                kept = kept.model_copy(update={key: getattr(AlertsConfig.model_validate({key: value}), key)})
    return kept


_ALERTS = re.compile(r"^[ \t]*\[[ \t]*alerts[ \t]*\](.*?)(?=^[ \t]*\[\[?[ \t]*\w|\Z)", re.MULTILINE | re.DOTALL)


def fill_template(values: Mapping[str, object], *, allow_private: bool = False) -> str:
    """The commented config, with these values in place of its examples."""
    text = Path(__file__).with_name("config_template.toml").read_text(encoding="utf-8")
    for key, value in values.items():
        line = f"{key} = {json.dumps(value, ensure_ascii=False)}".replace("\\", r"\\")
        text = re.sub(rf"^{key} = .*$", line, text, count=1, flags=re.MULTILINE)
    return text.replace("\nhosts = ", "\nallow_private = true\nhosts = ", 1) if allow_private else text


def write_template(path: Path, text: str) -> None:
    """Writes a commented config. Raises `ConfigError` if the file exists."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise ConfigError(f"{path} already exists and was not changed") from None

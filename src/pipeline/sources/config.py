"""`verdicts.toml`: what to crawl and how politely. Checked whole; a mistake names the file, the line and the key.

The environment goes before the file: `VERDICTS_USER_AGENT` before its `user_agent`.
"""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from verdicts.corpus.toml_and_json import TOML_LIMIT, BrokenDocument, parse_toml
from verdicts.fetch.given_files import read_file
from verdicts.fetch.model.addresses.patterns import BadPattern, address_pattern
from verdicts.fetch.model.addresses.web_address import BadUrl, host_name, parse_address, without_credentials
from verdicts.fetch.model.canonical_url import canonicalize
from verdicts.fetch.model.revisit import Revisit
from verdicts.fetch.model.site import Site
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.gates.thresholds import FALSE_ALARMS_A_YEAR, GateMode
from verdicts.pipeline.sources.alerts_config import AlertsConfig
from verdicts.pipeline.sources.care_config import CareConfig
from verdicts.pipeline.sources.config_mistakes import in_words
from verdicts.pipeline.sources.metrics_config import MetricsConfig
from verdicts.pipeline.sources.scale_config import ScaleConfig

DELAY_MAX_S = 3_600
"""An hour between two requests: with more a night would see ten pages."""

HOURS_MAX = 10 * 366 * 24
"""Ten years, which is as good as never."""

COUNT_MAX = 10**9


def _host(name: str) -> str:
    try:
        return host_name(name)
    except BadUrl:
        hint = "write 'example.org', without https://, port or path; a port stands in start_urls"
        raise ValueError(f"{name!r} is no host; {hint}") from None


def _address(url: str) -> str:
    # A crawl sends none, and messages print the address.
    url = without_credentials(url)
    try:
        canonicalize(url)
    except BadUrl as error:
        raise ValueError(str(error)) from None
    return url


def _pattern(pattern: str) -> str:
    try:
        address_pattern(pattern)
    except BadPattern as error:
        raise ValueError(str(error)) from None
    return pattern


def _user_agent(text: str) -> str:
    # RFC 9110, 5.5: more would end the header, or is not the same to every host.
    if not (text.isascii() and text.isprintable()):
        raise ValueError("only printable ASCII may stand in it, as in a header")
    return text


Host = Annotated[str, AfterValidator(_host)]
Address = Annotated[str, AfterValidator(_address)]
Pattern = Annotated[str, AfterValidator(_pattern)]
Hours = Annotated[float, Field(ge=0, le=HOURS_MAX)]


class SiteConfig(BaseModel):
    """One `[[site]]` of the config."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    hosts: tuple[Host, ...] = Field(min_length=1)
    start_urls: tuple[Address, ...] = Field(min_length=1)
    sitemaps: tuple[Address, ...] = ()
    include: tuple[Pattern, ...] = ()
    exclude: tuple[Pattern, ...] = ()
    ignore_parameters: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    delay_s: float = Field(default=1.0, ge=0, le=DELAY_MAX_S)
    connections: int = Field(default=2, ge=1, le=16)
    max_pages: int = Field(default=100_000, ge=1, le=COUNT_MAX)
    max_mb: int = Field(default=10_000, ge=1, le=COUNT_MAX)
    max_depth: int = Field(default=20, ge=0, le=COUNT_MAX)
    revisit_hours: tuple[Hours, Hours] = (20, 336)
    allow_private: bool = False

    @model_validator(mode="after")
    def _starts_are_on_the_hosts(self) -> Self:
        site = self.site()
        for start in (*self.start_urls, *self.sitemaps):
            if not site.has_host(canonicalize(start)):
                raise ValueError(f"{start} is on none of the hosts {', '.join(self.hosts)}")
        return self

    @model_validator(mode="after")
    def _hosts_have_one_port(self) -> Self:
        # robots.txt is that of one port (RFC 9309, 2.3), and addresses of both would be asked by its rules.
        starts = {parse_address(start) for start in self.start_urls}
        for host in self.hosts:
            ports = sorted({start.netloc for start in starts if start.host == host})
            if len(ports) > 1:
                raise ValueError(f"start_urls are on {' and '.join(ports)}; a host is asked at one port: keep one")
        return self

    @model_validator(mode="after")
    def _hours_are_in_order(self) -> Self:
        least, most = self.revisit_hours
        if least > most:
            raise ValueError("revisit_hours are the least and the most: [20, 336]")
        return self

    def site(self) -> Site:
        """The same as the fetcher takes it."""
        least, most = (timedelta(hours=hours) for hours in self.revisit_hours)
        given = self.model_dump(exclude={"max_mb", "revisit_hours"})
        return Site(**given, max_bytes=self.max_mb * 1_000_000, revisit=Revisit(least, most))


class Config(BaseSettings):
    """The whole file."""

    model_config = SettingsConfigDict(extra="forbid", frozen=True, env_prefix="VERDICTS_")

    user_agent: Annotated[str, AfterValidator(_user_agent)] = Field(min_length=1)
    gates: GateMode = "hold"
    false_alarms_a_year: float = Field(default=FALSE_ALARMS_A_YEAR, gt=0, le=COUNT_MAX)
    site: tuple[SiteConfig, ...] = Field(min_length=1)
    care: CareConfig = CareConfig()
    alerts: AlertsConfig = AlertsConfig()
    metrics: MetricsConfig = MetricsConfig()
    scale: ScaleConfig | None = None

    @model_validator(mode="after")
    def _each_host_is_of_one_site(self) -> Self:
        counts = Counter(host for site in self.site for host in set(site.hosts))
        for host, count in counts.items():
            if count > 1:
                raise ValueError(f"{host} stands in {count} [[site]] tables; put it into one, with all its start_urls")
        return self


def read_config(path: Path) -> Config:
    """Reads the config. Raises `ConfigError`."""
    try:
        content = read_file(path, TOML_LIMIT)
        return _from_tables(parse_toml(content, path))()
    except FileNotFoundError:
        raise ConfigError(
            f"{path} does not exist; write one with 'verdicts init', or leave --config out for the demo"
        ) from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except BrokenDocument as error:
        raise ConfigError(str(error)) from None
    except ValidationError as error:
        raise ConfigError(in_words(path, content.decode("utf-8-sig"), error.errors(), Config)) from None


def _from_tables(tables: dict[str, Any]) -> Callable[[], Config]:
    """`Config` over the tables of one file: pydantic-settings takes its sources from the class."""

    class FromTables(Config):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            del init_settings, dotenv_settings, file_secret_settings
            return env_settings, InitSettingsSource(settings_cls, tables)

    return FromTables  # type: ignore[return-value]  # the sources give the fields


def write_template(path: Path) -> None:
    """Writes a first, commented config. Raises `ConfigError` where there is a file already."""
    template = Path(__file__).with_name("config_template.toml").read_text(encoding="utf-8")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(template)
    except FileExistsError:
        raise ConfigError(f"{path} is there already and is left as it is") from None

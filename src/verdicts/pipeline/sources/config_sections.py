"""The tables `[dataset]`, `[care]`, `[alerts]`, `[metrics]` and `[scale]` of the config."""

import os
import re
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from verdicts.fetch.model.addresses import remove_credentials, split_address
from verdicts.fetch.model.share import Share, parse_share
from verdicts.pipeline.exit_codes import AlertOn
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.warehouse.exporting.contents import DEFAULT_SETTINGS, LICENCES, expand_tables
from verdicts.warehouse.serving.published import Keep

ENVIRONMENT = "env:"

BINS_MAX = 4_096
"""Each partition writes an object, and reads one of every partition of the previous stage."""

COUNT_MAX = 10**12


def _check_contact(value: str) -> str:
    if not re.fullmatch(r"[^@\s:/]+@[^@\s:/]+", value) and split_address(value) is None:
        raise ValueError("this is neither a mailbox nor an address; write 'data@example.org' or 'https://example.org'")
    return value


def _check_licence(value: str) -> str:
    identifier = {name.lower(): name for name in LICENCES}.get(value.lower(), value)
    if identifier not in LICENCES and split_address(value) is None:
        raise ValueError(f"give the address of this licence, or choose one of {', '.join(LICENCES)}")
    return identifier


def _check_web_address(value: str) -> str:
    if not value.startswith(ENVIRONMENT) and split_address(value) is None:
        raise ValueError("this is not a web address; write 'https://example.org/path', or 'env:NAME'")
    return value


def _check_scheduler(address: str) -> str:
    if not re.fullmatch(r"tcp://[^/@\s]+:\d+", address):
        # The message does not repeat the address, which may contain a password.
        raise ValueError("it is not the address of a scheduler without password; write 'tcp://10.0.0.1:8786'")
    return address


def _check_store(store: str) -> str:
    scheme, is_address, rest = store.partition("://")
    if is_address and (scheme != "s3" or not rest.strip("/")):
        raise ValueError(f"{remove_credentials(store)!r} is not a store; write a folder, or 's3://bucket/prefix'")
    if is_address and "@" in rest.partition("/")[0]:
        raise ValueError("put keys into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; write 's3://bucket/prefix'")
    return store


WebAddress: TypeAlias = Annotated[str, AfterValidator(_check_web_address)]


class Section(BaseModel):
    """A frozen table of the config without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class DatasetConfig(Section):
    """`[dataset]`: what a dataset has, and what it says of itself."""

    title: str | None = Field(default=None, min_length=1)
    """Its name. Left out: `Comparison pages of a.example`."""
    description: str | None = Field(default=None, min_length=1)
    """A description, in a sentence or more."""
    creator: str | None = Field(default=None, min_length=1)
    """The person or organization that makes it. Left out: there is no `CITATION.cff`, which must name one."""
    contact: Annotated[str, AfterValidator(_check_contact)] | None = None
    """A mailbox or an address of the creator."""
    licence: Annotated[str, AfterValidator(_check_licence)] = DEFAULT_SETTINGS.licence
    """What you allow others: the [SPDX identifier](https://spdx.org/licenses/) of a licence for data, `CC-BY-4.0`, or
    the address of another licence. Quoted texts stay with their publishers."""
    citation: str | None = Field(default=None, min_length=1)
    """How to cite it. Left out: creator, title and version."""
    tables: Annotated[tuple[str, ...], AfterValidator(expand_tables)] = Field(default=(), min_length=1)
    """Names of tables and views, or of schemas for all of theirs: `["main", "history", "rejects"]`. Left out: all but
    `ops` and `corrections`, whose rows name the people who run the corpus."""


class KeepPublished(Section):
    """How many days, weeks and months keep their newest published copy."""

    daily: int = Field(default=Keep().daily, ge=0)
    weekly: int = Field(default=Keep().weekly, ge=0)
    monthly: int = Field(default=Keep().monthly, ge=0)


class CareConfig(Section):
    """`[care]`: when a night does not start, and which published copies are kept."""

    min_free_gb: float = Field(default=5, ge=0)
    """Gigabytes of free disk below which `run` and `crawl` do not start, and end with 5."""
    keep_published: KeepPublished = KeepPublished()
    """Published copies that are kept: the newest of each of the last days, weeks and months, and the three newest."""

    @property
    def keep(self) -> Keep:
        return Keep(**self.keep_published.model_dump())


DEMO_CARE = CareConfig(min_free_gb=0)
"""Used without a config: the demo site is small, and a laptop's disk may be full."""


class AlertsConfig(Section):
    """`[alerts]`: who gets alerts about which nights. `env:NAME` takes an address from the environment."""

    on: tuple[AlertOn, ...] = ("held", "failed", "partial")
    """What is reported: a host or night that a gate holds back; a night that failed, was refused or was killed; a night
    with failed addresses or steps, or a host with many pages that did not answer."""
    apprise: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Mail, web hooks and more than a hundred services, by [Apprise](https://github.com/caronc/apprise/wiki)
    addresses."""
    heartbeat: WebAddress | None = None
    """Gets a GET request when readers have a new night, so that a monitoring service notices a night that never ran."""


class MetricsConfig(Section):
    """`[metrics]`: the file for the numbers of the newest night, if not in the data folder."""

    file: Path | None = None
    """A file for node_exporter. Left out: `metrics/verdicts.prom` in the data folder."""


class ScaleConfig(Section):
    """`[scale]`: builds past one machine (docs/scaling.md). None means this machine."""

    store: Annotated[str, AfterValidator(_check_store)] | None = Field(default=None, min_length=1)
    """Where segments, records and tables are: a folder that all machines see, or a bucket `s3://bucket/prefix`, whose
    endpoint and keys are in the environment (`AWS_ENDPOINT_URL`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
    `AWS_ALLOW_HTTP`). Left out: the data folder."""
    scheduler: Annotated[str, AfterValidator(_check_scheduler)] | None = None
    """The Dask scheduler whose workers extract and normalize; Dask knows no password. Left out: this machine."""
    share: Annotated[Share, BeforeValidator(parse_share)] | None = None
    """The share of the hosts that this fetcher asks: `"2/4"` is the second of four. Left out: all hosts."""
    bins: int = Field(default=64, ge=1, le=BINS_MAX)
    """Rare: the most partitions of a build and of its tables: several for each worker, and so many that one fits into a
    worker's memory."""


def resolve_secret(address: str) -> str:
    """An address of `[alerts]`, read from the environment for `env:NAME`. Raises `ConfigError`."""
    if not address.startswith(ENVIRONMENT):
        return address
    name = address.removeprefix(ENVIRONMENT)
    value = os.environ.get(name)
    if not value:
        raise ConfigError(f"[alerts] names {address}, and the environment has no {name}: set it")
    return value


def resolve_web_address(address: str) -> str:
    """The same for a web address. Raises `ConfigError` also if it is not one."""
    try:
        return _check_web_address(resolve_secret(address))
    except ValueError as error:
        raise ConfigError(f"[alerts] {address}: {error}") from None


def check_addresses(alerts: AlertsConfig) -> None:
    """Raises `ConfigError` for an unusable address."""
    if alerts.heartbeat is not None:
        resolve_web_address(alerts.heartbeat)
    if not alerts.apprise:
        return
    # Loads about a hundred services in 1.4 s.
    import apprise

    for number, address in enumerate(alerts.apprise, start=1):
        if apprise.Apprise.instantiate(resolve_secret(address)) is None:
            # The address is not repeated, because it may hold a password.
            raise ConfigError(
                f"[alerts] apprise: Apprise does not know the service of address {number}; mail is"
                " 'mailto://user:password@example.org?to=me@b.example'"
            )

"""`[alerts]` of the config: who is told of which nights. An address may stand in the environment: `env:NAME`."""

import os
from datetime import timedelta
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from verdicts.fetch.model.addresses.web_address import web_address
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.sources.durations import Duration

AlertOn: TypeAlias = Literal["held", "failed", "partial"]

ENVIRONMENT = "env:"


def _web_address(value: str) -> str:
    if value.startswith(ENVIRONMENT):
        return value
    if web_address(value) is None:
        raise ValueError("this is no web address; write 'https://example.org/path', or 'env:NAME'")
    return value


WebAddress: TypeAlias = Annotated[str, AfterValidator(_web_address)]


class AlertsConfig(BaseModel):
    """The table `[alerts]`; without an address nobody is told."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    on: tuple[AlertOn, ...] = ("held", "failed", "partial")
    webhook: WebAddress | None = None
    apprise: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    remind_after: Duration = timedelta(days=7)
    heartbeat: WebAddress | None = None


def resolved(address: str) -> str:
    """The address itself, of one that stands in the environment. Raises `ConfigError`."""
    if not address.startswith(ENVIRONMENT):
        return address
    name = address.removeprefix(ENVIRONMENT)
    found = os.environ.get(name)
    if not found:
        raise ConfigError(f"[alerts] names {address}, and the environment has no {name}")
    return found


def resolved_web_address(address: str) -> str:
    """The same of a webhook or heartbeat. Raises `ConfigError`, also where the environment holds no web address."""
    try:
        return _web_address(resolved(address))
    except ValueError as error:
        raise ConfigError(f"[alerts] {address}: {error}") from None


def check_addresses(alerts: AlertsConfig) -> None:
    """Raises `ConfigError` for an address that nothing could be sent to: better now than on the night it is needed."""
    for address in (alerts.webhook, alerts.heartbeat):
        if address is not None:
            resolved_web_address(address)
    if not alerts.apprise:
        return
    # It loads some hundred services, 1.4 s.
    import apprise

    for number, address in enumerate(alerts.apprise, start=1):
        if apprise.Apprise.instantiate(resolved(address)) is None:
            # The address is not repeated: it may hold a password.
            raise ConfigError(
                f"[alerts] apprise: address {number} is none that Apprise knows; mail is"
                " 'mailto://user:password@example.org?to=me@b.example'"
            )

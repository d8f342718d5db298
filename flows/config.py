"""`verdicts.toml`: what to crawl and how politely. Checked whole; a mistake names the file and the key."""

import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from fetch import Site


class ConfigError(Exception):
    """The config cannot be used; the message says which file, which key and what to write instead."""


class SiteConfig(BaseModel):
    """One `[[site]]` of the config."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    hosts: tuple[str, ...] = Field(min_length=1)
    start_urls: tuple[str, ...] = Field(min_length=1)
    sitemaps: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    delay_s: float = Field(default=1.0, ge=0)
    connections: int = Field(default=2, ge=1, le=16)
    max_pages: int = Field(default=100_000, ge=1)

    def site(self) -> Site:
        """The fetcher's record of it."""
        return Site(**self.model_dump())


class Config(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    user_agent: str = Field(min_length=1)
    site: tuple[SiteConfig, ...] = Field(min_length=1)


def read_config(path: Path) -> Config:
    """Reads the config. Raises `ConfigError`."""
    try:
        return Config.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise ConfigError(
            f"{path} does not exist; write one with 'verdicts init', or leave --config out for the demo"
        ) from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from None
    except ValidationError as error:
        raise ConfigError(f"{path}: {'; '.join(map(_in_words, error.errors()))}") from None


def _in_words(error: ErrorDetails) -> str:
    return f"{'.'.join(map(str, error['loc'])) or 'the file'}: {error['msg']}"


TEMPLATE = """\
# verdicts: which sites to crawl, and how politely.

# Sent with every request. A live crawl refuses to start without a contact: an address of a page or a mailbox.
user_agent = "verdicts/0.1 (+https://example.org/bot; bot@example.org)"

[[site]]
# Hosts are matched exactly: look-alikes are never followed.
hosts = ["shiporskip.io"]
start_urls = ["https://shiporskip.io/compare"]
# Patterns on path and query. What is not included is never fetched.
include = ["^/compare", "^/tool/"]
exclude = []
# Seconds between two requests to a host; longer when robots.txt or the host's answers ask for it.
delay_s = 1.0
connections = 1
max_pages = 20000
"""

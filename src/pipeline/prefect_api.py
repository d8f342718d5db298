"""Whether a Prefect API is configured, found out without importing Prefect, which takes seconds.

Looks where Prefect itself looks, in its order: the environment, `prefect.toml` and `pyproject.toml` of the working
folder, the active profile.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corpus.toml_and_json import BrokenDocument
from fetch.given_files import read_file, read_toml
from pipeline.errors import ConfigError

KEY = "PREFECT_API_URL"

SERVED = "api-url"
"""The file in which `verdicts serve` names its API while it runs."""

_TIMEOUT_S = 20.0
"""Seconds a server may take to answer: one that has just been started takes some."""


def api_url() -> str | None:
    """The address of the configured Prefect API; None where there is none."""
    return os.environ.get(KEY) or _of_working_folder(Path.cwd()) or _of_profile()


def url_at(port: int) -> str:
    """The address of the API of a server on this machine."""
    return f"http://127.0.0.1:{port}/api"


def served_url(prefect_home: Path) -> str | None:
    """The address of the API that `verdicts serve` runs for this data folder; None where it does not run."""
    try:
        url = read_file(prefect_home / SERVED).decode().strip()
    except (OSError, ValueError):
        return None
    return url if answers(url) else None


def reach_loopback() -> None:
    """What this process and its children ask of 127.0.0.1 takes no way by a proxy that the environment names."""
    for name in ("no_proxy", "NO_PROXY"):
        others = [host for host in os.environ.get(name, "").split(",") if host]
        os.environ[name] = ",".join([*others, "127.0.0.1"])


def ensure_home(folder: Path) -> None:
    """Prefect asks for a home as it is imported; a container's user may have none, and gets `folder`."""
    if not _has_home():
        os.environ["HOME"] = str(folder.resolve())


@contextmanager
def announced(prefect_home: Path, url: str) -> Iterator[None]:
    """Names the API for other commands on the data folder, while the context is open."""
    file = prefect_home / SERVED
    prefect_home.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{url}\n", encoding="utf-8")
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def answers(url: str) -> bool:
    """Whether an API answers at the address."""
    try:
        check_answers(url)
    except ConfigError:
        return False
    return True


def check_answers(url: str) -> None:
    """Raises `ConfigError` where nothing answers at the address; any HTTP status is an answer."""
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import urlopen

    try:
        with urlopen(f"{url.rstrip('/')}/health", timeout=_TIMEOUT_S):  # noqa: S310  the operator's own setting
            pass
    except HTTPError:
        return
    except (OSError, ValueError, HTTPException) as error:
        raise ConfigError(
            f"the Prefect API at {url} does not answer ({error}); start it, or unset {KEY} to run without it"
        ) from None


def _of_working_folder(folder: Path) -> str | None:
    own, project = _read(folder / "prefect.toml"), _read(folder / "pyproject.toml")
    return _text(own, "api", "url") or _text(project, "tool", "prefect", "api", "url")


def _of_profile() -> str | None:
    if not _has_home():
        return None
    home = Path(os.environ.get("PREFECT_HOME") or "~/.prefect").expanduser()
    profiles = _read(Path(os.environ.get("PREFECT_PROFILES_PATH") or home / "profiles.toml").expanduser())
    active = os.environ.get("PREFECT_PROFILE") or _text(profiles, "active") or ""
    return _text(profiles, "profiles", active, KEY)


def _has_home() -> bool:
    try:
        Path.home()
    except RuntimeError:
        return False
    return True


def _text(tables: object, *keys: str) -> str | None:
    """The text under keys within keys; None where it is none, or is not there."""
    for key in keys:
        tables = tables.get(key) if isinstance(tables, dict) else None
    return tables if isinstance(tables, str) and tables else None


def _read(path: Path) -> dict[str, Any]:
    """The tables of a TOML file; empty where there is none or it cannot be read, as no API is configured there."""
    try:
        return read_toml(path)
    except (OSError, BrokenDocument):
        return {}

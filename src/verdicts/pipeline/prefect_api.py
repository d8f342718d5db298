"""Finds the Prefect API that records the nights, without importing Prefect, which takes seconds.

A configured API is looked up where Prefect looks, in the same order: the environment, `prefect.toml` and
`pyproject.toml` of the working folder, the active profile. Without one, `verdicts serve` may run an API for the data
folder.
"""

import os
import re
import stat
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit  # noqa: TID251  the operator's own address, which has a user and a password
from urllib.request import urlopen

from verdicts.corpus.text import BrokenDocument
from verdicts.fetch.given_files import read_toml
from verdicts.fetch.store.state import LOCK_FILE, holder_of

KEY, AUTH = "PREFECT_API_URL", "PREFECT_API_AUTH_STRING"

SERVED = "api.env"
"""The file in which a running `verdicts serve` announces its address and password."""

_SERVED = re.compile(rf"{KEY}=(http://127\.0\.0\.1:[0-9]{{1,5}}/api)\n{AUTH}=([\w:-]+)\n")

ANSWERS_WITHIN_S = 20.0
"""Seconds that a server may take to answer, because it may have just started."""


@dataclass(frozen=True, slots=True)
class Api:
    """The address of an API without credentials, empty if it is invalid, and its `user:password`.

    `auth` is None if the API needs no password, or if Prefect finds it in its own settings.
    """

    url: str
    auth: str | None = field(default=None, repr=False)

    def use(self) -> None:
        """Makes Prefect use this API, in this process and its children. Call it before Prefect is imported."""
        os.environ[KEY] = self.url
        if self.auth is not None:
            os.environ[AUTH] = self.auth

    def failure(self, *, within_s: float = ANSWERS_WITHIN_S) -> str | None:
        """One sentence if the API does not answer, else None. Any HTTP status is an answer. Sends no password."""
        reach_loopback()
        if not self.url:
            return f"{KEY} is not the address of a Prefect API"
        try:
            with urlopen(f"{self.url.rstrip('/')}/health", timeout=within_s):  # noqa: S310  the operator's own setting
                return None
        except HTTPError:
            return None
        except (OSError, ValueError, HTTPException) as error:
            return f"the Prefect API at {self.url} does not answer ({error})"


def find_api(home: Path) -> Api | None:
    """The configured API, or that of a `verdicts serve` whose folder is `home`, or None."""
    return configured() or served(home)


def configured() -> Api | None:
    """The configured API, or None. Prefect prints the address, so user and password become Prefect's auth string."""
    url = os.environ.get(KEY) or _text_in("prefect.toml", "api", "url")
    url = url or _text_in("pyproject.toml", "tool", "prefect", "api", "url") or _of_profile()
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        user, at, place = parts.netloc.rpartition("@")
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    # What is no address is not repeated, because it may contain a password.
    return Api(parts._replace(netloc=place).geturl(), unquote(user) if at else None) if is_address else Api("")


def served(home: Path) -> Api | None:
    """The API that `verdicts serve` runs for the data folder whose `prefect` folder is `home`, or None.

    A killed service leaves its file behind, and then any user may listen on its port. So the service must hold its
    lock, and the file must be ours and closed to other users.
    """
    try:
        file = os.open(home / SERVED, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            about, words = os.fstat(file), os.read(file, 1_000)
        finally:
            os.close(file)
    except OSError:
        return None
    is_ours = about.st_uid == os.geteuid() and not about.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    found = _SERVED.fullmatch(words.decode("ascii", "replace")) if is_ours else None
    return None if found is None or holder_of(home / LOCK_FILE) is None else Api(found[1], found[2])


def reach_loopback() -> None:
    """Keeps requests to 127.0.0.1 of this process and its children away from a proxy of the environment."""
    for name in ("no_proxy", "NO_PROXY"):
        others = [host for host in os.environ.get(name, "").split(",") if host not in {"", "127.0.0.1"}]
        os.environ[name] = ",".join([*others, "127.0.0.1"])


def _of_profile() -> str | None:
    home = os.environ.get("PREFECT_HOME") or "~/.prefect"
    profiles = os.environ.get("PREFECT_PROFILES_PATH") or f"{home}/profiles.toml"
    active = os.environ.get("PREFECT_PROFILE") or _text_in(profiles, "active") or ""
    return _text_in(profiles, "profiles", active, KEY)


def _text_in(file: str, *keys: str) -> str | None:
    """The text under nested keys of a TOML file. None if it cannot be read, because then it configures no API."""
    try:
        tables: object = read_toml(Path(os.path.expanduser(file)))  # noqa: PTH111  it raises nothing without a home
    except (OSError, BrokenDocument):
        return None
    for key in keys:
        tables = tables.get(key) if isinstance(tables, dict) else None
    return tables if isinstance(tables, str) and tables else None

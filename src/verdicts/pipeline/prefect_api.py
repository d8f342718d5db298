"""Finds the Prefect API and its password without importing Prefect, which takes seconds.

A configured API is looked up where Prefect looks, in the same order: the environment, `prefect.toml` and
`pyproject.toml` of the working folder, the active profile. Without one, `verdicts serve` may run an API for the data
folder.
"""

import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit  # noqa: TID251  the operator's own address, which has a user and a password

from verdicts.corpus.text import BrokenDocument
from verdicts.fetch.given_files import read_toml
from verdicts.fetch.store.state import LOCK_FILE, holder_of
from verdicts.pipeline.errors import ConfigError

KEY, AUTH = "PREFECT_API_URL", "PREFECT_API_AUTH_STRING"

SERVED = "api.env"
"""The file in which a running `verdicts serve` announces its address and password."""

SECRET_BYTES = 32

NOBODY = 65534
"""Linux: the owner that a user namespace shows for files of users outside it."""

_SERVED = re.compile(rf"{KEY}=(http://127\.0\.0\.1:[0-9]{{1,5}}/api)\n{AUTH}=([\w:-]+)\n")

_TIMEOUT_S = 20.0
"""Seconds that a server may take to answer, because it may have just started."""


@dataclass(frozen=True, slots=True)
class Api:
    """The address of an API without credentials, and its `user:password`.

    `auth` is None if the API needs no password, or if Prefect finds it in its own settings.
    """

    url: str
    auth: str | None = field(default=None, repr=False)

    def use(self) -> None:
        """Makes Prefect use this API, in this process and its children. Call it before Prefect is imported."""
        os.environ[KEY] = self.url
        if self.auth is not None:
            os.environ[AUTH] = self.auth


def configured() -> Api | None:
    """The configured API, or None. Raises `ConfigError` for an invalid address.

    Prefect prints the address, so user and password are moved from it to Prefect's auth string.
    """
    url = os.environ.get(KEY) or _of_working_folder(Path.cwd()) or _of_profile()
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        is_one = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_one = False
    if not is_one:
        # The message does not repeat the address, which may contain a password.
        raise ConfigError(f"{KEY} is not the address of an API; write 'http://127.0.0.1:4200/api'")
    user, at, place = parts.netloc.rpartition("@")
    return Api(parts._replace(netloc=place).geturl(), unquote(user) if at else None)


def check_installed() -> None:
    """Raises `ConfigError` if the packages of the extra are missing."""
    if find_spec("prefect") is None:
        raise ConfigError(
            "Prefect is not installed; run pip install 'verdicts[serve]'. 'verdicts run' needs it only if an API is"
            f" configured, such as by {KEY}"
        )


def on_port(port: int) -> Api:
    """The API of our own server on this machine, with a new password."""
    return Api(f"http://127.0.0.1:{port}/api", f"verdicts:{secrets.token_urlsafe(SECRET_BYTES)}")


def served(home: Path) -> Api | None:
    """The API that `verdicts serve` runs for the data folder whose `prefect` folder is `home`, or None.

    A killed service leaves its file behind, and then any user may listen on its port. So the service must hold its
    lock, and the file must not be writable for other users.
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
    if found is None or holder_of(home / LOCK_FILE) is None:
        return None
    api = Api(found[1], found[2])
    return api if answers(api.url) else None


def make_private(home: Path) -> None:
    """Creates a folder that no other user can read or replace. `home` is a path without links.

    Raises `ConfigError` if another user could replace it. Root is trusted, and so are members of our groups where a
    folder lets them write.
    """
    for folder in home.parents:
        if folder.exists() and _others_can_rename_in(folder):
            raise ConfigError(
                f"another user can put a folder of theirs in the place of {home}, as {folder} is theirs or lets them"
                f" write; run 'chmod go-w {folder}' if it is yours, or choose another --data"
            )
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    about = home.lstat()
    if stat.S_ISLNK(about.st_mode) or about.st_uid != os.geteuid():
        raise ConfigError(f"{home} is a link, or belongs to another user; remove it, or choose another --data")
    home.chmod(0o700)


def _others_can_rename_in(folder: Path) -> bool:
    about, me = folder.stat(), os.geteuid()
    # Root in a container works in folders of any user. An owner without a number there is shown as NOBODY.
    if me != 0 and about.st_uid not in {0, me, NOBODY}:
        return True
    by_group = about.st_mode & stat.S_IWGRP and about.st_gid not in {0, os.getegid(), *os.getgroups()}
    # In a sticky folder like /tmp, nobody can rename files of another user.
    return bool(about.st_mode & stat.S_IWOTH or by_group) and not about.st_mode & stat.S_ISVTX


@contextmanager
def announced(home: Path, api: Api) -> Iterator[None]:
    """Announces the API to other commands on the data folder, and to the operator, while the context is open."""
    path = home / SERVED
    path.unlink(missing_ok=True)
    # Created with this mode, so others can never open it.
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(file, f"{KEY}={api.url}\n{AUTH}={api.auth}\n".encode())
    finally:
        os.close(file)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def reach_loopback() -> None:
    """Keeps requests to 127.0.0.1 of this process and its children away from a proxy of the environment."""
    for name in ("no_proxy", "NO_PROXY"):
        others = [host for host in os.environ.get(name, "").split(",") if host]
        os.environ[name] = ",".join([*others, "127.0.0.1"])


def ensure_home(folder: Path) -> None:
    """Prefect needs a home when it is imported. The user of a container may have none, and gets `folder`."""
    if not _has_home():
        os.environ["HOME"] = str(folder.resolve())


def answers(url: str, *, within_s: float = _TIMEOUT_S) -> bool:
    try:
        check_answers(url, within_s=within_s)
    except ConfigError:
        return False
    return True


def check_answers(url: str, *, within_s: float = _TIMEOUT_S) -> None:
    """Raises `ConfigError` if no API answers. Any HTTP status is an answer. Sends no password."""
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import urlopen

    try:
        with urlopen(f"{url.rstrip('/')}/health", timeout=within_s):  # noqa: S310  the operator's own setting
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
    """The text under nested keys, or None."""
    for key in keys:
        tables = tables.get(key) if isinstance(tables, dict) else None
    return tables if isinstance(tables, str) and tables else None


def _read(path: Path) -> dict[str, Any]:
    """The tables of a TOML file. Empty if it cannot be read, because then it configures no API."""
    try:
        return read_toml(path)
    except (OSError, BrokenDocument):
        return {}

"""Profiles read from their files and checked: every key is there, none is unknown, no host is claimed twice."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import ValidationError, convert

from verdicts.corpus.toml_and_json import BrokenDocument, parse_toml
from verdicts.extract.panel.words.profile import Profiles, SiteProfile

FOLDER = Path(__file__).parent / "profiles"


class BrokenProfile(ValueError):
    """A profile lacks a value, has one that is not known, or claims the host of another. Names the file and the key."""


def read_profile(path: Path) -> SiteProfile:
    """The profile that a file declares, under the file's name. Raises `BrokenProfile`."""
    try:
        return declared_profile(path.stem, parse_toml(path.read_bytes(), path))
    except BrokenDocument as error:
        raise BrokenProfile(str(error)) from error
    except BrokenProfile as error:
        raise BrokenProfile(f"{path}: {error}") from error


def declared_profile(name: str, declared: Mapping[str, object]) -> SiteProfile:
    """The profile that a table declares. Raises `BrokenProfile`."""
    try:
        return convert({"name": name, **declared}, SiteProfile)
    except ValidationError as error:
        raise BrokenProfile(str(error)) from error


def profiles_by_name(profiles: Sequence[SiteProfile]) -> Profiles:
    """The profiles that read a corpus together. Raises `BrokenProfile` where two claim one host."""
    owners: dict[str, str] = {}
    for profile in profiles:
        for host in profile.hosts:
            owner = owners.setdefault(host, profile.name)
            if owner != profile.name:
                raise BrokenProfile(f"{host} is a host of {owner} and of {profile.name}")
    return {profile.name: profile for profile in profiles}


SHIPPED: Profiles = profiles_by_name([read_profile(path) for path in sorted(FOLDER.glob("*.toml"))])
"""The profiles of this package."""

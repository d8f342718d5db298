"""Profiles read from their files and checked: every key is there, none is unknown, no host is claimed twice."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from extract.panel.profile import Profiles, SiteProfile

FOLDER = Path(__file__).parent / "profiles"


class BrokenProfile(ValueError):
    """A profile lacks a value, has one that is not known, or claims the host of another. Names the file and the key."""


def read_profile(path: Path) -> SiteProfile:
    """The profile that a file declares, under the file's name. Raises `BrokenProfile`."""
    try:
        return declared_profile(path.stem, tomllib.loads(path.read_text(encoding="utf-8")))
    except (BrokenProfile, tomllib.TOMLDecodeError) as error:
        raise BrokenProfile(f"{path}: {error}") from error


def declared_profile(name: str, declared: Mapping[str, object]) -> SiteProfile:
    """The profile that a table declares. Raises `BrokenProfile`."""
    profile: SiteProfile = _record(SiteProfile, {"name": name, **declared}, "")
    return profile


def profiles_by_name(profiles: Sequence[SiteProfile]) -> Profiles:
    """The profiles that read a corpus together. Raises `BrokenProfile` where two claim one host."""
    owners: dict[str, str] = {}
    for profile in profiles:
        for host in profile.hosts:
            owner = owners.setdefault(host, profile.name)
            if owner != profile.name:
                raise BrokenProfile(f"{host} is a host of {owner} and of {profile.name}")
    return {profile.name: profile for profile in profiles}


def _record(kind: Any, declared: object, key: str) -> Any:  # noqa: ANN401  a record of the declared kind
    if not isinstance(declared, dict):
        raise BrokenProfile(f"{key} is no table")
    types = get_type_hints(kind)
    names = [field.name for field in fields(kind)]
    for name in sorted({*names} ^ {*declared}):
        raise BrokenProfile(f"{_below(key, name)} is {'missing' if name in types else 'no key of a profile'}")
    return kind(**{name: _value(types[name], declared[name], _below(key, name)) for name in names})


def _value(kind: Any, declared: Any, key: str) -> Any:  # noqa: ANN401  a value of the declared kind
    """The declared value as a value of a record's field. An empty text is none."""
    parts = get_args(kind)
    if is_dataclass(kind):
        return _record(kind, declared, key)
    if get_origin(kind) is Literal:
        if declared not in parts:
            raise BrokenProfile(f"{key} is {declared!r}, and may be {', '.join(parts)}")
        return declared
    if get_origin(kind) is Mapping and isinstance(declared, dict):
        return {word: _value(parts[1], value, _below(key, word)) for word, value in declared.items()}
    if get_origin(kind) is tuple and isinstance(declared, list):
        kinds = [parts[0]] * len(declared) if parts[-1] is Ellipsis else parts
        if len(kinds) != len(declared):
            raise BrokenProfile(f"{key} has {len(declared)} values instead of {len(kinds)}")
        pairs = enumerate(zip(kinds, declared, strict=True))
        return tuple(_value(part, value, f"{key}[{index}]") for index, (part, value) in pairs)
    if not isinstance(kind, type) or not isinstance(declared, kind) or declared == "":
        raise BrokenProfile(f"{key} is {declared!r}, which is no value for it")
    return declared


def _below(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


SHIPPED: Profiles = profiles_by_name([read_profile(path) for path in sorted(FOLDER.glob("*.toml"))])
"""The profiles of this package."""

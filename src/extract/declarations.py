"""What persons declare about sites: recipes of hosts, and profiles of sister sites beside those that are shipped."""

from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from verdicts.corpus.text import BrokenDocument, parse_toml
from verdicts.extract.panel.profile import (
    SHIPPED,
    BrokenProfile,
    Profiles,
    SiteProfile,
    declared_profile,
    profiles_by_name,
)
from verdicts.extract.recipes.recipe import NO_RECIPES, Recipes, digest_of
from verdicts.fetch.model.addresses import BadUrl, host_name


class Declarations(NamedTuple):
    """Recipes by host, and own profiles as pairs of a file's path and bytes: so they travel to the workers."""

    recipes: Recipes = NO_RECIPES
    own_profiles: tuple[tuple[str, bytes], ...] = ()

    @property
    def profiles(self) -> Profiles:
        """The own profiles and the shipped ones. Raises `BrokenProfile`."""
        return profiles_with(self.own_profiles)

    @property
    def digest(self) -> str:
        """Changes whenever a recipe changes its meaning, or a profile its bytes; empty if there are none."""
        if not self.own_profiles:
            return digest_of(self.recipes)
        contents = [digest_of(self.recipes).encode(), *(content for _, content in self.own_profiles)]
        return sha256(b"\0".join(contents)).hexdigest()[:8]


NOTHING_DECLARED = Declarations()


@lru_cache(maxsize=4)
def profiles_with(own: tuple[tuple[str, bytes], ...]) -> Profiles:
    """The same object for the same files, as profiles are keys of caches.

    An own profile replaces a shipped one of the same name. Raises `BrokenProfile`.
    """
    if not own:
        return SHIPPED
    declared = {}
    for path, content in own:
        name = path.rpartition("/")[2].removesuffix(".toml")
        try:
            declared[name] = _checked(declared_profile(name, parse_toml(content, path)))
        except BrokenProfile as error:
            raise BrokenProfile(f"{path}: {error}") from error
        except BrokenDocument as error:
            raise BrokenProfile(str(error)) from error
    try:
        return profiles_by_name([*{**SHIPPED, **declared}.values()])
    except BrokenProfile as error:
        raise BrokenProfile(f"{own[0][0].rpartition('/')[0]}: {error}") from error


def _checked(profile: SiteProfile) -> SiteProfile:
    """A host in another spelling would match no page, and nothing would say so."""
    for host in profile.hosts:
        try:
            is_host = host_name(host) == host
        except BadUrl:
            is_host = False
        if not is_host:
            raise BrokenProfile(f"hosts: {host!r} is not a host; write 'example.org', in lower case")
    return profile

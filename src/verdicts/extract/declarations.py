"""The declarations of people about sites: recipes of hosts, and profiles of sister sites beside the shipped ones."""

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from verdicts.extract.panel.profile import SHIPPED, BrokenProfile, Profiles, profile_in, profiles_by_name
from verdicts.extract.recipes.recipe import NO_RECIPES, Recipes, hash_recipes


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
            return hash_recipes(self.recipes)
        contents = [hash_recipes(self.recipes).encode(), *(content for _, content in self.own_profiles)]
        return sha256(b"\0".join(contents)).hexdigest()[:8]


NOTHING_DECLARED = Declarations()


@lru_cache(maxsize=4)
def profiles_with(own: tuple[tuple[str, bytes], ...]) -> Profiles:
    """The same object for the same files, as profiles are keys of caches.

    An own profile replaces a shipped one of the same name. Raises `BrokenProfile`.
    """
    if not own:
        return SHIPPED
    declared = [profile_in(content, Path(path)) for path, content in own]
    try:
        return profiles_by_name([*{**SHIPPED, **{profile.name: profile for profile in declared}}.values()])
    except BrokenProfile as error:
        raise BrokenProfile(f"{own[0][0].rpartition('/')[0]}: {error}") from error

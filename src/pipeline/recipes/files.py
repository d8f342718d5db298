"""The recipes of a data folder: `recipes/HOST.toml`, a file a host."""

from pathlib import Path

from verdicts.corpus.toml_and_json import TOML_LIMIT
from verdicts.extract.recipes.recipe import NO_RECIPES, BrokenRecipe, Recipe, Recipes, declared_recipe
from verdicts.fetch.given_files import read_file
from verdicts.pipeline.errors import ConfigError

SUFFIX = ".toml"


def read_recipe(path: Path, host: str | None = None) -> Recipe:
    """The recipe in a file, for the host that the file is named by. Raises `ConfigError` with all that is wrong."""
    try:
        return declared_recipe(host or path.name.removesuffix(SUFFIX), read_file(path, TOML_LIMIT), str(path))
    except BrokenRecipe as broken:
        raise ConfigError(str(broken)) from broken
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error


def read_recipes(folder: Path) -> Recipes:
    """All recipes in a folder; none where it is not there. Raises `ConfigError` with what is wrong in any of them."""
    recipes, mistakes = {}, []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            recipe = read_recipe(path)
            recipes[recipe.host] = recipe
        except ConfigError as error:
            mistakes.append(str(error))
    if mistakes:
        raise ConfigError("; ".join(mistakes))
    return recipes or NO_RECIPES

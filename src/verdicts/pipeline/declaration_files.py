"""The recipes and profiles that people wrote, in the data folder."""

from pathlib import Path

from verdicts.corpus.text import TOML_LIMIT
from verdicts.extract.declarations import Declarations
from verdicts.extract.panel.profile import BrokenProfile
from verdicts.extract.recipes.recipe import NO_RECIPES, BrokenRecipe, Recipe, Recipes, parse_recipe
from verdicts.fetch.input_files import read_file
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.pipeline_errors import ConfigError

SUFFIX = ".toml"


def read_recipe(path: Path, host: str | None = None) -> Recipe:
    """Reads a recipe. The file name is the host by default. Raises `ConfigError` with all mistakes."""
    try:
        return parse_recipe(host or path.name.removesuffix(SUFFIX), read_file(path, TOML_LIMIT), str(path))
    except BrokenRecipe as broken:
        raise ConfigError(str(broken)) from broken
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error


def read_recipes(folder: Path) -> Recipes:
    """All recipes in a folder, which may be missing. Raises `ConfigError` with the mistakes of all files."""
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


def read_declarations(folder: DataFolder) -> Declarations:
    """The recipes and the profiles of a data folder. Raises `ConfigError`."""
    written = []
    for path in sorted(folder.profiles.glob(f"*{SUFFIX}")):
        try:
            written.append((str(path), read_file(path, TOML_LIMIT)))
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}") from error
    declared = Declarations(read_recipes(folder.recipes), tuple(written))
    try:
        declared.profiles  # noqa: B018  read here, so that a mistake is told before any work
    except BrokenProfile as error:
        raise ConfigError(str(error)) from error
    return declared
